//! What every handler shares.

use std::sync::Arc;

use platform::clock::Clock;
use platform::database::Pool;
use platform::jwt::JwtKeys;
use tokio::sync::Semaphore;

use crate::backend::Backend;
use crate::config::Quota;
use crate::render::Renderer;
use crate::render::variants::Variants;
use crate::staging::Staging;

#[derive(Clone)]
pub struct AppState(Arc<Shared>);

pub struct Shared {
    /// As `storage_admin`: sees every row. What a caller may do is asked in `Caller::begin`.
    pub pool: Pool,
    pub keys: JwtKeys,
    pub clock: Clock,
    pub backend: Arc<dyn Backend>,
    pub staging: Staging,
    pub variants: Variants,
    pub renderer: Renderer,
    pub max_object_bytes: u64,
    pub image_buckets: Vec<String>,
    pub quota: Quota,
    /// Cleaning holds a whole picture in memory; this many at a time.
    pub cleaning: Semaphore,
}

impl AppState {
    pub fn new(shared: Shared) -> Self {
        Self(Arc::new(shared))
    }
}

impl std::ops::Deref for AppState {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}
