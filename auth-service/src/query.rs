//! Query parameters; errors have our own format. All values are strings. For duplicates the first one wins.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::error::{AuthError, Result};

pub struct QueryParams<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for QueryParams<T> {
    type Rejection = AuthError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        let mut parameters = Map::new();
        for (name, text) in url::form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes()) {
            parameters.entry(name).or_insert_with(|| Value::String(text.into_owned()));
        }
        serde_json::from_value(Value::Object(parameters))
            .map(Self)
            .map_err(|error| AuthError::validation(error.to_string()))
    }
}
