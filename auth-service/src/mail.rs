//! Mail: everything that has to tell people something adds a row to `app.mail_outbox`, in the transaction of
//! the cause; the worker here delivers the rows. Without a server it shows them at `/dev/mail` instead, or
//! leaves them where they are.
//!
//! A row becomes a letter (`letter`, in the words of `wording`), and that a message. `worker` decides when, `outbox` asks the
//! database, `smtp` talks to the server, `tray` keeps what `/dev/mail` shows (`dev`).

mod dev;
mod letter;
mod outbox;
mod smtp;
mod tray;
mod wording;
mod worker;

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use platform::env::ConfigError;
use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;

use crate::config::Config;
use crate::service;
use smtp::Smtp;
use tray::Tray;
use worker::{Delivery, Worker};

/// How long mails on their way may go on after the signal to stop; later ones are tried again after the
/// next start.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(10);
/// The worker, and settling mails.
const CONNECTIONS: u32 = 2;

/// What becomes of mails without `SMTP_URL`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WithoutSmtp {
    /// They wait in the outbox.
    Wait,
    /// They are shown at `/dev/mail`.
    Show,
}

/// The worker. Dropping it ends it wherever it is, as a crash would: nothing is lost.
pub struct Mail {
    tasks: JoinSet<()>,
    stop: watch::Sender<bool>,
    tray: Option<Tray>,
}

impl Mail {
    /// # Errors
    /// When `DATABASE_URL` or `SMTP_CA_FILE` is malformed. A server that can't be reached is none.
    pub fn start(config: &Config, without_smtp: WithoutSmtp) -> Result<Self, ConfigError> {
        let (stop, stopped) = watch::channel(false);
        let mut mail = Self { tasks: JoinSet::new(), stop, tray: None };
        let delivery = match (&config.mail.smtp, without_smtp) {
            (Some(server), _) => Delivery::Smtp(Smtp::new(server)?),
            (None, WithoutSmtp::Show) => Delivery::Tray(mail.tray.insert(Tray::default()).clone()),
            (None, WithoutSmtp::Wait) => {
                tracing::warn!("SMTP_URL is not set: mails wait in the outbox");
                return Ok(mail);
            }
        };
        // Apart from the requests' connections: neither can use up the other's.
        let pool = service::database(config, "auth-service mail")?.pool(CONNECTIONS);
        let alarm = Arc::new(Notify::new());
        mail.tasks.spawn(worker::listen(pool.clone(), Arc::clone(&alarm)));
        let worker = Worker { pool, delivery, config: config.mail.clone(), clock: config.clock.clone() };
        mail.tasks.spawn(Arc::new(worker).run(alarm, stopped));
        Ok(mail)
    }

    /// `/dev/mail`, where mails are shown and not sent; for this machine alone.
    pub fn router(&self) -> Option<Router> {
        self.tray.clone().map(dev::router)
    }

    /// Lets mails finish that are on their way, and starts no more.
    pub async fn stop(mut self) {
        let _ = self.stop.send(true);
        // The one that listens has nothing to finish: the worker ends first.
        let _ = tokio::time::timeout(DRAIN_TIMEOUT, self.tasks.join_next()).await;
    }
}
