//! The state shared by all handlers.

use std::sync::Arc;

use ipnet::IpNet;
use platform::clock::Clock;
use platform::database::Pool;
use platform::jwt::JwtKeys;
use tokio::sync::{Semaphore, mpsc};

use crate::backend::Backend;
use crate::config::Quota;
use crate::domain::version::Version;
use crate::error::{ApiError, Result};
use crate::memory::Memory;
use crate::render::Renderer;
use crate::render::variants::Variants;
use crate::staging::Staging;
use crate::store::buckets::{self, Bucket};
use crate::store::public_objects::PublicObjects;

pub type AppState = Arc<Shared>;

pub struct Shared {
    /// Connects as `storage_admin`, which sees every row. `Caller::begin` applies the caller's permissions.
    pub pool: Pool,
    pub keys: JwtKeys,
    pub clock: Clock,
    pub backend: Arc<dyn Backend>,
    pub staging: Staging,
    pub variants: Variants,
    pub renderer: Renderer,
    /// Images, with their sizes in bytes, to render before they are requested.
    pub uploads: mpsc::Sender<(Version, u64)>,
    pub max_object_bytes: u64,
    pub memory: Memory,
    pub public_objects: PublicObjects,
    pub image_buckets: Vec<String>,
    pub trusted_proxies: Vec<IpNet>,
    pub quota: Quota,
    /// Limits how many images are cleaned at a time, because each is held in memory.
    pub cleaning: Semaphore,
}

impl Shared {
    pub async fn bucket(&self, id: &str) -> Result<Bucket> {
        buckets::find(&mut *self.pool.acquire().await?, id).await?.ok_or(ApiError::NoSuchBucket)
    }

    /// Whether a bucket's content is checked to be images.
    pub fn is_for_images(&self, bucket: &str) -> bool {
        self.image_buckets.iter().any(|images| images == bucket)
    }
}
