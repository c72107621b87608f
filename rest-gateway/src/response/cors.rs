//! CORS headers, as in PostgREST.

use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};

const EXPOSED: &str = "Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Server, \
    Transfer-Encoding, Range-Unit";
const METHODS: &str = "GET, POST, PATCH, PUT, DELETE, OPTIONS, HEAD";

/// The CORS headers of a response; `None` without an `Origin` header, or if the origin is not allowed.
pub struct Cors {
    origin: HeaderValue,
}

impl Cors {
    pub fn new(headers: &HeaderMap, allowed: Option<&[String]>) -> Option<Self> {
        let origin = headers.get(header::ORIGIN)?;
        match allowed {
            None => Some(Self { origin: HeaderValue::from_static("*") }),
            Some(allowed) => allowed
                .iter()
                .any(|one| one.as_bytes() == origin.as_bytes())
                .then(|| Self { origin: origin.clone() }),
        }
    }

    /// The response to a preflight request.
    pub fn preflight(&self, method: &Method, headers: &HeaderMap) -> Option<Response> {
        if method != Method::OPTIONS || !headers.contains_key(header::ACCESS_CONTROL_REQUEST_METHOD) {
            return None;
        }
        let requested =
            headers.get(header::ACCESS_CONTROL_REQUEST_HEADERS).and_then(|value| value.to_str().ok());
        let requested =
            requested.unwrap_or_default().split(',').map(str::trim).filter(|name| !name.is_empty());
        let allowed: Vec<&str> = std::iter::once("Authorization")
            .chain(requested)
            .chain(["Accept", "Accept-Language", "Content-Language"])
            .collect();
        let mut response = StatusCode::OK.into_response();
        self.add(response.headers_mut());
        let headers = response.headers_mut();
        headers.remove(header::ACCESS_CONTROL_EXPOSE_HEADERS);
        headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static(METHODS));
        if let Ok(value) = HeaderValue::from_str(&allowed.join(", ")) {
            headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, value);
        }
        headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400"));
        Some(response)
    }

    pub fn add(&self, headers: &mut HeaderMap) {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, self.origin.clone());
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
        if self.origin != "*" {
            headers.insert(header::ACCESS_CONTROL_ALLOW_CREDENTIALS, HeaderValue::from_static("true"));
        }
    }
}
