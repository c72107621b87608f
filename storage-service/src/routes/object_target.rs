//! The bucket and key of a path, percent-decoded once. They are validated later, because other errors take
//! precedence.

use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;

use crate::domain::object_path::ObjectPath;
use crate::error::{ApiError, Result};

pub struct ObjectTarget {
    pub bucket: String,
    pub key: String,
}

impl ObjectTarget {
    /// # Errors
    /// Fails when the key is malformed.
    pub fn path(&self) -> Result<ObjectPath> {
        Ok(ObjectPath::parse(&self.key)?)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for ObjectTarget {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let invalid = |_| ApiError::InvalidKey(format!("Invalid key: {}", parts.uri.path()));
        let params = RawPathParams::from_request_parts(&mut parts.clone(), state).await.map_err(invalid)?;
        let param =
            |wanted| params.iter().find(|(name, _)| *name == wanted).map(|(_, value)| value.to_owned());
        Ok(Self { bucket: param("bucket").unwrap_or_default(), key: param("key").unwrap_or_default() })
    }
}
