//! Listens for changes of objects and buckets, and for this replica's own renewals.

use std::time::Duration;

use platform::database::{Notifications, Pool};
use tokio::time::sleep;

use super::Inner;
use crate::store::leases::{self, CHANNEL, Notification};

/// Pause between the end of a connection and the next attempt.
const PAUSE: Duration = Duration::from_secs(1);

/// Runs until it is aborted.
pub(super) async fn listen(memory: &Inner, pool: &Pool) {
    loop {
        let ended = listen_until_error(memory, pool).await;
        memory.lease.listening_ends();
        if let Err(error) = ended {
            tracing::warn!(%error, "can't listen for changes of objects; reading each from the database");
        }
        sleep(PAUSE).await;
    }
}

async fn listen_until_error(memory: &Inner, pool: &Pool) -> sqlx::Result<()> {
    let mut notifications = Notifications::listen(pool, CHANNEL).await?;
    // From here on, changes arrive. Earlier ones may have been missed.
    memory.forget_everything();
    leases::prune(&mut *pool.acquire().await?).await?;
    memory.lease.listening_begins();
    loop {
        apply(memory, notifications.next().await?.payload());
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
