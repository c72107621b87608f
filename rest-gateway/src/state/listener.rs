//! The connection that listens for notifications.

use std::time::Duration;

use futures::StreamExt;
use platform::database::{TargetSession, needs_primary};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_postgres::error::SqlState;
use tokio_postgres::tls::NoTlsStream;
use tokio_postgres::{AsyncMessage, Client, Connection};

use super::reload_requests::{Reload, ReloadRequests};
use super::session_error::SessionError;
use crate::config::connection::{ConnectionConfig, target};
use crate::config::database::DatabaseConfig;
use crate::config::server::STATUS_LOG;
use crate::query::fragment::quoted;
use crate::wire::Socket;
use crate::wire::connect::{ConnectError, open_client};

/// Timeout for connecting and authenticating.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

pub struct Listener {
    _client: Client,
    driver: JoinHandle<Option<tokio_postgres::Error>>,
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.driver.abort();
    }
}

impl Listener {
    /// Returns `None` when the only server is a standby, on which nothing can listen.
    pub async fn open(
        config: &DatabaseConfig,
        channel: &str,
        requests: &ReloadRequests,
    ) -> Result<Option<Self>, SessionError> {
        let connection = writable(&config.direct);
        let connecting = timeout(CONNECT_TIMEOUT, open_client(&connection)).await;
        let (client, driven) = match connecting {
            Ok(Ok(opened)) => opened,
            // The caller reports a wrong password differently.
            Ok(Err(error)) if error.is_wrong_password() => return Err(error.into()),
            Ok(Err(error)) => return Err(SessionError::Listen(error.to_string())),
            Err(_) => return Err(SessionError::Listen("timeout expired".to_owned())),
        };
        let driver = tokio::spawn(drive(driven, requests.clone()));
        let listener = Self { _client: client, driver };
        match listener.listen(&connection, channel).await {
            Ok(()) => Ok(Some(listener)),
            Err(error)
                if error.code() == Some(&SqlState::READ_ONLY_SQL_TRANSACTION) || is_standby(&error) =>
            {
                let problem = SessionError::Listen(ConnectError::from(error).to_string());
                tracing::warn!(target: STATUS_LOG, "{}", problem.describe(config));
                Ok(None)
            }
            Err(error) => Err(SessionError::Listen(ConnectError::from(error).to_string())),
        }
    }

    async fn listen(
        &self,
        connection: &ConnectionConfig,
        channel: &str,
    ) -> Result<(), tokio_postgres::Error> {
        let client = &self._client;
        let version: String = client.query_one("select version()", &[]).await?.try_get(0)?;
        // The last statement, by which operators can find the connection.
        client.batch_execute(&format!("LISTEN {}", quoted(channel))).await?;
        let [host, port, ..] = target(&connection.server);
        tracing::info!(
            target: STATUS_LOG,
            "Listener connected to {version} on \"{host}:{port}\" and listening for database notifications on the \
             \"{channel}\" channel"
        );
        Ok(())
    }

    /// Waits until the connection is lost.
    pub async fn ended(&mut self) -> SessionError {
        SessionError::Listen(match (&mut self.driver).await {
            Ok(Some(error)) => ConnectError::from(error).to_string(),
            _ => "the connection was closed".to_owned(),
        })
    }
}

/// Only a primary supports `LISTEN`.
fn writable(config: &ConnectionConfig) -> ConnectionConfig {
    let mut config = config.clone();
    if config.server.get_hosts().len() > 1 {
        config.wanted = TargetSession::ReadWrite;
    }
    config
}

fn is_standby(error: &tokio_postgres::Error) -> bool {
    error.as_db_error().is_some_and(|error| needs_primary(error.code().code(), error.routine()))
}

/// Returns the error that ended the connection.
async fn drive(
    mut connection: Connection<Socket, NoTlsStream>,
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
