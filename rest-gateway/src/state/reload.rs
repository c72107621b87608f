//! Keeps the snapshot current: loads it at startup, on `notify pgrst, 'reload schema'` or `'reload config'`, and
//! on request. The listening connection is reopened whenever it breaks.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::StreamExt;
use platform::clock::Clock;
use tokio::task::AbortHandle;
use tokio::time::timeout;
use tokio_postgres::{AsyncMessage, Client, Connection, NoTls, Socket};

use super::health::Health;
use super::reload_requests::{Reload, ReloadRequests};
use super::snapshot::{Publisher, Snapshot};
use crate::auth::Authenticator;
use crate::compiled::CompiledReads;
use crate::config::Config;
use crate::config::server::STATUS_LOG;
use crate::metrics::Metrics;
use crate::query::fragment::quoted;
use crate::schema_cache::SchemaCache;
use crate::schema_cache::load::{self, LoadError, LoadScope};
use crate::schema_cache::roles;

use super::database_settings;

const MIN_BACKOFF: Duration = Duration::from_millis(200);
/// Short, so that the gateway recovers soon after the database does.
const MAX_BACKOFF: Duration = Duration::from_secs(1);
/// Timeout for connecting and authenticating.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Timeout for reading the catalog.
const LOAD_TIMEOUT: Duration = Duration::from_secs(60);
/// During an outage only every nth attempt is logged.
const LOGGED_ATTEMPTS: u32 = 60;

pub struct Reloader {
    /// The configuration from the file and the environment.
    pub config: Config,
    pub clock: Clock,
    pub current: Publisher,
    pub requests: ReloadRequests,
    pub health: Health,
    pub metrics: Arc<Metrics>,
}

/// The task that drives the listening connection. It ends with the connection.
struct Driver(AbortHandle);

impl Drop for Driver {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Reloader {
    /// Runs until it is aborted, or until a connection is lost and recovery is disabled.
    pub async fn run(mut self) {
        let mut backoff = MIN_BACKOFF;
        let mut attempts = 0;
        loop {
            let loaded_before = self.current.borrow().clone();
            let Err(error) = self.session().await else { continue };
            self.health.set_connected(false);
            let loaded_since =
                self.current.borrow().as_ref().map(Arc::as_ptr) != loaded_before.as_ref().map(Arc::as_ptr);
            (backoff, attempts) =
                if loaded_since { (MIN_BACKOFF, 0) } else { ((backoff * 2).min(MAX_BACKOFF), attempts + 1) };
            if !self.config.database.automatic_recovery {
                tracing::error!(%error, "the schema cache connection failed; automatic recovery is disabled, exiting");
                self.health.give_up();
                return;
            }
            if attempts % LOGGED_ATTEMPTS <= 1 {
                tracing::warn!(%error, "the schema cache connection failed, retrying");
            }
            tokio::time::sleep(backoff).await;
        }
    }

    /// Loads the snapshot once and then on request. Returns when the next load needs a new connection.
    async fn session(&mut self) -> Result<(), LoadError> {
        if self.requests.take().config {
            self.reread();
        }
        let database = &self.config.database;
        let connecting = timeout(CONNECT_TIMEOUT, database.connection.connect(NoTls));
        let (mut client, connection) = connecting.await.map_err(|_| LoadError::Timeout)??;
        let mut driver = tokio::spawn(drive(connection, self.requests.clone()));
        let _driver = Driver(driver.abort_handle());
        // Listen first, so that a change during the load triggers another load.
        let channel = database.channel.clone();
        if let Some(channel) = &channel {
            client.batch_execute(&format!("LISTEN {}", quoted(channel))).await?;
            tracing::info!(target: STATUS_LOG, "Listening for database notifications on the \"{channel}\" channel");
        }
        self.load(&mut client, Reload { schema: true, config: true }).await?;
        self.health.set_connected(true);
        if channel.is_none() {
            // Don't keep a connection only to wait.
            drop(client);
            self.requests.wait().await;
            return Ok(());
        }
        loop {
            tokio::select! {
                () = self.requests.wait() => {}
                ended = &mut driver => return match ended {
                    Ok(Some(error)) => Err(error.into()),
                    _ => Err(LoadError::ConnectionClosed),
                },
            }
            let wanted = self.requests.take();
            if wanted.config {
                self.reread();
                if self.config.database.channel != channel {
                    return Ok(());
                }
            }
            self.load(&mut client, wanted).await?;
            if wanted.config {
                tracing::info!(target: STATUS_LOG, "Config reloaded");
            }
        }
    }

    /// Reads the configuration file again. An invalid one must not stop a running gateway.
    fn reread(&mut self) {
        match self.config.reread() {
            Ok(mut config) => {
                // The pool keeps its connections.
                config.database.connection = self.config.database.connection.clone();
                config.database.uri = self.config.database.uri.clone();
                self.config = config;
            }
            Err(error) => tracing::warn!(target: STATUS_LOG, "Failed reloading config: {error}"),
        }
    }

    async fn load(&self, client: &mut Client, wanted: Reload) -> Result<(), LoadError> {
        let began = Instant::now();
        let loaded = timeout(LOAD_TIMEOUT, self.load_parts(client, wanted)).await;
        let loaded = loaded.unwrap_or(Err(LoadError::Timeout));
        match &loaded {
            Ok(true) => self.metrics.schema_cache_loaded(began.elapsed()),
            Ok(false) => (),
            Err(_) => self.metrics.schema_cache_failed(),
        }
        self.health.set_loaded(loaded.is_ok());
        loaded.map(drop)
    }

    /// Returns whether the schema cache was loaded.
    async fn load_parts(&self, client: &mut Client, wanted: Reload) -> Result<bool, LoadError> {
        let before = self.current.borrow().clone();
        let config = match &before {
            // Files that settings name are read again only with the configuration.
            Some(before) if !wanted.config && !self.config.loads_database_settings => before.config.clone(),
            _ => self.effective_config(client).await?,
        };
        let previous = before.as_ref().map(|before| before.generation);
        let reusable = before.filter(|before| {
            !wanted.schema && LoadScope::of(&before.config.database) == LoadScope::of(&config.database)
        });
        let loads = reusable.is_none();
        let generation = previous.map_or(0, |previous| previous + u64::from(loads));
        let cache = match reusable {
            Some(before) => Arc::clone(&before.cache),
            None => Arc::new(load_cache(client, &config).await?),
        };
        let roles = roles::load(client).await?;
        let authenticator = Authenticator::new(&config, self.clock.clone(), Arc::clone(&self.metrics))?;
        let reads = CompiledReads::default();
        let snapshot = Snapshot { cache, roles, config, authenticator, reads, generation };
        self.current.send_replace(Some(Arc::new(snapshot)));
        Ok(loads)
    }

    /// Applies the settings from the database. Malformed ones must not stop a running gateway.
    async fn effective_config(&self, client: &mut Client) -> Result<Config, LoadError> {
        if !self.config.loads_database_settings {
            return Ok(self.config.clone());
        }
        let settings = database_settings::read(client, &self.config).await?;
        let changed = self.config.with_database_settings(&settings);
        Ok(changed.unwrap_or_else(|error| {
            tracing::warn!(target: STATUS_LOG, %error, "ignoring the invalid settings in the database");
            self.config.clone()
        }))
    }
}

/// Returns the error that ended the connection.
async fn drive(
    mut connection: Connection<Socket, tokio_postgres::tls::NoTlsStream>,
    requests: ReloadRequests,
) -> Option<tokio_postgres::Error> {
    let mut messages = futures::stream::poll_fn(move |context| connection.poll_message(context));
    while let Some(message) = messages.next().await {
        match message {
            Ok(AsyncMessage::Notification(notification)) => {
                let wanted = Reload::from_payload(notification.payload());
                let what = if wanted.config { "config" } else { "schema cache" };
                if wanted != Reload::default() {
                    let channel = notification.channel();
                    tracing::info!(target: STATUS_LOG, "Received a {what} reload message on the \"{channel}\" channel");
                }
                requests.add(wanted);
            }
            Ok(_) => {}
            Err(error) => return Some(error),
        }
    }
    None
}

async fn load_cache(client: &mut Client, config: &Config) -> Result<SchemaCache, LoadError> {
    let began = Instant::now();
    let cache = load::load(client, &LoadScope::of(&config.database)).await?;
    let took = began.elapsed().as_secs_f64() * 1000.0;
    let tables: usize = cache.tables.values().map(|tables| tables.len()).sum();
    let routines: usize = cache.routines.values().map(|named| named.len()).sum();
    tracing::info!(target: STATUS_LOG, "Schema cache queried in {took:.1} milliseconds");
    tracing::info!(target: STATUS_LOG, "Schema cache loaded {tables} Relations, {routines} Functions");
    Ok(cache)
}
