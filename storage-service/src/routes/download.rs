//! Sends one object: conditional requests, ranges, file names, and headers that keep browsers from running
//! uploaded content.

use std::net::IpAddr;

use axum::body::Body;
use axum::extract::{FromRequestParts, OriginalUri, Query};
use axum::http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE,
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, EXPIRES, IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_RANGE,
    LAST_MODIFIED, RANGE, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, TimeDelta, Utc};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use platform::http::origin;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::domain::range;
use crate::domain::version::Version;
use crate::error::{ApiError, Result};
use crate::state::AppState;
use crate::store::objects::Object;
use pictures::Format;

const ROBOTS: HeaderName = HeaderName::from_static("x-robots-tag");
const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
/// The characters that neither JavaScript's `encodeURIComponent`, with whose result clients compare, nor RFC 8187 encodes.
const COMPONENT: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'!').remove(b'~');

/// The age from which a modification date is a strong validator, as in other servers.
const STRONG_DATE_AGE: TimeDelta = TimeDelta::seconds(60);

#[derive(Deserialize, Default)]
pub struct Options {
    /// Missing: the object is displayed. Empty: it is saved under the key's name. Otherwise it is saved under
    /// this name.
    download: Option<String>,
}

/// The parts of a request that affect the response.
pub struct DownloadRequest {
    pub method: Method,
    /// The URI, including the path under which the service is nested.
    pub uri: Uri,
    pub headers: HeaderMap,
    pub options: Options,
    /// The client's address; for IPv6, its network.
    pub client: Option<IpAddr>,
}

impl FromRequestParts<AppState> for DownloadRequest {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self> {
        let Ok(OriginalUri(uri)) = OriginalUri::from_request_parts(parts, state).await;
        let (method, headers) = (parts.method.clone(), parts.headers.clone());
        let client = origin::of(&parts.extensions, &headers, &state.trusted_proxies).map(origin::network_of);
        Ok(Self { options: query(&uri)?, method, uri, headers, client })
    }
}

/// # Errors
/// Fails when the query does not deserialize.
pub fn query<T: DeserializeOwned>(uri: &Uri) -> Result<T> {
    match Query::try_from_uri(uri) {
        Ok(Query(query)) => Ok(query),
        Err(fault) => Err(ApiError::Schema(format!("querystring {}", fault.body_text()))),
    }
}

/// The representation that is sent: the object's bytes, or an image rendered from them.
pub struct Representation<'a> {
    pub content_type: &'a str,
    pub etag: &'a str,
    /// `None` for rendered images.
    pub content_encoding: Option<&'a str>,
}

/// # Errors
/// [`ApiError::NoSuchKey`] when the blob is missing.
pub async fn answer(
    state: &AppState,
    object: &Object,
    request: &DownloadRequest,
    expires: Option<DateTime<Utc>>,
) -> Result<Response> {
    let modified = modified(object);
    let stored = Representation {
        content_type: object.metadata_text("mimetype").unwrap_or("application/octet-stream"),
        etag: object.metadata_text("eTag").unwrap_or_default(),
        content_encoding: object.metadata_text("contentEncoding"),
    };
    let mut headers = headers(object, modified, &stored, &request.options, expires)?;
    if not_modified(&request.headers, object.metadata_text("eTag"), modified) {
        return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
    }
    let size = object.size();
    let is_same = if_range(&request.headers, object.metadata_text("eTag"), modified, state.clock.now());
    let part = request.headers.get(RANGE).filter(|_| is_same).map(|range| range.to_str().unwrap_or_default());
    let part = part.map(|header| range::parse(header, size)).transpose();
    let part = part.map_err(|_| ApiError::InvalidRange)?.flatten();
    let (status, bytes) = match part {
        None => (StatusCode::OK, 0..size),
        Some(part) => {
            headers.insert(CONTENT_RANGE, value(&format!("bytes {}-{}/{size}", part.start, part.end - 1))?);
            (StatusCode::PARTIAL_CONTENT, part)
        }
    };
    headers.insert(CONTENT_LENGTH, (bytes.end - bytes.start).into());
    if request.method == Method::HEAD {
        return Ok((status, headers).into_response());
    }
    let blob = object.blob().ok_or(ApiError::NoSuchKey)?;
    Ok((status, headers, content(state, blob, size, bytes).await?).into_response())
}

/// A range of a blob's bytes, from memory if it is small. A replacement of the object does not affect a running download.
pub async fn content(
    state: &AppState,
    version: Version,
    size: u64,
    range: std::ops::Range<u64>,
) -> Result<Body> {
    if !state.memory.fits(size) {
        return state.backend.read(version, range).await.map_err(ApiError::from_read);
    }
    let key = version.to_string();
    let whole = match state.memory.get(&key) {
        Some(whole) => whole,
        None => {
            let whole = state.backend.read_start(version, size).await.map_err(ApiError::from_read)?;
            state.memory.put(key, &whole);
            whole
        }
    };
    let [start, end] = [range.start, range.end].map(|at| usize::try_from(at).unwrap_or(whole.len()));
    Ok(Body::from(whole.slice(start..end)))
}

/// `expires`: when the signed URL of the response does.
pub fn headers(
    object: &Object,
    modified: DateTime<Utc>,
    representation: &Representation<'_>,
    options: &Options,
    expires: Option<DateTime<Utc>>,
) -> Result<HeaderMap> {
    let stored = representation.content_type;
    // Uploaded HTML must not run on our site's origin.
    let content_type = if stored.to_ascii_lowercase().contains("text/html") { "text/plain" } else { stored };
    let mut headers = HeaderMap::with_capacity(14);
    headers.insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    headers.insert(CONTENT_TYPE, value(content_type)?);
    headers.insert(ETAG, value(representation.etag)?);
    headers.insert(LAST_MODIFIED, value(&httpdate::fmt_http_date(modified.into()))?);
    headers.insert(ROBOTS, value(object.metadata_text("xRobotsTag").unwrap_or("none"))?);
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; sandbox"));
    headers.insert(RESOURCE_POLICY, HeaderValue::from_static("cross-origin"));
    match expires {
        None => {
            headers.insert(CACHE_CONTROL, value(object.metadata_text("cacheControl").unwrap_or("no-cache"))?)
        }
        Some(end) => headers.insert(EXPIRES, value(&httpdate::fmt_http_date(end.into()))?),
    };
    if let Some(encoding) = representation.content_encoding {
        headers.insert(CONTENT_ENCODING, value(encoding)?);
    }
    if let Some(disposition) = disposition(options, content_type) {
        headers.insert(CONTENT_DISPOSITION, value(&disposition)?);
    }
    Ok(headers)
}

/// Only images are displayed when opened in a tab; everything else is saved.
fn disposition(options: &Options, content_type: &str) -> Option<String> {
    match options.download.as_deref() {
        Some("") => Some("attachment;".to_owned()),
        Some(name) => {
            let name = utf8_percent_encode(name, COMPONENT);
            Some(format!("attachment; filename={name}; filename*=UTF-8''{name}"))
        }
        None if Format::covers(content_type) => None,
        None => Some("attachment".to_owned()),
    }
}

pub fn modified(object: &Object) -> DateTime<Utc> {
    let stored =
        object.metadata_text("lastModified").and_then(|text| DateTime::parse_from_rfc3339(text).ok());
    stored.map_or(object.updated_at, |time| time.to_utc())
}

pub fn not_modified(headers: &HeaderMap, etag: Option<&str>, modified: DateTime<Utc>) -> bool {
    let text = |name: HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(known) = text(IF_NONE_MATCH) {
        return known
            .split(',')
            .map(|tag| tag.trim().trim_start_matches("W/"))
            .any(|tag| tag == "*" || Some(tag) == etag);
    }
    let since = text(IF_MODIFIED_SINCE).and_then(|date| httpdate::parse_http_date(date).ok());
    // The header has no fractions of a second.
    since.is_some_and(|since| modified.timestamp() <= DateTime::<Utc>::from(since).timestamp())
}

/// Whether a range request gets a partial response: the client must have part of this version, by a strong
/// comparison (RFC 9110, section 13.1.5). Otherwise it gets the whole object.
fn if_range(headers: &HeaderMap, etag: Option<&str>, modified: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    let Some(known) = headers.get(IF_RANGE) else { return true };
    let known = known.to_str().unwrap_or_default().trim();
    if known.starts_with('"') {
        return Some(known) == etag;
    }
    // A date is a strong validator only when the object can't have changed twice within its second.
    let date = httpdate::parse_http_date(known).map(DateTime::<Utc>::from);
    date.is_ok_and(|date| date.timestamp() == modified.timestamp()) && now - modified >= STRONG_DATE_AGE
}

fn value(text: &str) -> Result<HeaderValue> {
    HeaderValue::from_str(text).map_err(|error| ApiError::Internal(error.into()))
}
