//! The data that the gateway has loaded from the database.

use std::sync::Arc;

use tokio::sync::watch;

use crate::auth::Authenticator;
use crate::compiled::CompiledReads;
use crate::config::Config;
use crate::schema_cache::SchemaCache;
use crate::schema_cache::roles::RoleSettings;
use crate::state::descriptions::Descriptions;

/// The schema cache, with everything derived from the database settings.
pub struct Snapshot {
    pub cache: Arc<SchemaCache>,
    pub roles: RoleSettings,
    pub config: Config,
    pub authenticator: Authenticator,
    pub reads: CompiledReads,
    pub descriptions: Descriptions,
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
