//! Delivers one e-mail to one server, step by step: the step at which a server rejects it decides whether a
//! retry makes sense. Server replies are never stored, because they tend to quote the address.

use std::future::Future;
use std::time::Duration;

use lettre::address::Address;
use lettre::transport::smtp::Error;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{AsyncSmtpConnection, TlsParameters};
use lettre::transport::smtp::commands::{Data, Mail, Rcpt};
use lettre::transport::smtp::extension::ClientId;
use platform::env::ConfigError;
use tokio::time::timeout;

use crate::config::{MESSAGE_STEPS, SmtpServer, Tls};

/// QUIT is a courtesy; its result does not matter.
const GOODBYE: Duration = Duration::from_secs(1);

/// Why delivery failed, in words that are safe to log.
#[derive(Debug, PartialEq, Eq)]
pub enum Failure {
    /// A problem with the server or the connection: retry later.
    Temporary(String),
    /// The recipient or the message is rejected permanently.
    Permanent(String),
}

pub struct Smtp {
    server: SmtpServer,
    tls: TlsParameters,
    hello: ClientId,
}

impl Smtp {
    /// # Errors
    /// Fails when a certificate of `SMTP_CA_FILE` is invalid.
    pub fn new(server: SmtpServer) -> Result<Self, ConfigError> {
        let tls = TlsParameters::builder(server.host.clone());
        let tls = server.trusted.iter().fold(tls, |tls, trusted| tls.add_root_certificate(trusted.clone()));
        let tls = tls.build().map_err(|error| ConfigError::new("SMTP_CA_FILE", error.to_string()))?;
        Ok(Self { server, tls, hello: ClientId::default() })
    }

    /// # Errors
    /// Fails unless the server confirmed that it accepted the message.
    pub async fn deliver(&self, from: &Address, to: &Address, message: &[u8]) -> Result<(), Failure> {
        let limit = self.server.timeout;
        let mut connection = within(limit, "CONNECT", self.connect()).await?;
        within(limit, "MAIL", connection.command(Mail::new(Some(from.clone()), Vec::new()))).await?;
        within(limit, "RCPT", connection.command(Rcpt::new(to.clone(), Vec::new()))).await?;
        within(limit, "DATA", connection.command(Data)).await?;
        within(MESSAGE_STEPS * limit, "message", connection.message(message)).await?;
        let _ = timeout(GOODBYE, connection.quit()).await;
        Ok(())
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, Error> {
        let SmtpServer { host, port, tls, credentials, .. } = &self.server;
        let from_the_start = (*tls == Tls::Implicit).then(|| self.tls.clone());
        let address = (host.as_str(), *port);
        let mut connection =
            AsyncSmtpConnection::connect_tokio1(address, None, &self.hello, from_the_start, None).await?;
        if *tls == Tls::Starttls {
            connection.starttls(self.tls.clone(), &self.hello).await?;
        }
        if let Some((user, password)) = credentials {
            let credentials = Credentials::new(user.clone(), password.expose().to_owned());
            connection.auth(DEFAULT_MECHANISMS, &credentials).await?;
        }
        Ok(connection)
    }
}

async fn within<T>(
    limit: Duration,
    step: &str,
    act: impl Future<Output = Result<T, Error>>,
) -> Result<T, Failure> {
    match timeout(limit, act).await {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(error)) => Err(classify(step, &error)),
        Err(_) => Err(Failure::Temporary(format!("{step}: no answer in time"))),
    }
}

/// A permanent rejection of the recipient or the message ends delivery. A rejected greeting, sign-in or
/// sender is for the operator to fix, so these are retried.
fn classify(step: &str, error: &Error) -> Failure {
    let about_the_mail = matches!(step, "RCPT" | "DATA" | "message");
    match error.status() {
        Some(code) if error.is_permanent() && about_the_mail => Failure::Permanent(format!("{step}: {code}")),
        Some(code) => Failure::Temporary(format!("{step}: {code}")),
        None if error.is_response() => Failure::Temporary(format!("{step}: the answer is invalid")),
        // Of the connection, its encryption, or what the server does not offer.
        None => Failure::Temporary(format!("{step}: {error}")),
    }
}
