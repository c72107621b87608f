//! `GET /render/image/…`: a resized image, with the permissions of the object itself.

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{ACCEPT, ACCEPT_RANGES, CONTENT_LENGTH, VARY};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use chrono::DateTime;

use super::download::{
    Caching, DownloadRequest, Representation, content, headers, modified, not_modified, query,
};
use super::find::{Reader, find};
use super::object::get_signed::no_token;
use super::object::signed_token::{Scope, TokenQuery, verify};
use super::object_target::ObjectTarget;
use crate::caller::Caller;
use crate::error::{ApiError, Result};
use crate::render::Rendered;
use crate::render::options::Transformation;
use crate::state::AppState;
use crate::store::objects::Object;
use pictures::Format;

/// Describes what was done to the image, as Supabase's renderer does.
const TRANSFORMATIONS: HeaderName = HeaderName::from_static("x-transformations");

pub async fn public(
    State(state): State<AppState>,
    target: ObjectTarget,
    request: DownloadRequest,
) -> Result<Response> {
    let asked = asked(&request)?;
    answer(&state, &target, Reader::Anybody, &request, Caching::AsStored, &asked).await
}

pub async fn authenticated(
    State(state): State<AppState>,
    caller: Caller,
    target: ObjectTarget,
    request: DownloadRequest,
) -> Result<Response> {
    let asked = asked(&request)?;
    answer(&state, &target, Reader::Caller(&caller), &request, Caching::AsStored, &asked).await
}

/// The token decides on the transformation, not the request.
pub async fn signed(
    State(state): State<AppState>,
    target: ObjectTarget,
    request: DownloadRequest,
) -> Result<Response> {
    let token: TokenQuery = query(&request.uri).map_err(|_| no_token())?;
    let claims = verify(&state, &token.token, Scope::Download, &target)?;
    let end = claims.seconds("exp").and_then(|end| DateTime::from_timestamp(end, 0)).unwrap_or_default();
    let asked = Transformation::from_text(claims.text("transformations").unwrap_or_default());
    answer(&state, &target, Reader::Signature, &request, Caching::Until(end), &asked).await
}

fn asked(request: &DownloadRequest) -> Result<Transformation> {
    query::<Transformation>(&request.uri)?.checked("querystring")
}

/// Tries again when the blob is missing, like downloads do.
async fn answer(
    state: &AppState,
    target: &ObjectTarget,
    reader: Reader<'_>,
    request: &DownloadRequest,
    caching: Caching,
    asked: &Transformation,
) -> Result<Response> {
    let found = find(state, target, reader).await?;
    match try_answer(state, &*found, request, caching, asked).await {
        Err(ApiError::NoSuchKey) => {
            let found = find(state, target, reader).await?;
            try_answer(state, &*found, request, caching, asked).await
        }
        answered => answered,
    }
}

async fn try_answer(
    state: &AppState,
    object: &Object,
    request: &DownloadRequest,
    caching: Caching,
    asked: &Transformation,
) -> Result<Response> {
    let version = object.blob().ok_or(ApiError::NoSuchKey)?;
    let options = asked.options(request.headers.get(ACCEPT).and_then(|accept| accept.to_str().ok()));
    // The ETag is known before rendering, so a client with a current copy causes no work.
    let etag = format!("\"{version}-{}\"", options.name());
    let modified = modified(object);
    if not_modified(&request.headers, Some(&etag), modified) {
        return unchanged(object, &etag, request, caching);
    }
    let size = object.size();
    let rendered = state.renderer.picture(version, size, &options, request.client).await?;
    let made = matches!(rendered, Rendered::Made(_));
    let (content_type, length, picture) = match rendered {
        Rendered::Made(picture) => {
            let format = Format::sniff(&picture);
            let length = picture.len() as u64;
            (format.map_or("application/octet-stream", Format::mime_type), length, Body::from(picture))
        }
        Rendered::AsStored(format) => (format.mime_type(), size, content(state, version, size, 0..size).await?),
    };
    let representation = Representation { content_type, etag: &etag, content_encoding: None };
    let mut headers = headers(object, modified, &representation, &request.options, caching)?;
    if made && let Ok(described) = HeaderValue::try_from(options.described(asked)) {
        headers.insert(TRANSFORMATIONS, described);
    }
    // Rendered images don't support ranges.
    headers.remove(ACCEPT_RANGES);
    headers.insert(CONTENT_LENGTH, length.into());
    if asked.leaves_format_open() {
        headers.insert(VARY, HeaderValue::from_static("accept"));
    }
    // The server omits the body of a response to HEAD.
    Ok((headers, picture).into_response())
}

/// The response to a client that has a current copy.
fn unchanged(object: &Object, etag: &str, request: &DownloadRequest, caching: Caching) -> Result<Response> {
    let unseen = Representation { content_type: Format::Webp.mime_type(), etag, content_encoding: None };
    let mut headers = headers(object, modified(object), &unseen, &request.options, caching)?;
    headers.remove(axum::http::header::CONTENT_TYPE);
    Ok((StatusCode::NOT_MODIFIED, headers).into_response())
}
