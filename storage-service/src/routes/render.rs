//! `GET /render/image/…`: a resized image, with the permissions of the object itself.

use axum::body::Body;
use axum::extract::State;
use axum::http::header::{ACCEPT, ACCEPT_RANGES, CONTENT_LENGTH, CONTENT_TYPE, VARY};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};

use super::download::{DownloadRequest, Representation, content, headers, modified, not_modified, query};
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
    let requested = match read.signed() {
        // The token decides on the transformation, not the request.
        Some(claims) => Transformation::from_text(claims.text("transformations").unwrap_or_default()),
        None => query::<Transformation>(&request.uri)?.checked("querystring")?,
    };
    let expires = read.expires();
    match answer(&state, &*read.find(&state).await?, &request, expires, &requested).await {
        Err(ApiError::NoSuchKey) => {
            answer(&state, &*read.find(&state).await?, &request, expires, &requested).await
        }
        answered => answered,
    }
}

async fn answer(
    state: &AppState,
    object: &Object,
    request: &DownloadRequest,
    expires: Option<DateTime<Utc>>,
    requested: &Transformation,
) -> Result<Response> {
    let version = object.blob().ok_or(ApiError::NoSuchKey)?;
    let options = requested.options(request.headers.get(ACCEPT).and_then(|accept| accept.to_str().ok()));
    // The ETag is known before rendering, so a client with a current copy causes no work.
    let etag = format!("\"{version}-{}\"", options.name());
    let (size, modified) = (object.size(), modified(object));
    let headers = |content_type: &str| {
        let representation = Representation { content_type, etag: &etag, content_encoding: None };
        headers(object, modified, &representation, &request.options, expires)
    };
    if not_modified(&request.headers, Some(&etag), modified) {
        let mut headers = headers(Format::Webp.mime_type())?;
        headers.remove(CONTENT_TYPE);
        return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
    }
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
    let mut headers = headers(content_type)?;
    if made && let Ok(described) = HeaderValue::try_from(options.described(requested)) {
        headers.insert(TRANSFORMATIONS, described);
    }
    // Rendered images don't support ranges.
    headers.remove(ACCEPT_RANGES);
    headers.insert(CONTENT_LENGTH, length.into());
    if requested.leaves_format_open() {
        headers.insert(VARY, HeaderValue::from_static("accept"));
    }
    // The server omits the body of a response to HEAD.
    Ok((headers, picture).into_response())
}
