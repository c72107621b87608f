//! Keeps the schema cache current: loads it at the start, and again when the database says
//! `notify pgrst, 'reload schema'`. The connection that listens is made again whenever it breaks.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use tokio::sync::{mpsc, watch};
use tokio_postgres::{AsyncMessage, Client, NoTls};

use super::SchemaCache;
use super::load::{self, LoadError, Visible};
use super::roles::{self, RoleSettings};
use crate::config::database::DatabaseConfig;
use crate::query::fragment::quoted;

/// All that is known of the database.
#[derive(Debug)]
pub struct Known {
    pub cache: Arc<SchemaCache>,
    pub roles: RoleSettings,
}

pub type Current = watch::Receiver<Option<Arc<Known>>>;

const FIRST_WAIT: Duration = Duration::from_millis(200);
const LONGEST_WAIT: Duration = Duration::from_secs(32);

/// Runs until it is aborted.
pub async fn keep_current(config: DatabaseConfig, current: watch::Sender<Option<Arc<Known>>>) {
    let mut wait = FIRST_WAIT;
    loop {
        let loaded_before = current.borrow().clone();
        match listen(&config, &current).await {
            Ok(()) => return,
            Err(error) => {
                tracing::warn!(%error, "the schema cache's connection failed, trying again in {wait:?}");
            }
        }
        let loaded_since =
            current.borrow().as_ref().map(Arc::as_ptr) != loaded_before.as_ref().map(Arc::as_ptr);
        wait = if loaded_since { FIRST_WAIT } else { (wait * 2).min(LONGEST_WAIT) };
        tokio::time::sleep(wait).await;
    }
}

/// Loads once, then after every notification. Ends well only when nobody is to be listened to.
async fn listen(
    config: &DatabaseConfig,
    current: &watch::Sender<Option<Arc<Known>>>,
) -> Result<(), LoadError> {
    let (mut client, mut connection) = config.connection.connect(NoTls).await?;
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
    if let Some(channel) = &config.channel {
        client.batch_execute(&format!("LISTEN {}", quoted(channel))).await?;
    }
    load_all(&mut client, config, current).await?;
    if config.channel.is_none() {
        return Ok(());
    }
    while let Some(first) = notifications.recv().await {
        let mut wanted = Wanted::default();
        wanted.add(&first);
        while let Ok(more) = notifications.try_recv() {
            wanted.add(&more);
        }
        if wanted.schema {
            load_all(&mut client, config, current).await?;
        } else if wanted.config {
            load_roles(&client, current).await?;
        }
    }
    match driver.await {
        Ok(Some(error)) => Err(error.into()),
        _ => Err(LoadError::ConnectionClosed),
    }
}

#[derive(Default)]
struct Wanted {
    schema: bool,
    config: bool,
}

impl Wanted {
    fn add(&mut self, payload: &str) {
        self.schema |= matches!(payload, "" | "reload schema");
        self.config |= matches!(payload, "" | "reload config");
    }
}

async fn load_all(
    client: &mut Client,
    config: &DatabaseConfig,
    current: &watch::Sender<Option<Arc<Known>>>,
) -> Result<(), LoadError> {
    let visible = Visible {
        schemas: &config.schemas,
        extra_search_path: &config.extra_search_path,
        hoisted_settings: &config.hoisted_settings,
    };
    let cache = load::load(client, &visible).await?;
    let roles = roles::load(client).await?;
    tracing::info!(
        tables = cache.tables.values().map(|tables| tables.len()).sum::<usize>(),
        "schema cache loaded"
    );
    current.send_replace(Some(Arc::new(Known { cache: Arc::new(cache), roles })));
    Ok(())
}

/// Settings of roles changed, the schema did not; but both are handed out together.
async fn load_roles(client: &Client, current: &watch::Sender<Option<Arc<Known>>>) -> Result<(), LoadError> {
    let roles = roles::load(client).await?;
    let Some(known) = current.borrow().clone() else { return Ok(()) };
    let cache = Arc::clone(&known.cache);
    current.send_replace(Some(Arc::new(Known { cache, roles })));
    Ok(())
}
