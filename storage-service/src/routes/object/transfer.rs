//! The common part of moving and copying: two keys, and the rules of the target bucket.

use serde::Deserialize;

use crate::domain::mime_type;
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

pub struct TransferPaths {
    pub source_bucket: String,
    pub source: ObjectPath,
    pub bucket: Bucket,
    pub path: ObjectPath,
}

impl Transfer {
    /// # Errors
    /// Fails when a key is malformed or the target bucket is unknown.
    pub async fn ends(self, state: &AppState) -> Result<TransferPaths> {
        let target = self.destination_bucket.as_deref().unwrap_or(&self.bucket_id);
        let bucket =
            buckets::find(&mut *state.pool.acquire().await?, target).await?.ok_or(ApiError::NoSuchBucket)?;
        let path = BucketRules::of(state, &bucket).path(&self.destination_key)?;
        Ok(TransferPaths {
            source: ObjectPath::parse(&self.source_key)?,
            source_bucket: self.bucket_id,
            path,
            bucket,
        })
    }
}

impl TransferPaths {
    /// Checks the object against the target bucket's rules for uploads. An image bucket accepts nothing from
    /// other buckets, because the bytes have not been validated there.
    ///
    /// # Errors
    /// Fails when the target does not accept the type or size.
    pub fn check(&self, state: &AppState, object: &Object, mime_type: &str) -> Result<()> {
        let rules = BucketRules::of(state, &self.bucket);
        let marker = self.path.is_folder_marker();
        let allowed = marker || mime_type::allows(self.bucket.allowed_mime_types.as_deref(), mime_type);
        if !allowed || rules.pictures_only && !self.within_bucket(object) {
            return Err(ApiError::InvalidMimeType(mime_type.to_owned()));
        }
        let limit = if marker { 0 } else { rules.limit };
        if object.size() > limit { Err(ApiError::TooLarge) } else { Ok(()) }
    }

    pub fn within_bucket(&self, object: &Object) -> bool {
        self.bucket.id == object.bucket_id
    }
}
