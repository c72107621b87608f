//! Keeps the schema cache current: loads it at the start, and again when the database says
//! `notify pgrst, 'reload schema'` or `'reload config'`. The connection that listens is made again whenever it breaks.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use platform::clock::Clock;
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;
use tokio_postgres::{AsyncMessage, Client, NoTls};

use super::SchemaCache;
use super::load::{self, LoadError, Visible};
use super::roles::{self, RoleSettings};
use crate::auth::Authenticator;
use crate::config::Config;
use crate::query::fragment::quoted;

/// All that is known of the database, and what follows from the settings it keeps.
pub struct Known {
    pub cache: SchemaCache,
    pub roles: RoleSettings,
    pub config: Config,
    pub authenticator: Authenticator,
}

pub type Current = watch::Receiver<Option<Arc<Known>>>;

const FIRST_WAIT: Duration = Duration::from_millis(200);
/// A database that is there again is noticed soon.
const LONGEST_WAIT: Duration = Duration::from_secs(1);
/// To connect and sign in.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// To read the catalogue.
const LOAD_TIMEOUT: Duration = Duration::from_secs(60);
/// An outage is one line in the log, and one in so many attempts.
const LOGGED_ATTEMPTS: u32 = 60;

/// Runs until it is aborted.
pub async fn keep_current(config: Config, clock: Clock, current: watch::Sender<Option<Arc<Known>>>) {
    let keeper = Keeper { config, clock, current };
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
                    tracing::warn!(%error, "the schema cache's connection failed, trying again");
                }
            }
        }
        tokio::time::sleep(wait).await;
    }
}

struct Keeper {
    /// As the environment has it.
    config: Config,
    clock: Clock,
    current: watch::Sender<Option<Arc<Known>>>,
}

impl Keeper {
    /// Loads once, then after every notification. Ends well only when nobody is to be listened to.
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
        // Listen first: what changes while the catalogue is read is read again.
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
        let config = self.settled(client).await?;
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
        self.current.send_replace(Some(Arc::new(Known { cache, roles, config, authenticator })));
        Ok(())
    }

    /// The settings, those of the database among them. Malformed ones must not take down what runs.
    async fn settled(&self, client: &Client) -> Result<Config, LoadError> {
        if !self.config.asks_database {
            return Ok(self.config.clone());
        }
        let rows = client.query(include_str!("database_settings.sql"), &[]).await?;
        let said = rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?)));
        let said: Vec<(String, String)> = said.collect::<Result<_, tokio_postgres::Error>>()?;
        let changed = self.config.with_database_settings(&said);
        Ok(changed.unwrap_or_else(|error| {
            tracing::warn!(%error, "the settings in the database are ignored");
            self.config.clone()
        }))
    }
}

fn is_for_us(payload: &str) -> bool {
    matches!(payload, "" | "reload schema" | "reload config")
}
