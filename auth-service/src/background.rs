//! What the service does without a request: it delivers its e-mail, prepares the database and runs its schedule.

use mail::{Captured, Mailer, Running};
use platform::env::ConfigError;
use platform::schedule::Schedule;
use tokio::task::JoinSet;

use crate::config::Config;
use crate::letters::AuthLetters;
use crate::{preparation, service};

/// Dropping it stops it.
pub struct Background {
    mail: Running,
    schedule: Schedule,
    _preparation: JoinSet<()>,
}

impl Background {
    /// Must be called inside a runtime. Without an SMTP server, e-mail is shown in `captured`.
    ///
    /// # Errors
    /// Fails when `SMTP_CA_FILE` is malformed.
    pub fn start(config: &Config, captured: Option<Captured>) -> Result<Self, ConfigError> {
        let mailer = Mailer {
            service: "auth",
            urgencies: -1..=0,
            // Separate from the pool for requests, so that neither can exhaust the other's connections.
            database: service::database(config, "auth-service mail"),
            config: config.mail.clone(),
            clock: config.clock.clone(),
            letters: Box::new(AuthLetters {
                mail: config.mail.clone(),
                token_life: config.accounts.token_life,
                custom: config.mail_templates.clone(),
            }),
        };
        let mut preparation = JoinSet::new();
        preparation.spawn(preparation::run(config.clone()));
        let schedule = Schedule::start(&service::database(config, "auth-service schedule"), "serasi");
        Ok(Self { mail: mailer.start(captured)?, schedule, _preparation: preparation })
    }

    /// Lets deliveries in progress and the running part of the schedule finish.
    pub async fn stop(self) {
        tokio::join!(self.mail.stop(), self.schedule.stop());
    }
}
