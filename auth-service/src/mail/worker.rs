//! Delivers the e-mail in the outbox, the most urgent first. Any number of workers may run: each e-mail belongs
//! to the worker that holds its lease. Workers poll: a notification on every new e-mail would take a lock that
//! all commits of the database cluster share.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use platform::clock::Clock;
use platform::database::Pool;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use super::captured::{Captured, CapturedMail};
use super::notifications::{Allowance, Next};
use super::outbox::{self, Queued};
use super::smtp::{Failure, Smtp};
use super::texts::Unusable;
use super::{message, rendering};
use crate::config::mail::{MailConfig, Pace};

/// Delay before the next try when the database does not answer.
const DATABASE_PAUSE: Duration = Duration::from_secs(2);
/// Delay when other e-mail may be due.
const SHORTEST_PAUSE: Duration = Duration::from_millis(50);
/// How long a worker rests at most when the hour's notifications are used up.
const LONGEST_REST: Duration = Duration::from_secs(2);
/// Time between two counts of the outbox.
const OBSERVE_INTERVAL: Duration = Duration::from_secs(15);
const PRUNE_INTERVAL: Duration = Duration::from_secs(60 * 60);
/// How long delivered e-mails can be looked up.
const RETENTION: TimeDelta = TimeDelta::days(30);

pub enum Delivery {
    Smtp(Smtp),
    Captured(Captured),
}

pub struct Worker {
    /// Connects as `auth_admin`.
    pub pool: Pool,
    pub delivery: Delivery,
    pub config: MailConfig,
    pub allowance: Allowance,
    pub clock: Clock,
}

#[derive(Default)]
struct State {
    in_flight: JoinSet<()>,
    /// The hour's notifications are used up until then.
    notifications_at: Option<Instant>,
    pruned_at: Option<Instant>,
    observed_at: Option<Instant>,
}

impl Worker {
    /// Runs until `stopped` becomes true, then finishes the deliveries in progress.
    pub async fn run(self: Arc<Self>, mut stopped: watch::Receiver<bool>) {
        let mut state = State::default();
        loop {
            if state.pruned_at.is_none_or(|when| when.elapsed() >= PRUNE_INTERVAL) {
                state.pruned_at = self.prune().await.then(Instant::now);
            }
            if state.observed_at.is_none_or(|when| when.elapsed() >= OBSERVE_INTERVAL) {
                state.observed_at = self.observe().await.then(Instant::now);
            }
            let pause = match self.begin(&mut state).await {
                Ok(pause) => pause,
                Err(error) => {
                    tracing::warn!(%error, "can't read the outbox; retrying");
                    DATABASE_PAUSE
                }
            };
            tokio::select! {
                biased;
                _ = stopped.wait_for(|stop| *stop) => break,
                Some(ended) = state.in_flight.join_next() => {
                    if let Err(error) = ended {
                        tracing::error!(%error, "a delivery task failed; the e-mail is retried later");
                    }
                }
                () = sleep(pause) => (),
            }
        }
        while state.in_flight.join_next().await.is_some() {}
    }

    /// Starts due deliveries, up to the concurrency limit: all security and account e-mails, then
    /// notifications in half of the concurrent deliveries, so that a slow server leaves the other half for the
    /// former. Returns how long to wait at most before the next call.
    async fn begin(self: &Arc<Self>, state: &mut State) -> sqlx::Result<Duration> {
        let Pace { lanes, lease, poll, .. } = self.config.pace;
        let room = lanes.saturating_sub(state.in_flight.len());
        let until = Instant::now() + lease;
        if room > 0 {
            for mail in outbox::claim_urgent(&self.pool, room, lease).await? {
                self.start(&mut state.in_flight, mail, until);
            }
        }
        while state.in_flight.len() < (lanes / 2).max(1) {
            if state.notifications_at.is_some_and(|at| Instant::now() < at) {
                break;
            }
            let until = Instant::now() + lease;
            match self.allowance.claim_next(&self.pool, &self.config.pace, &self.clock).await? {
                Next::Claimed(mail) => self.start(&mut state.in_flight, mail, until),
                Next::Nothing => break,
                Next::Unknown => return Ok(SHORTEST_PAUSE.min(poll)),
                Next::UsedUp(wait) => {
                    state.notifications_at = Some(Instant::now() + wait.clamp(SHORTEST_PAUSE, LONGEST_REST));
                }
            }
        }
        Ok(poll)
    }

    fn start(self: &Arc<Self>, in_flight: &mut JoinSet<()>, mail: Queued, until: Instant) {
        let worker = Arc::clone(self);
        in_flight.spawn(async move { worker.deliver(&mail, until).await });
    }

    /// Makes one attempt and records the outcome. If the outcome can't be recorded before the lease ends, the
    /// e-mail may be delivered twice, so recording is retried until then.
    async fn deliver(&self, mail: &Queued, until: Instant) {
        let outcome = match mail.outdated(&self.config.pace, self.clock.now()) {
            Some(reason) => Err(Failure::Permanent(reason)),
            None => self.attempt(mail).await,
        };
        while let Err(error) = self.settle(mail, &outcome).await {
            tracing::warn!(mail = %mail.id, %error, "can't record the outcome of a delivery; retrying");
            if Instant::now() + DATABASE_PAUSE >= until {
                return;
            }
            sleep(DATABASE_PAUSE).await;
        }
    }

    async fn attempt(&self, mail: &Queued) -> Result<(), Failure> {
        let unusable = |error: Unusable| Failure::Permanent(error.to_string());
        let config = &self.config;
        let now = self.clock.now();
        let rendered = rendering::render(mail, &config.site_url, config.pace.token_life).map_err(unusable)?;
        let message = message::build(mail, &rendered, &config.from, now).map_err(unusable)?;
        match &self.delivery {
            Delivery::Smtp(smtp) => {
                let to = message.envelope().to().first().ok_or_else(|| unusable(Unusable))?;
                smtp.deliver(&config.from.email, to, &message.formatted()).await
            }
            Delivery::Captured(captured) => {
                captured.put(CapturedMail::new(mail, rendered, &message));
                Ok(())
            }
        }
    }

    async fn settle(&self, mail: &Queued, outcome: &Result<(), Failure>) -> sqlx::Result<()> {
        let Queued { id, template, attempts, .. } = mail;
        match outcome {
            Ok(()) if outbox::sent(&self.pool, mail).await? => {
                count("sent");
                tracing::info!(mail = %id, template, attempts, "e-mail sent");
            }
            Ok(()) => {
                tracing::warn!(mail = %id, template, "the e-mail arrived after its lease had ended or its notification had changed; another one may follow");
            }
            Err(Failure::Temporary(reason)) if *attempts < self.config.pace.attempts => {
                outbox::retry_later(&self.pool, mail, pause(&self.config.pace, *attempts), reason).await?;
                count("put_off");
                tracing::warn!(mail = %id, template, attempts, reason, "delivery failed; retrying later");
            }
            Err(Failure::Temporary(reason) | Failure::Permanent(reason)) => {
                outbox::give_up(&self.pool, mail, reason).await?;
                count("given_up");
                tracing::error!(mail = %id, template, attempts, reason, "gave up on an e-mail");
            }
        }
        Ok(())
    }

    /// Sets the gauges of the outbox.
    async fn observe(&self) -> bool {
        let Ok(backlog) = outbox::backlog(&self.pool).await else { return false };
        metrics::gauge!("mail_outbox_pending").set(backlog.pending as f64);
        metrics::gauge!("mail_outbox_oldest_seconds").set(backlog.oldest);
        metrics::gauge!("mail_outbox_given_up").set(backlog.given_up as f64);
        true
    }

    /// Whether all old e-mail is deleted.
    async fn prune(&self) -> bool {
        outbox::prune(&self.pool, RETENTION).await.map_or_else(
            |error| {
                tracing::warn!(%error, "can't prune old e-mail; retrying");
                false
            },
            |more| !more,
        )
    }
}

fn count(outcome: &'static str) {
    metrics::counter!("auth_mails_total", "outcome" => outcome).increment(1);
}

/// The delay doubles with each failed attempt.
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
    fn an_e_mail_is_retried_for_about_a_day() {
        let pace = Pace::default();
        let total: Duration = (1..pace.attempts).map(|attempts| pause(&pace, attempts)).sum();
        assert!((20..28).contains(&(total.as_secs() / 3600)), "{total:?}");
    }
}
