//! Query parameters, refused in our own shape.

use axum::extract::{FromRequestParts, Query};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::error::{AuthError, Result};

pub struct QueryParams<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for QueryParams<T> {
    type Rejection = AuthError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        Query::try_from_uri(&parts.uri)
            .map(|Query(parameters)| Self(parameters))
            .map_err(|rejection| AuthError::validation(rejection.body_text()))
    }
}
