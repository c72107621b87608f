//! A light, steady load. Each kind of request has its own interval, whether or not the previous request has completed.

use std::sync::{Arc, PoisonError};
use std::time::Duration;

use futures::future::join_all;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, sleep, timeout};

use super::client::Client;
use super::sampling::{Kind, Sample};

/// One read and one write per service. All must succeed before a fault counts as recovered.
const PROBES: [Kind; 5] = [Kind::Read, Kind::Write, Kind::User, Kind::Upload, Kind::Download];
const PROBE_PACE: Duration = Duration::from_millis(100);
/// A probe that waits for longer is sent again.
const PROBE_PATIENCE: Duration = Duration::from_secs(1);

pub struct Load {
    client: Arc<Client>,
    stop: watch::Sender<bool>,
    paces: JoinSet<()>,
}

impl Load {
    pub fn start(client: &Arc<Client>, kinds: &[Kind]) -> Self {
        client.samples.lock().unwrap_or_else(PoisonError::into_inner).clear();
        let (stop, stopped) = watch::channel(false);
        let mut paces = JoinSet::new();
        for kind in kinds {
            paces.spawn(keep_sending(Arc::clone(client), *kind, stopped.clone()));
        }
        Self { client: Arc::clone(client), stop, paces }
    }

    /// Waits for pending requests.
    pub async fn stop(mut self) -> Vec<Sample> {
        self.stop.send_replace(true);
        while self.paces.join_next().await.is_some() {}
        std::mem::take(&mut self.client.samples.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

async fn keep_sending(client: Arc<Client>, kind: Kind, mut stopped: watch::Receiver<bool>) {
    let mut next = tokio::time::interval(kind.pace());
    next.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut unanswered = JoinSet::new();
    loop {
        tokio::select! {
            biased;
            _ = stopped.wait_for(|stop| *stop) => break,
            _ = unanswered.join_next(), if !unanswered.is_empty() => (),
            _ = next.tick() => {
                let client = Arc::clone(&client);
                unanswered.spawn(async move { client.send(kind).await; });
            }
        }
    }
    while unanswered.join_next().await.is_some() {}
}

/// Time until every service responds normally; `None` if one does not within `limit`.
pub async fn recovery(client: &Arc<Client>, limit: Duration) -> Option<Duration> {
    let began = Instant::now();
    let first_good = PROBES.map(|kind| async move {
        while !timeout(PROBE_PATIENCE, client.send(kind)).await.is_ok_and(|sample| sample.answer.is_good()) {
            sleep(PROBE_PACE).await;
        }
        began.elapsed()
    });
    timeout(limit, join_all(first_good)).await.ok()?.into_iter().max()
}
