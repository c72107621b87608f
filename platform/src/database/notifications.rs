//! Receives the notifications of one channel on a dedicated connection.

use std::io;
use std::time::Duration;

use sqlx::postgres::{PgListener, PgNotification};
use tokio::time::timeout;

use super::Pool;

/// A connection that has received nothing for this long is probed.
const PROBE_AFTER: Duration = Duration::from_secs(10);

pub struct Notifications {
    listener: PgListener,
    /// The timeout for connecting and for the response to a probe.
    limit: Duration,
}

impl Notifications {
    /// Starts listening to a channel. Uses a separate pool, because sqlx would return an unresponsive
    /// connection to `pool`, where it would occupy a slot.
    ///
    /// # Errors
    /// Fails when the database does not respond within `pool`'s timeout for connecting.
    pub async fn listen(pool: &Pool, channel: &str) -> sqlx::Result<Self> {
        let limit = pool.limits().connect;
        let listening = async {
            let mut listener = PgListener::connect_with(&pool.database().listener_pool().await?).await?;
            // A new connection may need another host, and earlier notifications are lost.
            listener.eager_reconnect(false);
            listener.listen(channel).await?;
            sqlx::Result::Ok(listener)
        };
        Ok(Self { listener: limited(limit, listening).await?, limit })
    }

    /// Waits for the next notification.
    ///
    /// # Errors
    /// Fails when the connection has ended. Notifications are then lost until the next [`Self::listen`].
    pub async fn next(&mut self) -> sqlx::Result<PgNotification> {
        loop {
            match timeout(PROBE_AFTER, self.listener.try_recv()).await {
                Ok(received) => {
                    return received?.ok_or_else(|| sqlx::Error::Io(io::ErrorKind::ConnectionReset.into()));
                }
                // Either there was no notification or the connection is dead. A probe finds out which.
                Err(_) => {
                    limited(self.limit, sqlx::query("select").execute(&mut self.listener)).await?;
                }
            }
        }
    }
}

async fn limited<T>(limit: Duration, answer: impl Future<Output = sqlx::Result<T>>) -> sqlx::Result<T> {
    let answer = timeout(limit, answer).await;
    answer.unwrap_or_else(|_| Err(sqlx::Error::Io(io::ErrorKind::TimedOut.into())))
}
