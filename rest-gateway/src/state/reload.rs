//! Keeps the snapshot current: loads it at startup and on `notify pgrst, 'reload schema'` or `'reload
//! config'`. The listening connection is reopened whenever it breaks.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use platform::clock::Clock;
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;
use tokio_postgres::{AsyncMessage, Client, NoTls};

use super::snapshot::Snapshot;
use crate::auth::Authenticator;
use crate::compiled::CompiledReads;
use crate::config::Config;
use crate::query::fragment::quoted;
use crate::schema_cache::load::{self, LoadError, Visible};
use crate::schema_cache::roles;

const FIRST_WAIT: Duration = Duration::from_millis(200);
/// Keeps the delay short, so that the gateway recovers soon after the database does.
const LONGEST_WAIT: Duration = Duration::from_secs(1);
/// Timeout for connecting and authenticating.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Timeout for reading the catalog.
const LOAD_TIMEOUT: Duration = Duration::from_secs(60);
/// During an outage only every nth attempt is logged.
const LOGGED_ATTEMPTS: u32 = 60;

/// Runs until it is aborted.
pub async fn keep_current(config: Config, clock: Clock, current: watch::Sender<Option<Arc<Snapshot>>>) {
    let keeper = Reloader { config, clock, current };
    let mut wait = FIRST_WAIT;
    let mut attempts = 0;
    loop {
        let loaded_before = keeper.current.borrow().clone();
        match keeper.listen().await {
            Ok(()) => return,
            Err(error) => {
                let loaded_since = keeper.current.borrow().as_ref().map(Arc::as_ptr)
                    != loaded_before.as_ref().map(Arc::as_ptr);
                (wait, attempts) =
                    if loaded_since { (FIRST_WAIT, 0) } else { ((wait * 2).min(LONGEST_WAIT), attempts + 1) };
                if attempts % LOGGED_ATTEMPTS <= 1 {
                    tracing::warn!(%error, "the schema cache connection failed, retrying");
                }
            }
        }
        tokio::time::sleep(wait).await;
    }
}

struct Reloader {
    /// The configuration from the environment.
    config: Config,
    clock: Clock,
    current: watch::Sender<Option<Arc<Snapshot>>>,
}

impl Reloader {
    /// Loads once, then after every notification. Returns `Ok` only when listening is disabled.
    async fn listen(&self) -> Result<(), LoadError> {
        let database = &self.config.database;
        let connecting = timeout(CONNECT_TIMEOUT, database.connection.connect(NoTls));
        let (mut client, mut connection) = connecting.await.map_err(|_| LoadError::Silent)??;
        let (notify, mut notifications) = mpsc::unbounded_channel();
        let driver = tokio::spawn(async move {
            let mut messages = futures::stream::poll_fn(move |context| connection.poll_message(context));
            while let Some(message) = messages.next().await {
                match message {
                    Ok(AsyncMessage::Notification(notification)) => {
                        let _ = notify.send(notification.payload().to_owned());
                    }
                    Ok(_) => {}
                    Err(error) => return Some(error),
                }
            }
            None
        });
        // Listen first, so that changes during the load trigger another one.
        if let Some(channel) = &database.channel {
            client.batch_execute(&format!("LISTEN {}", quoted(channel))).await?;
        }
        self.load_in_time(&mut client).await?;
        if database.channel.is_none() {
            return Ok(());
        }
        while let Some(first) = notifications.recv().await {
            let mut wanted = is_for_us(&first);
            while let Ok(more) = notifications.try_recv() {
                wanted |= is_for_us(&more);
            }
            if wanted {
                self.load_in_time(&mut client).await?;
            }
        }
        match driver.await {
            Ok(Some(error)) => Err(error.into()),
            _ => Err(LoadError::ConnectionClosed),
        }
    }

    async fn load_in_time(&self, client: &mut Client) -> Result<(), LoadError> {
        timeout(LOAD_TIMEOUT, self.load(client)).await.unwrap_or(Err(LoadError::Silent))
    }

    async fn load(&self, client: &mut Client) -> Result<(), LoadError> {
        let config = self.effective_config(client).await?;
        let visible = Visible {
            schemas: &config.database.schemas,
            extra_search_path: &config.database.extra_search_path,
            hoisted_settings: &config.database.hoisted_settings,
        };
        let cache = load::load(client, &visible).await?;
        let roles = roles::load(client).await?;
        let authenticator = Authenticator::new(&config, self.clock.clone())?;
        let tables: usize = cache.tables.values().map(|tables| tables.len()).sum();
        tracing::info!(tables, "schema cache loaded");
        let generation = self.current.borrow().as_ref().map_or(0, |previous| previous.generation + 1);
        let snapshot =
            Snapshot { cache, roles, config, authenticator, reads: CompiledReads::default(), generation };
        self.current.send_replace(Some(Arc::new(snapshot)));
        Ok(())
    }

    /// Applies the settings from the database. Malformed ones must not stop a running gateway.
    async fn effective_config(&self, client: &Client) -> Result<Config, LoadError> {
        if !self.config.asks_database {
            return Ok(self.config.clone());
        }
        let rows = client.query(include_str!("database_settings.sql"), &[]).await?;
        let settings = rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?)));
        let settings: Vec<(String, String)> = settings.collect::<Result<_, tokio_postgres::Error>>()?;
        let changed = self.config.with_database_settings(&settings);
        Ok(changed.unwrap_or_else(|error| {
            tracing::warn!(%error, "ignoring the invalid settings in the database");
            self.config.clone()
        }))
    }
}

fn is_for_us(payload: &str) -> bool {
    matches!(payload, "" | "reload schema" | "reload config")
}
