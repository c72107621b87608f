//! What the functions do without a request: they deliver the marketplace's e-mail and run its schedule. Their login
//! `functions_admin` can do nothing else in the database.
//!
//! | variable | meaning | default |
//! |---|---|---|
//! | `DATABASE_URL` | connection string of the login `functions_admin` | required |
//! | `LOGIN_PASSWORD` | password for a `DATABASE_URL` without one | none |
//! | `DATABASE_STATEMENT_SECONDS` | statement timeout | 8 |
//! | `SITE_URL` | address of the site, to which e-mails link | required |
//!
//! The settings of e-mail are in the crate `mail`.

use mail::{Captured, Mailer, Running};
use platform::clock::Clock;
use platform::database::{Database, Limits, Servers};
use platform::env::{ConfigError, Env};
use platform::schedule::Schedule;

use crate::config::{self, with_marketplace_defaults};
use crate::letters::MarketplaceLetters;

#[derive(Clone)]
pub struct BackgroundConfig {
    pub database: Servers,
    pub database_limits: Limits,
    pub mail: mail::Config,
    pub clock: Clock,
}

pub struct Background {
    mail: Running,
    schedule: Schedule,
}

impl BackgroundConfig {
    /// # Errors
    /// Fails when a setting is missing or malformed; the error names it.
    pub fn from_env(env: &Env) -> Result<Self, ConfigError> {
        let env = &with_marketplace_defaults(env.clone());
        config::check_account_types(env)?;
        let site_url = config::url("SITE_URL", env.required("SITE_URL")?)?;
        let mut mail = mail::Config::from_env(env, &site_url)?;
        // Nobody waits for these e-mails: the server's other connections are for those of accounts.
        mail.pace.lanes = 2;
        Ok(Self {
            database: Servers::from_env(env, "LOGIN_PASSWORD")?,
            database_limits: Limits::from_env(env)?,
            mail,
            clock: Clock::system(),
        })
    }

    /// The database, with `name` as the connections' `application_name`.
    #[must_use]
    pub fn database(&self, name: &str) -> Database {
        Database::new(self.database.clone().application_name(name), self.database_limits)
    }

    /// Delivers the marketplace's e-mail. Without an SMTP server, it is shown in `captured`.
    ///
    /// # Errors
    /// Fails when `SMTP_CA_FILE` is malformed.
    pub fn start_mail(&self, captured: Option<Captured>) -> Result<Running, ConfigError> {
        let mailer = Mailer {
            service: "functions",
            urgencies: 1..=2,
            database: self.database("functions mail"),
            config: self.mail.clone(),
            clock: self.clock.clone(),
            letters: Box::new(MarketplaceLetters { mail: self.mail.clone(), clock: self.clock.clone() }),
        };
        mailer.start(captured)
    }
}

impl Background {
    /// Must be called inside a runtime.
    ///
    /// # Errors
    /// See [`BackgroundConfig::start_mail`].
    pub fn start(config: &BackgroundConfig, captured: Option<Captured>) -> Result<Self, ConfigError> {
        let mail = config.start_mail(captured)?;
        Ok(Self { mail, schedule: Schedule::start(&config.database("functions schedule"), "app") })
    }

    /// Lets deliveries in progress and the running part of the schedule finish.
    pub async fn stop(self) {
        tokio::join!(self.mail.stop(), self.schedule.stop());
    }
}
