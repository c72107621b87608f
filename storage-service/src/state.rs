//! The state shared by all handlers.

use std::sync::Arc;

use ipnet::IpNet;
use platform::clock::Clock;
use platform::database::Pool;
use platform::jwt::JwtKeys;
use tokio::sync::Semaphore;

use crate::backend::Backend;
use crate::config::Quota;
use crate::memory::Memory;
use crate::render::variants::Variants;
use crate::render::{Ahead, Renderer};
use crate::staging::Staging;
use crate::store::public_objects::PublicObjects;

#[derive(Clone)]
pub struct AppState(Arc<Shared>);

pub struct Shared {
    /// Connects as `storage_admin`, which sees every row. `Caller::begin` applies the caller's permissions.
    pub pool: Pool,
    pub keys: JwtKeys,
    pub clock: Clock,
    pub backend: Arc<dyn Backend>,
    pub staging: Staging,
    pub variants: Variants,
    pub renderer: Renderer,
    /// Uploaded images to render before they are requested.
    pub ahead: Ahead,
    pub max_object_bytes: u64,
    pub memory: Memory,
    pub public_objects: PublicObjects,
    pub image_buckets: Vec<String>,
    pub trusted_proxies: Vec<IpNet>,
    pub quota: Quota,
    /// Limits how many images are cleaned at a time, because each is held in memory.
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
