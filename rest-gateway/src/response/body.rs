//! Builds the status, headers and body of a response.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, HttpBody};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;
use hyper::body::Frame;

use crate::media::MediaType;
use crate::request::Request;

/// The headers of most responses fit, together with those that middleware adds.
const USUAL_HEADERS: usize = 12;

#[derive(Debug)]
pub struct ResponseBuilder {
    pub status: StatusCode,
    pub headers: HeaderMap,
    body: Bytes,
}

impl ResponseBuilder {
    pub fn new(status: StatusCode) -> Self {
        Self { status, headers: HeaderMap::with_capacity(USUAL_HEADERS), body: Bytes::new() }
    }

    /// Sets a header. Invalid values are dropped.
    pub fn header(mut self, name: &'static str, value: impl AsRef<str>) -> Self {
        if let Ok(value) = HeaderValue::from_bytes(value.as_ref().as_bytes()) {
            self.headers.insert(HeaderName::from_static(name), value);
        }
        self
    }

    pub fn preferences(self, applied: Option<String>) -> Self {
        match applied {
            Some(applied) => self.header("preference-applied", applied),
            None => self,
        }
    }

    /// Also sets `Content-Profile` if the client could have chosen another schema.
    pub fn content_type(self, media: Option<&MediaType>, request: &Request) -> Self {
        let response = match media {
            Some(media) => self.header("content-type", media.content_type()),
            None => self,
        };
        if request.schema_was_negotiated {
            response.header("content-profile", &request.schema)
        } else {
            response
        }
    }

    pub fn body(mut self, body: impl Into<Bytes>) -> Self {
        self.body = body.into();
        self
    }

    pub fn into_response(mut self, is_head: bool) -> Response {
        self.headers.entry(header::VARY).or_insert(vary());
        let body = if is_head {
            Body::new(HeadBody)
        } else if self.status == StatusCode::NO_CONTENT {
            Body::empty()
        } else {
            Body::from(self.body)
        };
        let mut response = Response::new(body);
        *response.status_mut() = self.status;
        *response.headers_mut() = self.headers;
        response
    }
}

/// The request headers that affect the response.
pub fn vary() -> HeaderValue {
    HeaderValue::from_static("Accept, Prefer, Range")
}

/// The body of a response to HEAD. Its length is unknown, so that no `Content-Length: 0` is sent.
struct HeadBody;

impl HttpBody for HeadBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        Poll::Ready(None)
    }

    fn is_end_stream(&self) -> bool {
        true
    }
}
