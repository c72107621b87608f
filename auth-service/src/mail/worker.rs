//! Delivers what the outbox holds. Any number of workers may: each mail belongs to who claimed it, for a while.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use platform::clock::Clock;
use platform::database::Pool;
use sqlx::postgres::PgListener;
use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};

use super::letter;
use super::outbox::{self, Queued};
use super::smtp::{Failure, Smtp};
use super::tray::{Shown, Tray};
use crate::config::mail::{MailConfig, Pace};

/// Before the database is asked again that did not answer.
const DATABASE_PAUSE: Duration = Duration::from_secs(2);
/// A listener that heard nothing for so long is tested.
const LISTENER_TEST: Duration = Duration::from_secs(10);
/// What is due and not ours is another worker's at this moment.
const SHORTEST_PAUSE: Duration = Duration::from_millis(50);
const CLEANING: Duration = Duration::from_secs(60 * 60);
/// How long it can be looked up that a mail was sent.
const REMEMBERED: TimeDelta = TimeDelta::days(30);

pub enum Delivery {
    Smtp(Smtp),
    Tray(Tray),
}

pub struct Worker {
    /// As `auth_admin`.
    pub pool: Pool,
    pub delivery: Delivery,
    pub config: MailConfig,
    pub clock: Clock,
}

/// Rings when a mail was added, and when one may have been without our hearing it.
pub async fn listen(pool: Pool, alarm: Arc<Notify>) {
    loop {
        if let Err(error) = heard(&pool, &alarm).await {
            tracing::warn!(%error, "new mails are only found by looking: the database can't be listened to");
        }
        sleep(DATABASE_PAUSE).await;
    }
}

async fn heard(pool: &Pool, alarm: &Notify) -> sqlx::Result<()> {
    // Its own: sqlx would give a silent connection back to the pool, where it kept its place.
    let connections = pool.database().listener_pool();
    let listening = async {
        let mut listener = PgListener::connect_with(&connections).await?;
        listener.listen(outbox::CHANNEL).await?;
        sqlx::Result::Ok(listener)
    };
    let mut listener = limited(pool, listening).await?;
    alarm.notify_one();
    loop {
        match timeout(LISTENER_TEST, listener.try_recv()).await {
            Ok(received) => {
                received?;
                alarm.notify_one();
            }
            // Nothing to hear, or nobody there any more: a dead path is as silent as a quiet hour.
            Err(_) => {
                limited(pool, sqlx::query("select").execute(&mut listener)).await?;
            }
        }
    }
}

async fn limited<T>(pool: &Pool, answer: impl Future<Output = sqlx::Result<T>>) -> sqlx::Result<T> {
    let answer = timeout(pool.limits().connect, answer).await;
    answer.unwrap_or_else(|_| Err(sqlx::Error::Io(std::io::ErrorKind::TimedOut.into())))
}

impl Worker {
    /// Until `stopped` turns true; then mails on their way are finished.
    pub async fn run(self: Arc<Self>, alarm: Arc<Notify>, mut stopped: watch::Receiver<bool>) {
        let mut on_their_way = JoinSet::new();
        let mut cleaned: Option<Instant> = None;
        loop {
            if cleaned.is_none_or(|when| when.elapsed() >= CLEANING) {
                cleaned = self.forget().await.then(Instant::now);
            }
            let pause = match self.begin(&mut on_their_way).await {
                Ok(pause) => pause,
                Err(error) => {
                    tracing::warn!(%error, "mails wait for the database");
                    DATABASE_PAUSE
                }
            };
            tokio::select! {
                biased;
                _ = stopped.wait_for(|stop| *stop) => break,
                Some(ended) = on_their_way.join_next() => {
                    if let Err(error) = ended {
                        tracing::error!(%error, "a mail was dropped on its way; it is tried again later");
                    }
                }
                () = alarm.notified() => (),
                () = sleep(pause) => (),
            }
        }
        while on_their_way.join_next().await.is_some() {}
    }

    /// Sets out with what is due, as far as there is room, and says when to look again at the latest.
    async fn begin(self: &Arc<Self>, on_their_way: &mut JoinSet<()>) -> sqlx::Result<Duration> {
        let Pace { lanes, lease, attempts, poll, token_life, .. } = self.config.pace;
        for stale in outbox::give_up_stale(&self.pool, attempts, token_life).await? {
            let reason = stale.last_error.unwrap_or_default();
            tracing::error!(mail = %stale.id, stale.template, stale.attempts, reason, "a mail was given up");
        }
        let room = lanes.saturating_sub(on_their_way.len());
        if room == 0 {
            return Ok(poll);
        }
        let until = Instant::now() + lease;
        let claimed = outbox::claim(&self.pool, room, lease).await?;
        let is_all = claimed.len() < room;
        for mail in claimed {
            let worker = Arc::clone(self);
            on_their_way.spawn(async move { worker.deliver(&mail, until).await });
        }
        if !is_all {
            return Ok(poll);
        }
        let due = outbox::next_due(&self.pool).await?;
        Ok(due.unwrap_or(poll).clamp(SHORTEST_PAUSE.min(poll), poll))
    }

    /// One attempt, and what became of it. A result that can't be written down while the lease lasts is lost,
    /// and the mail may come twice: so that is tried until then.
    async fn deliver(&self, mail: &Queued, until: Instant) {
        let outcome = self.attempt(mail).await;
        while let Err(error) = self.settle(mail, &outcome).await {
            tracing::warn!(mail = %mail.id, %error, "the outcome of a mail waits for the database");
            if Instant::now() + DATABASE_PAUSE >= until {
                return;
            }
            sleep(DATABASE_PAUSE).await;
        }
    }

    async fn attempt(&self, mail: &Queued) -> Result<(), Failure> {
        let unusable = |error: super::wording::Unusable| Failure::Permanent(error.to_string());
        let config = &self.config;
        let now = self.clock.now();
        let letter = letter::write(mail, &config.site_url, config.pace.token_life).map_err(unusable)?;
        let message = letter::message(mail, &letter, &config.from, now).map_err(unusable)?;
        match &self.delivery {
            Delivery::Smtp(smtp) => {
                let to = message.envelope().to().first().ok_or_else(|| unusable(super::wording::Unusable))?;
                smtp.deliver(&config.from.email, to, &message.formatted()).await
            }
            Delivery::Tray(tray) => {
                tray.put(Shown::new(mail, letter, &message, now));
                Ok(())
            }
        }
    }

    async fn settle(&self, mail: &Queued, outcome: &Result<(), Failure>) -> sqlx::Result<()> {
        let Queued { id, template, attempts, .. } = mail;
        match outcome {
            Ok(()) if outbox::sent(&self.pool, mail).await? => {
                count("sent");
                tracing::info!(mail = %id, template, attempts, "a mail was sent");
            }
            Ok(()) => tracing::warn!(mail = %id, template, "a mail took too long and may arrive twice"),
            Err(Failure::Temporary(reason)) if *attempts < self.config.pace.attempts => {
                outbox::put_off(&self.pool, mail, pause(&self.config.pace, *attempts), reason).await?;
                count("put_off");
                tracing::warn!(mail = %id, template, attempts, reason, "a mail is tried again later");
            }
            Err(Failure::Temporary(reason) | Failure::Permanent(reason)) => {
                outbox::give_up(&self.pool, mail, reason).await?;
                count("given_up");
                tracing::error!(mail = %id, template, attempts, reason, "a mail was given up");
            }
        }
        Ok(())
    }

    async fn forget(&self) -> bool {
        let forgotten = outbox::forget(&self.pool, REMEMBERED).await;
        if let Err(error) = &forgotten {
            tracing::warn!(%error, "old mails stay in the outbox until later");
        }
        forgotten.is_ok()
    }
}

fn count(outcome: &'static str) {
    metrics::counter!("auth_mails_total", "outcome" => outcome).increment(1);
}

/// Doubled with each attempt that failed.
fn pause(pace: &Pace, attempts: i32) -> Duration {
    let doublings = u32::try_from(attempts.saturating_sub(1)).unwrap_or_default().min(30);
    pace.first_retry.saturating_mul(1 << doublings).min(pace.longest_retry)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest() {
        let pace = Pace::default();
        let seconds = |attempts| pause(&pace, attempts).as_secs();
        assert_eq!([seconds(1), seconds(2), seconds(3), seconds(8)], [5, 10, 20, 640]);
        assert_eq!([seconds(9), seconds(40), seconds(i32::MAX)], [900, 900, 900]);
    }

    #[test]
    fn a_mail_is_tried_for_about_a_day() {
        let pace = Pace::default();
        let total: Duration = (1..pace.attempts).map(|attempts| pause(&pace, attempts)).sum();
        assert!((20..28).contains(&(total.as_secs() / 3600)), "{total:?}");
    }
}
