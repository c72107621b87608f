//! A bucket's size and MIME type limits, as clients write them.

use serde::Deserialize;

use crate::domain::{byte_size, mime_type};
use crate::error::{ApiError, Result};

#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum FileSizeLimit {
    Bytes(u64),
    Text(String),
}

impl FileSizeLimit {
    /// # Errors
    /// Fails when the limit is malformed or exceeds the server's limit.
    pub fn bytes(&self, max_object_bytes: u64) -> Result<i64> {
        let bytes = match self {
            Self::Bytes(bytes) => i64::try_from(*bytes).map_err(|_| ApiError::TooLarge)?,
            Self::Text(text) => byte_size::parse(text).map_err(|_| {
                ApiError::InvalidRequest(
                    "Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B".to_owned(),
                )
            })?,
        };
        if u64::try_from(bytes).is_ok_and(|bytes| bytes > max_object_bytes) {
            return Err(ApiError::TooLarge);
        }
        Ok(bytes)
    }
}

/// # Errors
/// Fails when an entry is not a MIME type.
pub fn listable(types: &[String]) -> Result<()> {
    match types.iter().find(|entry| !mime_type::is_listable(entry)) {
        Some(entry) => Err(ApiError::InvalidMimeType(entry.clone())),
        None => Ok(()),
    }
}
