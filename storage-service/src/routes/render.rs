//! `GET /render/image/…`: a picture in another size, shown to whom the object itself is shown.

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{ACCEPT, ACCEPT_RANGES, CONTENT_LENGTH, VARY};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use chrono::DateTime;

use super::download::{Keep, Representation, Wish, headers, modified, not_modified, open_blob, query};
use super::find::{Reader, find};
use super::object::get_signed::no_token;
use super::object::signed_token::{Scope, TokenQuery, opened};
use super::object_target::ObjectTarget;
use crate::caller::Caller;
use crate::domain::image::Format;
use crate::error::{ApiError, Result};
use crate::render::Rendered;
use crate::render::wanted::Transformation;
use crate::state::AppState;

pub async fn public(State(state): State<AppState>, target: ObjectTarget, wish: Wish) -> Result<Response> {
    let asked = asked(&wish)?;
    answer(&state, &target, Reader::Anybody, &wish, Keep::AsStored, &asked).await
}

pub async fn authenticated(
    State(state): State<AppState>,
    caller: Caller,
    target: ObjectTarget,
    wish: Wish,
) -> Result<Response> {
    let asked = asked(&wish)?;
    answer(&state, &target, Reader::Caller(&caller), &wish, Keep::AsStored, &asked).await
}

/// The token says how the picture is transformed, not the request.
pub async fn signed(State(state): State<AppState>, target: ObjectTarget, wish: Wish) -> Result<Response> {
    let token: TokenQuery = query(&wish.uri).map_err(|_| no_token())?;
    let claims = opened(&state, &token.token, Scope::Download, &target)?;
    let end = claims.seconds("exp").and_then(|end| DateTime::from_timestamp(end, 0)).unwrap_or_default();
    let asked = Transformation::from_text(claims.text("transformations").unwrap_or_default());
    answer(&state, &target, Reader::Signature, &wish, Keep::Until(end), &asked).await
}

fn asked(wish: &Wish) -> Result<Transformation> {
    query::<Transformation>(&wish.uri)?.checked("querystring")
}

/// Looks a second time when the blob is gone, as downloads do.
async fn answer(
    state: &AppState,
    target: &ObjectTarget,
    reader: Reader<'_>,
    wish: &Wish,
    keep: Keep,
    asked: &Transformation,
) -> Result<Response> {
    match try_answer(state, target, reader, wish, keep, asked).await {
        Err(ApiError::NoSuchKey) => try_answer(state, target, reader, wish, keep, asked).await,
        answered => answered,
    }
}

async fn try_answer(
    state: &AppState,
    target: &ObjectTarget,
    reader: Reader<'_>,
    wish: &Wish,
    keep: Keep,
    asked: &Transformation,
) -> Result<Response> {
    let object = find(state, target, reader).await?;
    let version = object.blob().ok_or(ApiError::NoSuchKey)?;
    let wanted = asked.wanted(wish.headers.get(ACCEPT).and_then(|accept| accept.to_str().ok()));
    // Known before the picture is made: who has it needs no second one.
    let etag = format!("\"{version}-{}\"", wanted.name());
    let modified = modified(&object);
    if not_modified(&wish.headers, Some(&etag), modified) {
        let unseen = Representation { content_type: Format::Webp.mime_type(), etag: &etag };
        let mut headers = headers(&object, modified, &unseen, &wish.options, keep)?;
        headers.remove(axum::http::header::CONTENT_TYPE);
        return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
    }
    let size = object.size();
    let (content_type, length, picture) = match state.renderer.picture(version, size, &wanted).await? {
        Rendered::Made(picture) => {
            let format = Format::sniff(&picture);
            let length = picture.len() as u64;
            (format.map_or("application/octet-stream", Format::mime_type), length, Body::from(picture))
        }
        Rendered::AsStored(format) => (format.mime_type(), size, open_blob(state, version, 0..size).await?),
    };
    let representation = Representation { content_type, etag: &etag };
    let mut headers = headers(&object, modified, &representation, &wish.options, keep)?;
    // It is made whole, so it comes whole.
    headers.remove(ACCEPT_RANGES);
    headers.insert(CONTENT_LENGTH, length.into());
    if asked.leaves_format_open() {
        headers.insert(VARY, HeaderValue::from_static("accept"));
    }
    // The server leaves the bytes out of an answer to HEAD.
    Ok((headers, picture).into_response())
}
