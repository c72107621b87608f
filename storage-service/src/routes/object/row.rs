//! A row as returned by copies and deletions.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use crate::store::objects::Object;
use crate::times;

#[derive(Serialize)]
pub struct Row {
    name: String,
    bucket_id: String,
    owner: Option<Uuid>,
    owner_id: Option<String>,
    version: Option<String>,
    id: Uuid,
    #[serde(serialize_with = "times::serialize")]
    updated_at: DateTime<Utc>,
    #[serde(serialize_with = "times::serialize")]
    created_at: DateTime<Utc>,
    #[serde(serialize_with = "times::serialize")]
    last_accessed_at: DateTime<Utc>,
    metadata: Option<Value>,
    user_metadata: Option<Value>,
}

impl From<Object> for Row {
    fn from(object: Object) -> Self {
        Self {
            name: object.name,
            bucket_id: object.bucket_id,
            owner: object.owner,
            owner_id: object.owner_id,
            version: object.version,
            id: object.id,
            updated_at: object.updated_at,
            created_at: object.created_at,
            last_accessed_at: object.last_accessed_at,
            metadata: object.metadata,
            user_metadata: object.user_metadata,
        }
    }
}
