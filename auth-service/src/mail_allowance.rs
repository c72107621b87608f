//! Limits account e-mails per hour: per address, so that nobody can flood an address or use up the allowance
//! through one, and in total. The database keeps the count in the transaction that queues the e-mail, so it
//! applies to all replicas and survives a restart. The allowance refills evenly.

use std::num::NonZeroU32;

use axum::http::StatusCode;
use chrono::{DateTime, TimeDelta, Utc};
use platform::database::PgConnection;

use crate::domain::email::Email;
use crate::error::{AuthError, Result};
use crate::service::Service;
use crate::store::mail_allowances;

const HOUR: TimeDelta = TimeDelta::hours(1);
/// A third of the default total, and more than a user who waits for an e-mail needs.
const PER_ADDRESS: NonZeroU32 = NonZeroU32::new(10).expect("10 is not zero");
/// The key of the total. No address hashes to it.
const ALL: &str = "";

/// Requests that name only an address. Each kind has its own interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestedMail {
    Confirmation,
    /// A magic link or a recovery link.
    SignIn,
    EmailChange,
}

impl RequestedMail {
    fn key(self, address_hash: &str) -> String {
        let name = match self {
            Self::Confirmation => "confirmation",
            Self::SignIn => "sign-in",
            Self::EmailChange => "email-change",
        };
        format!("{name}:{address_hash}")
    }

    /// A change is mailed to both the old and the new address.
    fn mails(self) -> u32 {
        match self {
            Self::Confirmation | Self::SignIn => 1,
            Self::EmailChange => 2,
        }
    }
}

/// Takes from the address's interval and allowance, whether or not it has an account and an e-mail is sent:
/// the responses are the same for all addresses, however often a client asks. Commit in either case.
///
/// # Errors
/// 429 while the address must wait or the allowance is used up; the transaction must then be rolled back.
pub async fn ask(
    service: &Service,
    connection: &mut PgConnection,
    asked: RequestedMail,
    email: &Email,
    now: DateTime<Utc>,
) -> Result<()> {
    let address_hash = service.digests.of_address(email.as_str());
    let interval = service.config.accounts.mail_interval;
    if interval > TimeDelta::zero() {
        let key = asked.key(&address_hash);
        if mail_allowances::take(connection, &key, interval, interval, now).await?.is_none() {
            return Err(too_soon(mail_allowances::used_until(connection, &key).await? - now));
        }
    }
    mail_allowances::prune(connection, now).await?;
    take_mails(service, connection, vec![address_hash], asked.mails(), now).await
}

/// Starts the address's interval when the account itself requested the e-mail, so that a request by address
/// must wait.
pub async fn note(
    service: &Service,
    connection: &mut PgConnection,
    asked: RequestedMail,
    email: Option<&str>,
    now: DateTime<Utc>,
) -> Result<()> {
    let interval = service.config.accounts.mail_interval;
    if let Some(email) = email.filter(|_| interval > TimeDelta::zero()) {
        let key = asked.key(&service.digests.of_address(email));
        mail_allowances::take(connection, &key, interval, interval, now).await?;
    }
    Ok(())
}

/// Takes one e-mail per recipient from the allowances.
///
/// # Errors
/// 429 when the allowance is used up; the transaction must then be rolled back.
pub async fn take(
    service: &Service,
    connection: &mut PgConnection,
    recipients: &[&str],
    now: DateTime<Utc>,
) -> Result<()> {
    let addresses = recipients.iter().map(|address| service.digests.of_address(address)).collect();
    mail_allowances::prune(connection, now).await?;
    let mails = u32::try_from(recipients.len()).unwrap_or(u32::MAX);
    take_mails(service, connection, addresses, mails, now).await
}

async fn take_mails(
    service: &Service,
    connection: &mut PgConnection,
    mut addresses: Vec<String>,
    mails: u32,
    now: DateTime<Utc>,
) -> Result<()> {
    if service.limits.is_none() || service.config.must_confirm.nobody() {
        return Ok(());
    }
    // A fixed lock order prevents deadlocks. The shared row comes last, so it is locked for the shortest
    // time.
    addresses.sort();
    for address in &addresses {
        take_from(connection, address, 1, PER_ADDRESS, now).await?;
    }
    take_from(connection, ALL, mails, service.config.accounts.mails_per_hour, now).await
}

async fn take_from(
    connection: &mut PgConnection,
    address_hash: &str,
    mails: u32,
    per_hour: NonZeroU32,
    now: DateTime<Utc>,
) -> Result<()> {
    if mails > per_hour.get() {
        return Err(over_limit("email rate limit exceeded", None));
    }
    // Rounded down, so that the full hourly number fits into an hour.
    let share = TimeDelta::microseconds(HOUR.num_seconds() * 1_000_000 / i64::from(per_hour.get()));
    let step = share * i32::try_from(mails).unwrap_or(i32::MAX);
    if mail_allowances::take(connection, address_hash, step, HOUR, now).await?.is_some() {
        return Ok(());
    }
    let used_until = mail_allowances::used_until(connection, address_hash).await?;
    Err(over_limit("email rate limit exceeded", Some(used_until + step - HOUR - now)))
}

/// The next e-mail of this kind must wait.
pub fn too_soon(wait: TimeDelta) -> AuthError {
    let seconds = seconds_of(wait);
    over_limit(
        format!("For security purposes, you can only request this after {seconds} seconds."),
        Some(wait),
    )
}

/// `wait`: the time until the next one. Rounded up, so that a client that waits this long is accepted.
pub fn over_limit(message: impl Into<String>, wait: Option<TimeDelta>) -> AuthError {
    let retry_after_seconds = wait.and_then(|wait| u64::try_from(seconds_of(wait)).ok());
    let refusal = AuthError::new(StatusCode::TOO_MANY_REQUESTS, "over_email_send_rate_limit", message.into());
    AuthError { retry_after_seconds, ..refusal }
}

pub fn seconds_of(wait: TimeDelta) -> i64 {
    wait.num_seconds() + i64::from(wait.subsec_nanos() > 0)
}
