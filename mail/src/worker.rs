//! Delivers a service's e-mail in the outbox, the most urgent first. Any number of workers may run: each e-mail belongs
//! to the worker that holds its lease. Workers poll: a notification on every new e-mail would take a lock that
//! all commits of the database cluster share.

use std::ops::RangeInclusive;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use futures::FutureExt;
use futures::future::BoxFuture;
use metrics::{counter, describe_counter, describe_gauge, gauge};
use platform::clock::Clock;
use platform::database::{Database, PgConnection, Pool};
use platform::env::ConfigError;
use tokio::sync::{Mutex, watch};
use tokio::task::JoinSet;
use tokio::time::{Instant, interval, sleep, timeout};

use crate::captured::{Captured, CapturedMail};
use crate::config::{Config, Pace};
use crate::layout::Rendered;
use crate::message;
use crate::outbox::{self, Outcome, Queued};
use crate::smtp::{Failure, Smtp};
use crate::texts::Unusable;

/// One for the worker, one to record outcomes.
const CONNECTIONS: u32 = 2;
/// How long deliveries may continue after the stop signal. Unfinished ones are retried after the next start.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(10);
/// Delay before the next try when the database does not answer.
const DATABASE_PAUSE: Duration = Duration::from_secs(2);
/// Time between two counts of the outbox.
const OBSERVE_INTERVAL: Duration = Duration::from_secs(15);
/// How long a worker rests at most when all its e-mail waits.
const LONGEST_REST: Duration = Duration::from_secs(2);
/// How long delivered e-mails can be looked up.
const RETENTION: TimeDelta = TimeDelta::days(30);

/// Whether an e-mail may be sent now.
pub enum Admission {
    Granted,
    /// Its mailbox got too many: it waits for these seconds, and others go first.
    MailboxFull(f64),
    /// All e-mails of the service wait.
    AllWait(Duration),
}

/// The words of a service's e-mails, and how many it may send.
pub trait Letters: Send + Sync {
    /// # Errors
    /// Fails when the row's data does not fit its template.
    fn render(&self, mail: &Queued) -> Result<Rendered, Unusable>;

    /// How old an e-mail may get before it is no longer sent. `None`: it is sent at any age.
    fn life(&self, mail: &Queued) -> Option<TimeDelta>;

    /// Asked once for each e-mail, in the transaction that claims it.
    fn admit<'a>(
        &'a self,
        _connection: &'a mut PgConnection,
        _mail: &'a Queued,
    ) -> BoxFuture<'a, sqlx::Result<Admission>> {
        Box::pin(async { Ok(Admission::Granted) })
    }
}

/// What delivers a service's e-mail.
pub struct Mailer {
    /// The label of metrics.
    pub service: &'static str,
    /// The urgencies of the service's e-mails.
    pub urgencies: RangeInclusive<i16>,
    pub database: Database,
    pub config: Config,
    pub clock: Clock,
    pub letters: Box<dyn Letters>,
}

/// The running worker. Dropping it aborts the worker like a crash would; no e-mail is lost.
pub struct Running {
    lanes: JoinSet<()>,
    _housekeeping: JoinSet<()>,
    stop: watch::Sender<bool>,
}

enum Delivery {
    Smtp(Smtp),
    Captured(Captured),
}

struct Worker {
    mailer: Mailer,
    pool: Pool,
    delivery: Delivery,
    /// Held by the lane that looks for the next e-mail.
    claiming: Mutex<()>,
}

impl Mailer {
    /// E-mail waits in the outbox if there is neither an SMTP server nor `captured`.
    ///
    /// # Errors
    /// Fails when `SMTP_CA_FILE` is malformed. An unreachable server is not an error.
    pub fn start(self, captured: Option<Captured>) -> Result<Running, ConfigError> {
        describe_metrics(self.service);
        let (stop, stopped) = watch::channel(false);
        let mut running = Running { lanes: JoinSet::new(), _housekeeping: JoinSet::new(), stop };
        let delivery = match (&self.config.smtp, captured) {
            (Some(server), _) => Delivery::Smtp(Smtp::new(server.clone())?),
            (None, Some(captured)) if self.config.captures() => Delivery::Captured(captured),
            (None, _) => {
                tracing::warn!(service = self.service, "SMTP_URL is not set: e-mail waits in the outbox");
                return Ok(running);
            }
        };
        let (pool, claiming) = (self.database.pool(CONNECTIONS), Mutex::default());
        let worker = Arc::new(Worker { pool, delivery, claiming, mailer: self });
        for _ in 0..worker.mailer.config.pace.lanes {
            running.lanes.spawn(Arc::clone(&worker).deliver_all(stopped.clone()));
        }
        running._housekeeping.spawn(worker.keep_house());
        Ok(running)
    }
}

impl Running {
    /// Starts no more deliveries and waits for those in progress.
    pub async fn stop(mut self) {
        let _ = self.stop.send(true);
        let _ = timeout(DRAIN_TIMEOUT, async { while self.lanes.join_next().await.is_some() {} }).await;
    }
}

impl Worker {
    /// Delivers one e-mail after another, until `stopped` becomes true.
    async fn deliver_all(self: Arc<Self>, mut stopped: watch::Receiver<bool>) {
        while let Some((mail, until)) = self.next(&mut stopped).await {
            if AssertUnwindSafe(self.deliver(&mail, until)).catch_unwind().await.is_err() {
                tracing::error!(mail = %mail.id, "a delivery panicked; the e-mail is retried later");
            }
        }
    }

    /// Waits for the next due e-mail, and claims it until the returned time. One lane at a time polls. `None` when stopped.
    async fn next(&self, stopped: &mut watch::Receiver<bool>) -> Option<(Queued, Instant)> {
        let _claiming = tokio::select! {
            claiming = self.claiming.lock() => claiming,
            _ = stopped.wait_for(|stop| *stop) => return None,
        };
        while !*stopped.borrow() {
            let until = Instant::now() + self.mailer.config.pace.lease;
            let pause = match self.claim().await {
                Ok(Ok(mail)) => return Some((mail, until)),
                Ok(Err(pause)) => pause,
                Err(error) => {
                    tracing::warn!(%error, "can't read the outbox; retrying");
                    DATABASE_PAUSE
                }
            };
            let _ = timeout(pause, stopped.wait_for(|stop| *stop)).await;
        }
        None
    }

    /// Claims the next due e-mail, or returns how long to wait.
    async fn claim(&self) -> sqlx::Result<Result<Queued, Duration>> {
        let Pace { lease, poll, .. } = self.mailer.config.pace;
        let mut transaction = self.pool.begin().await?;
        let claimed = outbox::claim(&mut transaction, self.mailer.urgencies.clone(), lease).await?;
        let Some(mail) = claimed else { return Ok(Err(poll)) };
        if mail.attempts == 1 && self.outdated(&mail).is_none() {
            match self.mailer.letters.admit(&mut transaction, &mail).await? {
                Admission::Granted => {}
                Admission::MailboxFull(seconds) => {
                    outbox::put_off(&mut transaction, &mail, seconds).await?;
                    transaction.commit().await?;
                    counter!("mails_total", &self.labels("held_back")).increment(1);
                    return Ok(Err(Duration::ZERO));
                }
                // Without a commit, the claim is undone.
                Admission::AllWait(wait) => return Ok(Err(wait.min(LONGEST_REST).max(poll))),
            }
        }
        transaction.commit().await?;
        Ok(Ok(mail))
    }

    /// Why the e-mail is not sent any more: a worker died in its last attempt, or it is too old.
    fn outdated(&self, mail: &Queued) -> Option<String> {
        if mail.attempts > self.mailer.config.pace.attempts {
            return Some(
                mail.last_error.clone().unwrap_or_else(|| "the last attempt did not end".to_owned()),
            );
        }
        let life = self.mailer.letters.life(mail)?;
        (mail.created_at + life < self.mailer.clock.now()).then(|| "expired".to_owned())
    }

    /// Makes one attempt and records the outcome. If the outcome can't be recorded before the lease ends, the
    /// e-mail may be delivered twice, so recording is retried until then.
    async fn deliver(&self, mail: &Queued, until: Instant) {
        let attempt = match self.outdated(mail) {
            Some(reason) => Err(Failure::Permanent(reason)),
            None => self.attempt(mail).await,
        };
        let pace = &self.mailer.config.pace;
        let outcome = match attempt {
            Ok(()) => Outcome::Sent,
            Err(Failure::Temporary(reason)) if mail.attempts < pace.attempts => {
                Outcome::PutOff(pause(pace, mail.attempts), reason)
            }
            Err(Failure::Temporary(reason) | Failure::Permanent(reason)) => Outcome::GivenUp(reason),
        };
        loop {
            match outbox::settle(&self.pool, mail, &outcome).await {
                Ok(is_ours) => return self.report(mail, &outcome, is_ours),
                Err(error) => {
                    tracing::warn!(mail = %mail.id, %error, "can't record the outcome of a delivery; retrying");
                    if Instant::now() + DATABASE_PAUSE >= until {
                        return;
                    }
                    sleep(DATABASE_PAUSE).await;
                }
            }
        }
    }

    async fn attempt(&self, mail: &Queued) -> Result<(), Failure> {
        let unusable = |error: Unusable| Failure::Permanent(error.to_string());
        let from = &self.mailer.config.from;
        let rendered = self.mailer.letters.render(mail).map_err(unusable)?;
        let message = message::build(mail, &rendered, from, self.mailer.clock.now()).map_err(unusable)?;
        match &self.delivery {
            Delivery::Smtp(smtp) => {
                let to = message.envelope().to().first().ok_or_else(|| unusable(Unusable))?;
                smtp.deliver(&from.email, to, &message.formatted()).await
            }
            Delivery::Captured(captured) => {
                captured.put(CapturedMail::new(mail, rendered, &message));
                Ok(())
            }
        }
    }

    fn report(&self, Queued { id, template, attempts, .. }: &Queued, outcome: &Outcome, is_ours: bool) {
        let label = match outcome {
            Outcome::Sent if !is_ours => {
                tracing::warn!(mail = %id, template, "the e-mail arrived after its lease had ended or its notification had changed; another one may follow");
                return;
            }
            Outcome::Sent => {
                tracing::info!(mail = %id, template, attempts, "e-mail sent");
                "sent"
            }
            Outcome::PutOff(_, reason) => {
                tracing::warn!(mail = %id, template, attempts, reason, "delivery failed; retrying later");
                "put_off"
            }
            Outcome::GivenUp(reason) => {
                tracing::error!(mail = %id, template, attempts, reason, "gave up on an e-mail");
                "given_up"
            }
        };
        counter!("mails_total", &self.labels(label)).increment(1);
    }

    fn labels(&self, outcome: &'static str) -> [(&'static str, &'static str); 2] {
        [("service", self.mailer.service), ("outcome", outcome)]
    }

    /// Sets the gauges of the outbox and deletes old e-mail, now and then.
    async fn keep_house(self: Arc<Self>) {
        let mut ticks = interval(OBSERVE_INTERVAL);
        loop {
            ticks.tick().await;
            let service = self.mailer.service;
            match outbox::backlog(&self.pool, &self.mailer.urgencies).await {
                Ok((pending, oldest, given_up)) => {
                    gauge!("mail_outbox_pending", "service" => service).set(pending as f64);
                    gauge!("mail_outbox_oldest_seconds", "service" => service).set(oldest);
                    gauge!("mail_outbox_given_up", "service" => service).set(given_up as f64);
                }
                Err(error) => tracing::warn!(%error, "can't count the e-mails in the outbox"),
            }
            if let Err(error) = outbox::prune(&self.pool, RETENTION).await {
                tracing::warn!(%error, "can't prune old e-mail; retrying");
            }
        }
    }
}

/// Adds the help texts to `/metrics`, and the counters, because alerts need a value before the first event.
fn describe_metrics(service: &'static str) {
    describe_counter!("mails_total", "Deliveries of e-mails by outcome");
    describe_gauge!("mail_outbox_pending", "E-mails to be sent");
    describe_gauge!("mail_outbox_oldest_seconds", "The age of the oldest e-mail to be sent");
    describe_gauge!("mail_outbox_given_up", "E-mails that failed in the last 30 days");
    for outcome in ["sent", "put_off", "held_back", "given_up"] {
        counter!("mails_total", "service" => service, "outcome" => outcome).increment(0);
    }
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
