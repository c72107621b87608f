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

/// The schema cache, with everything derived from the database settings.
pub struct Snapshot {
    pub cache: Arc<SchemaCache>,
    pub roles: RoleSettings,
    pub config: Config,
    pub authenticator: Authenticator,
    pub reads: CompiledReads,
    /// OpenAPI descriptions, plain and compressed, by what the caller may see.
    pub descriptions: Cache<u64, (Bytes, Bytes)>,
    /// Increases whenever the schema cache is loaded.
    pub generation: u64,
}

/// The settings from the database, before the schema cache is loaded.
pub struct EarlyState {
    pub config: Config,
    pub authenticator: Authenticator,
}

pub type Current = watch::Receiver<Option<Arc<Snapshot>>>;

pub type Publisher = watch::Sender<Option<Arc<Snapshot>>>;
