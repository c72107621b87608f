//! Keeps the snapshot current: loads it at startup, on `notify pgrst, 'reload schema'` or `'reload config'`, and
//! on request. The listening connection is reopened whenever it breaks.

use std::sync::Arc;
use std::time::{Duration, Instant};

use platform::clock::Clock;
use quick_cache::sync::Cache;
use tokio::time::timeout;
use tokio_postgres::Client;

use super::health::{Endpoint, Health};
use super::listener::Listener;
use super::reload_requests::{Reload, ReloadRequests};
use super::snapshot::{Publisher, Schema, Snapshot};
use crate::auth::Authenticator;
use crate::compiled::CompiledReads;
use crate::config::Config;
use crate::config::server::{LogLevel, STATUS_LOG};
use crate::log::on_one_line;
use crate::metrics::Metrics;
use crate::pool::Pool;
use crate::schema_cache::SchemaCache;
use crate::schema_cache::load::{self, LoadError};
use crate::schema_cache::roles;
use crate::wire::connect::{open_client, separates_statements};

use super::database_settings;
use super::session_error::SessionError;

const MIN_BACKOFF: Duration = Duration::from_millis(200);
/// Short, so that the gateway recovers soon after the database does.
const MAX_BACKOFF: Duration = Duration::from_secs(1);
/// The pause after the catalog could not be read. A notification ends it.
const LOAD_PAUSE: Duration = Duration::from_secs(2);
/// Timeout for reading the catalog.
const LOAD_TIMEOUT: Duration = Duration::from_secs(60);
/// Timeout for checking the pooler.
const POOLER_TIMEOUT: Duration = Duration::from_secs(5);
/// Enough for the roles of an API. A large schema's description takes 20 MB.
const MAX_DESCRIPTIONS: usize = 4;
/// During an outage only every nth attempt is logged.
const LOGGED_ATTEMPTS: u32 = 60;

pub struct Reloader {
    /// The configuration from the file and the environment.
    pub config: Config,
    pub clock: Clock,
    pub current: Publisher,
    pub pool: Arc<Pool>,
    pub requests: ReloadRequests,
    pub health: Health,
    pub metrics: Arc<Metrics>,
}

impl Reloader {
    /// Runs until it is aborted, or until a connection is lost and recovery is disabled.
    pub async fn run(mut self) {
        let mut backoff = MIN_BACKOFF;
        let mut attempts = 0;
        loop {
            let loaded_before = self.generation();
            let Err(error) = self.session().await else { continue };
            self.health.update(|now| now.is_connected = false);
            let loaded_since = self.generation() != loaded_before;
            (backoff, attempts) =
                if loaded_since { (MIN_BACKOFF, 0) } else { ((backoff * 2).min(MAX_BACKOFF), attempts + 1) };
            if attempts % LOGGED_ATTEMPTS <= 1 {
                tracing::warn!(target: STATUS_LOG, "{}", error.describe(&self.config.database));
            }
            if matches!(error, SessionError::Load(_)) {
                self.health.update(|now| now.has_attempted = true);
            }
            if self.must_stop(&error) {
                self.health.update(|now| now.has_given_up = true);
                return;
            }
            let pause = if error.is_of_database() { LOAD_PAUSE } else { backoff };
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                () = self.requests.wait() => {}
            }
        }
    }

    fn generation(&self) -> Option<u64> {
        self.current.borrow().schema.as_ref().map(|schema| schema.generation)
    }

    /// Like PostgREST, a standalone gateway does not retry a wrong password.
    fn must_stop(&self, error: &SessionError) -> bool {
        if error.is_permanent() && !self.health.is(|now| now.endpoint == Endpoint::Embedded) {
            return true;
        }
        if !self.config.database.automatic_recovery {
            tracing::error!(target: STATUS_LOG, "Automatic recovery disabled, exiting.");
        }
        !self.config.database.automatic_recovery
    }

    /// Loads the snapshot once and then on request. Returns when the next load needs a new listening connection.
    async fn session(&mut self) -> Result<(), SessionError> {
        if self.requests.take().config {
            self.reread();
        }
        let channel = self.config.database.channel.clone();
        // Listen first, so that a change during the load triggers another load.
        let mut listener = match &channel {
            Some(channel) => Listener::open(&self.config.database, channel, &self.requests).await?,
            None => None,
        };
        if self.generation().is_none() {
            self.check_pooler().await?;
        }
        self.load(Reload { schema: true, config: true }).await?;
        self.health.update(|now| now.is_connected = true);
        loop {
            match &mut listener {
                // Don't keep a connection only to wait.
                None => self.requests.wait().await,
                Some(listener) => tokio::select! {
                    () = self.requests.wait() => {}
                    error = listener.ended() => return Err(error),
                },
            }
            let wanted = self.requests.take();
            if wanted.config {
                self.reread();
            }
            self.load(wanted).await?;
            if self.config.database.channel != channel {
                return Ok(());
            }
        }
    }

    /// Fails only if the pooler mixes up prepared statements. Requests report all other problems of their
    /// connections.
    async fn check_pooler(&self) -> Result<(), SessionError> {
        let database = &self.config.database;
        if !database.prepared_statements {
            return Ok(());
        }
        match timeout(POOLER_TIMEOUT, separates_statements(&database.connection)).await {
            Ok(Ok(false)) => Err(SessionError::Pooler),
            _ => Ok(()),
        }
    }

    /// Reads the configuration file again. An invalid one must not stop a running gateway.
    fn reread(&mut self) {
        match self.config.reread() {
            Ok(mut config) => {
                // The pool keeps its connections.
                config.database.connection = self.config.database.connection.clone();
                config.database.direct = self.config.database.direct.clone();
                config.database.replicas = self.config.database.replicas.clone();
                config.database.uri = self.config.database.uri.clone();
                self.config = config;
            }
            Err(error) => {
                tracing::warn!(target: STATUS_LOG, "Failed reloading config: Error in config {error}");
            }
        }
    }

    /// Loads on a separate connection, which has the login role's current settings.
    async fn load(&self, wanted: Reload) -> Result<(), SessionError> {
        let loaded = match timeout(LOAD_TIMEOUT, self.connect_and_load(wanted)).await {
            Ok(loaded) => loaded,
            Err(_) => Err(LoadError::Timeout.into()),
        };
        if let Err(SessionError::Load(_)) = &loaded {
            self.metrics.schema_cache_failures.increment(1);
            self.health.update(|now| now.is_loaded = false);
        }
        loaded
    }

    async fn connect_and_load(&self, wanted: Reload) -> Result<(), SessionError> {
        let (mut client, connection) = open_client(&self.config.database.direct).await?;
        let driver = tokio::spawn(connection);
        let loaded = self.load_parts(&mut client, wanted).await;
        drop(client);
        driver.abort();
        if let Some(took) = loaded? {
            self.metrics.schema_cache_loaded(took);
        }
        self.health.update(|now| (now.is_loaded, now.has_attempted) = (true, true));
        Ok(())
    }

    /// Returns how long the schema cache took to load, if it was loaded.
    async fn load_parts(&self, client: &mut Client, wanted: Reload) -> Result<Option<Duration>, LoadError> {
        let before = self.current.borrow().clone();
        let loaded = before.schema.as_ref();
        if loaded.is_none() {
            let version: String = client.query_one("select version()", &[]).await?.try_get(0)?;
            tracing::info!(target: STATUS_LOG, "Successfully connected to {version}");
        }
        // Files that settings name are read again only with the configuration.
        let is_unchanged = loaded.is_some() && !wanted.config && !self.config.loads_database_settings;
        let config = match is_unchanged {
            true => before.config.clone(),
            false => self.effective_config(client, &before.config, wanted.config).await?,
        };
        let authenticator = || Authenticator::new(&config, self.clock.clone(), Arc::clone(&self.metrics));
        if loaded.is_none() {
            // The settings apply to requests that get 503.
            let early = Snapshot { config: config.clone(), authenticator: authenticator()?, schema: None };
            self.current.send_replace(Arc::new(early));
        }
        let reusable =
            loaded.filter(|_| !wanted.schema && load::is_same(&before.config.database, &config.database));
        let loads = reusable.is_none();
        let began = Instant::now();
        let generation = loaded.map_or(0, |loaded| loaded.generation + u64::from(loads));
        let authenticator = authenticator()?;
        let cache = match reusable {
            Some(loaded) => Arc::clone(&loaded.cache),
            None => Arc::new(load_cache(client, &config).await?),
        };
        let roles = roles::load(client).await?;
        let (reads, descriptions) = (CompiledReads::default(), Cache::new(MAX_DESCRIPTIONS));
        let schema = Some(Schema { cache, roles, reads, descriptions, generation });
        if wanted.schema {
            // New connections have the login role's current settings, and prepare statements with the current types.
            // If they were opened before the load, both would compete for the processors.
            self.pool.flush();
        }
        self.current.send_replace(Arc::new(Snapshot { config, authenticator, schema }));
        Ok(loads.then(|| began.elapsed()))
    }

    /// Applies the settings from the database. If one is malformed, a running gateway keeps its current
    /// settings.
    async fn effective_config(
        &self,
        client: &mut Client,
        before: &Config,
        is_requested: bool,
    ) -> Result<Config, LoadError> {
        let settings = if self.config.loads_database_settings {
            database_settings::read(client, &self.config).await?
        } else {
            Vec::new()
        };
        match self.config.with_database_settings(&settings) {
            Ok(config) => {
                if is_requested {
                    warn_of_legacy_path(&config);
                    tracing::info!(target: STATUS_LOG, "Config reloaded");
                }
                Ok(config)
            }
            Err(error) => {
                tracing::warn!(target: STATUS_LOG, "Failed reloading config: Error in config {error}");
                Ok(before.clone())
            }
        }
    }
}

fn warn_of_legacy_path(config: &Config) {
    let claim = &config.jwt.role_claim;
    if claim.is_legacy() {
        tracing::warn!(
            target: STATUS_LOG,
            "WARNING: The config `jwt-role-claim-key={claim}` is using the deprecated JSPath syntax."
        );
        tracing::warn!(
            target: STATUS_LOG,
            "Update `jwt-role-claim-key={claim}` to the new JSONPath syntax as support for JSPath will be removed in a \
             future release. See the migration guide on how to update: \
             https://github.com/PostgREST/postgrest/blob/main/CHANGELOG.md#migration-to-v16"
        );
    }
}

async fn load_cache(client: &mut Client, config: &Config) -> Result<SchemaCache, LoadError> {
    let milliseconds = |duration: Duration| format!("{:.1}", duration.as_secs_f64() * 1000.0);
    let began = Instant::now();
    let (cache, timings) = load::load(client, &config.database).await?;
    if config.server.log_query && config.server.log_level >= LogLevel::Info {
        for query in load::QUERIES {
            tracing::info!(target: STATUS_LOG, "{}", on_one_line(query));
        }
    }
    tracing::info!(target: STATUS_LOG, "Schema cache queried in {} milliseconds", milliseconds(began.elapsed()));
    let parts: Vec<String> =
        timings.iter().map(|(name, took)| format!("{name}: {} ms", milliseconds(*took))).collect();
    tracing::debug!(target: STATUS_LOG, "{}", parts.join(", "));
    tracing::info!(target: STATUS_LOG, "Schema cache loaded {}", cache.summary());
    tracing::info!(target: STATUS_LOG, "Schema cache loaded in {} milliseconds", milliseconds(began.elapsed()));
    Ok(cache)
}
