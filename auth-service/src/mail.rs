//! Outgoing e-mail. Code that notifies people inserts a row into `serasi.mail_outbox` in its own transaction;
//! the worker in this module delivers the rows. Without an SMTP server it shows them at `/dev/mail`, or
//! leaves them in the outbox.
//!
//! `rendering` renders a row with the texts (`texts`) of `wording`, and `message` builds the message. `worker` schedules
//! deliveries, `notifications` limits notification e-mails, `outbox` queries the database, `smtp` talks to
//! the server, `captured` keeps what `/dev/mail` (`dev`) shows.

mod captured;
mod dev;
mod message;
mod notifications;
mod outbox;
mod rendering;
mod smtp;
mod texts;
mod wording;
mod worker;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use platform::env::ConfigError;
use platform::secret::Secret;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::config::Config;
use crate::domain::one_time_token::Digests;
use crate::service;
use captured::Captured;
use notifications::Allowance;
use smtp::Smtp;
use worker::{Delivery, Worker};

/// How long deliveries may continue after the stop signal. Unfinished ones are retried after the next start.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(10);
/// One for the worker, one to record outcomes.
const CONNECTIONS: u32 = 2;

/// What happens to e-mail when `SMTP_URL` is not set.
pub enum WithoutSmtp {
    /// E-mail waits in the outbox.
    Wait,
    /// E-mail is shown at `/dev/mail/` and this secret, if `SITE_URL` is an address of this machine. A site with
    /// another address has users whose e-mail nobody may read.
    Show(Secret),
}

/// The running worker. Dropping it aborts the worker like a crash would; no e-mail is lost.
pub struct Mail {
    tasks: JoinSet<()>,
    stop: watch::Sender<bool>,
    /// With the path where they are shown.
    captured: Option<(Captured, String)>,
}

impl Mail {
    /// # Errors
    /// Fails when `SMTP_CA_FILE` is malformed. An unreachable server is not an error.
    pub fn start(config: &Config, without_smtp: WithoutSmtp) -> Result<Self, ConfigError> {
        let (stop, stopped) = watch::channel(false);
        let mut mail = Self { tasks: JoinSet::new(), stop, captured: None };
        let delivery = match (&config.mail.smtp, without_smtp) {
            (Some(server), _) => Delivery::Smtp(Smtp::new(server)?),
            (None, WithoutSmtp::Show(secret)) if config.mail.site_is_local() => {
                let shown = (Captured::default(), format!("/dev/mail/{}", secret.expose()));
                Delivery::Captured(mail.captured.insert(shown).0.clone())
            }
            (None, _) => {
                tracing::warn!("SMTP_URL is not set: e-mail waits in the outbox");
                return Ok(mail);
            }
        };
        // Separate from the pool for requests, so that neither can exhaust the other's connections.
        let pool = service::database(config, "auth-service mail").pool(CONNECTIONS);
        let digests = Digests::new(config.jwt.secret(), config.jwt.previous_secrets());
        let allowance = Allowance { digests, per_hour: config.mail.notifications_per_hour };
        let (mail_config, clock) = (config.mail.clone(), config.clock.clone());
        let worker = Worker { pool, delivery, config: mail_config, allowance, clock };
        mail.tasks.spawn(Arc::new(worker).run(stopped));
        Ok(mail)
    }

    /// Serves captured e-mail.
    pub fn router(&self) -> Option<Router> {
        self.captured.clone().map(|(captured, path)| dev::router(captured, &path))
    }

    /// The path where captured e-mail is shown. It contains the secret.
    pub fn path(&self) -> Option<&str> {
        self.captured.as_ref().map(|(_, path)| path.as_str())
    }

    /// Starts no more deliveries and waits for those in progress.
    pub async fn stop(mut self) {
        let _ = self.stop.send(true);
        let _ = tokio::time::timeout(DRAIN_TIMEOUT, self.tasks.join_next()).await;
    }
}
