//! How many mails of accounts may be sent in an hour: to one address, so that nobody floods it or uses all mails up
//! by it alone, and altogether. The count is the database's, in the transaction that writes the mail: it holds for
//! all replicas, and survives a restart. It refills evenly.

use std::num::NonZeroU32;

use axum::http::StatusCode;
use chrono::{DateTime, TimeDelta, Utc};
use platform::database::PgConnection;

use crate::error::{AuthError, Result};
use crate::service::Service;
use crate::store::mail_allowances;

const HOUR: TimeDelta = TimeDelta::hours(1);
/// A third of what all have by default; more than anybody needs who looks for a mail.
const PER_ADDRESS: NonZeroU32 = NonZeroU32::new(10).expect("10 is not zero");
/// The key of what all have together: no address has it.
const ALL: &str = "";

/// Takes one mail to each recipient out of the allowances.
///
/// # Errors
/// 429 when there is none left; then the transaction must not be committed.
pub async fn take(
    service: &Service,
    connection: &mut PgConnection,
    recipients: &[&str],
    now: DateTime<Utc>,
) -> Result<()> {
    if service.limits.is_none() || service.config.must_confirm.nobody() {
        return Ok(());
    }
    let mut addresses: Vec<_> =
        recipients.iter().map(|address| service.digests.of_address(address)).collect();
    // In one order, so that no two wait for each other; what all share comes last and is held shortest.
    addresses.sort();
    for address in &addresses {
        take_from(connection, address, 1, PER_ADDRESS, now).await?;
    }
    mail_allowances::prune(connection, now).await?;
    let mails = u32::try_from(recipients.len()).unwrap_or(u32::MAX);
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
    // Rounded down, so that an hour has room for all of them.
    let share = TimeDelta::microseconds(HOUR.num_seconds() * 1_000_000 / i64::from(per_hour.get()));
    let step = share * i32::try_from(mails).unwrap_or(i32::MAX);
    if mail_allowances::take(connection, address_hash, step, HOUR, now).await?.is_some() {
        return Ok(());
    }
    let used_until = mail_allowances::used_until(connection, address_hash).await?;
    Err(over_limit("email rate limit exceeded", Some(used_until + step - HOUR - now)))
}

/// `wait`: until the next one; rounded up, so that whoever waits as told is heard.
pub fn over_limit(message: impl Into<String>, wait: Option<TimeDelta>) -> AuthError {
    let retry_after_seconds = wait.and_then(|wait| u64::try_from(seconds_of(wait)).ok());
    let refusal = AuthError::new(StatusCode::TOO_MANY_REQUESTS, "over_email_send_rate_limit", message.into());
    AuthError { retry_after_seconds, ..refusal }
}

pub fn seconds_of(wait: TimeDelta) -> i64 {
    wait.num_seconds() + i64::from(wait.subsec_nanos() > 0)
}
