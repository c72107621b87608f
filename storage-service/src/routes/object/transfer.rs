//! What moving and copying share: two keys, and what the target bucket takes.

use serde::Deserialize;

use crate::domain::object_path::ObjectPath;
use crate::error::{ApiError, Result};
use crate::state::AppState;
use crate::store::buckets::{self, Bucket};
use crate::store::objects::Object;
use crate::upload::BucketRules;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Transfer {
    bucket_id: String,
    source_key: String,
    destination_key: String,
    destination_bucket: Option<String>,
}

pub struct Ends {
    pub source_bucket: String,
    pub source: ObjectPath,
    pub bucket: Bucket,
    pub path: ObjectPath,
}

impl Transfer {
    /// # Errors
    /// When a key is not well-formed or the target bucket is unknown.
    pub async fn ends(self, state: &AppState) -> Result<Ends> {
        let target = self.destination_bucket.as_deref().unwrap_or(&self.bucket_id);
        let bucket =
            buckets::find(&mut *state.pool.acquire().await?, target).await?.ok_or(ApiError::NoSuchBucket)?;
        let path = BucketRules::of(state, &bucket).path(&self.destination_key)?;
        Ok(Ends { source: ObjectPath::parse(&self.source_key)?, source_bucket: self.bucket_id, path, bucket })
    }
}

impl Ends {
    /// A bucket takes from another what it would take as an upload. A bucket of pictures takes nothing
    /// from others: there the bytes were not looked at.
    ///
    /// # Errors
    /// When the type or the size is not one that the target takes.
    pub fn check(&self, state: &AppState, object: &Object, mime_type: &str) -> Result<()> {
        if self.bucket.id == object.bucket_id {
            return Ok(());
        }
        let rules = BucketRules::of(state, &self.bucket);
        if rules.pictures_only {
            return Err(ApiError::InvalidMimeType(mime_type.to_owned()));
        }
        rules.check_declared_type(mime_type, self.path.is_folder_marker())?;
        if object.size() > rules.limit { Err(ApiError::TooLarge) } else { Ok(()) }
    }
}
