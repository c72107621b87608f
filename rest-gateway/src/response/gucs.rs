//! Response headers and status that functions set through `response.headers` and `response.status`.

use axum::http::{HeaderName, HeaderValue, StatusCode};
use serde_json::{Map, Value};

use super::body::ResponseBuilder;
use super::error::ResponseError;
use crate::execute::Outcome;

pub struct Gucs {
    status: Option<StatusCode>,
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl Gucs {
    pub fn read(outcome: &Outcome) -> Result<Self, ResponseError> {
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

fn status(text: Option<&str>) -> Result<Option<StatusCode>, ResponseError> {
    let Some(text) = text else { return Ok(None) };
    let digits = text.find(|found: char| !found.is_ascii_digit()).map_or(text, |end| &text[..end]);
    let status = digits.parse().ok().and_then(|number: u16| StatusCode::from_u16(number).ok());
    status.map(Some).ok_or(ResponseError::BadGucStatus)
}

/// Expects an array of objects with one property each.
fn headers(text: Option<&str>) -> Result<Vec<(HeaderName, HeaderValue)>, ResponseError> {
    let Some(text) = text else { return Ok(Vec::new()) };
    let objects: Vec<Map<String, Value>> =
        serde_json::from_str(text).map_err(|_| ResponseError::BadGucHeaders)?;
    objects
        .into_iter()
        .map(|object| {
            let mut members = object.into_iter();
            let (Some((name, Value::String(value))), None) = (members.next(), members.next()) else {
                return None;
            };
            Some((HeaderName::try_from(name).ok()?, HeaderValue::try_from(value).ok()?))
        })
        .collect::<Option<Vec<_>>>()
        .ok_or(ResponseError::BadGucHeaders)
}
