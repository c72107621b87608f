//! `GET /render/image/…`: a resized image, with the permissions of the object itself.

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{ACCEPT, ACCEPT_RANGES, CONTENT_LENGTH, VARY};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use super::download::{
    Caching, DownloadRequest, Representation, content, headers, modified, not_modified, query,
};
use super::read::Read;
use crate::error::{ApiError, Result};
use crate::render::Rendered;
use crate::render::options::Transformation;
use crate::state::AppState;
use crate::store::objects::Object;
use pictures::Format;

/// Describes what was done to the image, as Supabase's renderer does.
const TRANSFORMATIONS: HeaderName = HeaderName::from_static("x-transformations");

/// Tries again when the blob is missing, like downloads do.
pub async fn image(State(state): State<AppState>, read: Read, request: DownloadRequest) -> Result<Response> {
    let asked = match read.signed() {
        // The token decides on the transformation, not the request.
        Some(claims) => Transformation::from_text(claims.text("transformations").unwrap_or_default()),
        None => query::<Transformation>(&request.uri)?.checked("querystring")?,
    };
    let object = read.find(&state).await?;
    match answer(&state, &object, &request, read.caching(), &asked).await {
        Err(ApiError::NoSuchKey) => {
            let object = read.find(&state).await?;
            answer(&state, &object, &request, read.caching(), &asked).await
        }
        answered => answered,
    }
}

async fn answer(
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
        Rendered::AsStored(format) => {
            (format.mime_type(), size, content(state, version, size, 0..size).await?)
        }
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
