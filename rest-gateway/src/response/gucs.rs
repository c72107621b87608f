//! Response headers and status that functions set through `response.headers` and `response.status`.

use axum::http::{HeaderName, HeaderValue, StatusCode};
use serde_json::{Map, Value};

use super::body::ResponseBuilder;
use crate::error_body::{ErrorBody, Rejection};
use crate::execute::Outcome;

pub struct Gucs {
    status: Option<StatusCode>,
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl Gucs {
    pub fn read(outcome: &Outcome) -> Result<Self, Rejection> {
        Ok(Self { status: status(outcome.status.as_deref())?, headers: headers(outcome.headers.as_deref())? })
    }

    /// Overrides the gateway's own status and headers.
    pub fn apply(self, mut response: ResponseBuilder) -> ResponseBuilder {
        response.status = self.status.unwrap_or(response.status);
        for (name, _) in &self.headers {
            response.headers.remove(name);
        }
        for (name, value) in self.headers {
            response.headers.append(name, value);
        }
        response
    }
}

fn status(text: Option<&str>) -> Result<Option<StatusCode>, Rejection> {
    let Some(text) = text else { return Ok(None) };
    let digits = text.find(|found: char| !found.is_ascii_digit()).map_or(text, |end| &text[..end]);
    let status = digits.parse().ok().and_then(|number: u16| StatusCode::from_u16(number).ok());
    status.map(Some).ok_or_else(|| invalid("PGRST112", "response.status guc must be a valid status code"))
}

/// Expects an array of objects with one property each.
fn headers(text: Option<&str>) -> Result<Vec<(HeaderName, HeaderValue)>, Rejection> {
    let Some(text) = text else { return Ok(Vec::new()) };
    let header = |object: Map<String, Value>| {
        let mut members = object.into_iter();
        let (Some((name, Value::String(value))), None) = (members.next(), members.next()) else {
            return None;
        };
        Some((HeaderName::try_from(name).ok()?, HeaderValue::try_from(value).ok()?))
    };
    let objects: Option<Vec<Map<String, Value>>> = serde_json::from_str(text).ok();
    objects.and_then(|objects| objects.into_iter().map(header).collect()).ok_or_else(|| {
        let what = "a JSON array composed of objects with a single key and a string value";
        invalid("PGRST111", format!("response.headers guc must be {what}"))
    })
}

fn invalid(code: &str, message: impl Into<String>) -> Rejection {
    ErrorBody::new(StatusCode::INTERNAL_SERVER_ERROR, code, message)
}
