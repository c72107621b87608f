//! Listens for changes of objects and buckets, and for this replica's own renewals.

use std::io;
use std::time::Duration;

use platform::database::Pool;
use sqlx::postgres::PgListener;
use tokio::time::{sleep, timeout};

use super::Inner;
use crate::store::leases::{self, CHANNEL, Notification};

/// After a connection ended.
const PAUSE: Duration = Duration::from_secs(1);
/// A connection that has received nothing for this long is probed.
const PROBE_AFTER: Duration = Duration::from_secs(10);

/// Runs until it is aborted.
pub(super) async fn listen(memory: &Inner, pool: &Pool) {
    loop {
        let ended = listen_until_error(memory, pool).await;
        memory.lease.listening_ends();
        if let Err(error) = ended {
            tracing::warn!(%error, "can't listen for changes of images; asking the database for each");
        }
        sleep(PAUSE).await;
    }
}

async fn listen_until_error(memory: &Inner, pool: &Pool) -> sqlx::Result<()> {
    let listening = async {
        let mut listener = PgListener::connect_with(&pool.database().listener_pool().await?).await?;
        // A new connection may need another host, and has missed notifications.
        listener.eager_reconnect(false);
        listener.listen(CHANNEL).await?;
        sqlx::Result::Ok(listener)
    };
    let mut listener = limited(pool, listening).await?;
    // From here on, changes arrive. Earlier ones may have been missed.
    memory.forget_everything();
    limited(pool, async { leases::prune(&mut *pool.acquire().await?).await }).await?;
    memory.lease.listening_begins();
    loop {
        match timeout(PROBE_AFTER, listener.try_recv()).await {
            Ok(received) => {
                let received =
                    received?.ok_or_else(|| sqlx::Error::Io(io::ErrorKind::ConnectionReset.into()))?;
                apply(memory, received.payload());
            }
            Err(_) => {
                limited(pool, sqlx::query("select").execute(&mut listener)).await?;
            }
        }
    }
}

fn apply(memory: &Inner, payload: &str) {
    match Notification::parse(payload) {
        Notification::Changed(key) => memory.forget(key),
        Notification::Renewed(replica, number) if replica == memory.replica => memory.lease.arrived(number),
        Notification::Renewed(..) => (),
        Notification::Everything => memory.forget_everything(),
    }
}

async fn limited<T>(pool: &Pool, answer: impl Future<Output = sqlx::Result<T>>) -> sqlx::Result<T> {
    let answer = timeout(pool.limits().connect, answer).await;
    answer.unwrap_or_else(|_| Err(sqlx::Error::Io(io::ErrorKind::TimedOut.into())))
}
