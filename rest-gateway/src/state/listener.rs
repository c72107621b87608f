//! The connection that listens for notifications.

use std::time::Duration;

use platform::database::TargetSession;
use postgres_protocol::message::backend::Message;
use tokio::time::timeout;

use super::reload_requests::{Reload, ReloadRequests};
use super::session_error::SessionError;
use crate::config::connection::{ConnectionConfig, target};
use crate::config::database::DatabaseConfig;
use crate::config::server::STATUS_LOG;
use crate::query::fragment::quoted;
use crate::wire::error::{ServerError, WireError};
use crate::wire::{self, Connection};

/// Timeout for connecting and authenticating.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

pub struct Listener {
    connection: Connection,
    requests: ReloadRequests,
}

impl Listener {
    /// Returns `None` when the only server is a standby, on which nothing can listen.
    pub async fn open(
        config: &DatabaseConfig,
        channel: &str,
        requests: &ReloadRequests,
    ) -> Result<Option<Self>, SessionError> {
        let writable = writable(&config.direct);
        let mut connection = match timeout(CONNECT_TIMEOUT, wire::open(&writable)).await {
            Ok(Ok(connection)) => connection,
            // The caller reports a wrong password differently.
            Ok(Err(error)) if error.is_wrong_password() => return Err(error.into()),
            Ok(Err(error)) => return Err(SessionError::Listen(error.to_string())),
            Err(_) => return Err(SessionError::Listen("timeout expired".to_owned())),
        };
        match listen(&mut connection, &writable, channel).await {
            Ok(()) => Ok(Some(Self { connection, requests: requests.clone() })),
            Err(error) if error.is_of_standby() || error.has_code("25006") => {
                let problem = SessionError::Listen(error.to_string());
                tracing::warn!(target: STATUS_LOG, "{}", problem.describe(config));
                Ok(None)
            }
            Err(error) => Err(SessionError::Listen(error.to_string())),
        }
    }

    /// Requests the reloads that notifications ask for, until the connection is lost.
    pub async fn ended(&mut self) -> SessionError {
        loop {
            let notification = match self.connection.receive().await {
                Ok(Message::NotificationResponse(notification)) => notification,
                Ok(Message::ErrorResponse(body)) => {
                    let error = ServerError::parse(body.fields()).unwrap_or_default();
                    return SessionError::Listen(WireError::Server(Box::new(error)).to_string());
                }
                Ok(_) => continue,
                Err(error) => return SessionError::Listen(error.to_string()),
            };
            let wanted = Reload::from_payload(notification.message().unwrap_or_default());
            let what = if wanted.config { "config" } else { "schema cache" };
            if wanted != Reload::default() {
                let channel = notification.channel().unwrap_or_default();
                tracing::info!(target: STATUS_LOG, "Received a {what} reload message on the \"{channel}\" channel");
            }
            self.requests.add(wanted);
        }
    }
}

async fn listen(
    connection: &mut Connection,
    config: &ConnectionConfig,
    channel: &str,
) -> Result<(), WireError> {
    let version = connection.simple("select version()").await?.unwrap_or_default();
    // The last statement, by which operators can find the connection.
    connection.simple(&format!("LISTEN {}", quoted(channel))).await?;
    let [host, port, ..] = target(&config.server);
    tracing::info!(
        target: STATUS_LOG,
        "Listener connected to {version} on \"{host}:{port}\" and listening for database notifications on the \
         \"{channel}\" channel"
    );
    Ok(())
}

/// Only a primary supports `LISTEN`.
fn writable(config: &ConnectionConfig) -> ConnectionConfig {
    let mut config = config.clone();
    if config.server.get_hosts().len() > 1 {
        config.wanted = TargetSession::ReadWrite;
    }
    config
}
