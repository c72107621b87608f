//! The data that the gateway has loaded from the database.

use std::sync::Arc;

use bytes::Bytes;
use quick_cache::sync::Cache;
use tokio::sync::watch;

use crate::auth::Authenticator;
use crate::compiled::CompiledReads;
use crate::config::Config;
use crate::schema_cache::SchemaCache;
use crate::schema_cache::roles::RoleSettings;

/// The effective settings, and what was loaded with them.
pub struct Snapshot {
    pub config: Config,
    pub authenticator: Authenticator,
    /// `None` until the schema cache is loaded.
    pub schema: Option<Schema>,
}

/// The schema cache, and what depends on it.
pub struct Schema {
    pub cache: Arc<SchemaCache>,
    pub roles: RoleSettings,
    pub reads: CompiledReads,
    /// OpenAPI descriptions, plain and compressed, by what the caller may see.
    pub descriptions: Cache<u64, (Bytes, Bytes)>,
    /// Increases whenever the schema cache is loaded.
    pub generation: u64,
}

pub type Current = watch::Receiver<Arc<Snapshot>>;

pub type Publisher = watch::Sender<Arc<Snapshot>>;
