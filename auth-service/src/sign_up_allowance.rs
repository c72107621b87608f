//! Limits accounts that sign up without a confirmation e-mail, for all clients together: the owner of an IPv6
//! network has thousands of clients. Other sign-ups are limited by the allowance of e-mails.

use chrono::{DateTime, TimeDelta, Utc};
use platform::database::PgConnection;

use crate::error::{AuthError, Result};
use crate::mail_allowance::seconds_of;
use crate::service::Service;
use crate::store::mail_allowances;

const HOUR: TimeDelta = TimeDelta::hours(1);
/// A row among those of addresses. No address hashes to it.
const KEY: &str = "sign-ups";

/// Takes one sign-up. The allowance refills evenly. Call it last: all sign-ups share the row, which stays locked
/// until the transaction ends.
///
/// # Errors
/// 429 when the allowance is used up; the transaction must then be rolled back.
pub async fn take(service: &Service, connection: &mut PgConnection, now: DateTime<Utc>) -> Result<()> {
    if service.limits.is_none() {
        return Ok(());
    }
    let per_hour = service.config.accounts.sign_ups_per_hour.get();
    // Rounded down, so that the full hourly number fits into an hour.
    let step = TimeDelta::microseconds(HOUR.num_seconds() * 1_000_000 / i64::from(per_hour));
    if mail_allowances::take(connection, KEY, step, HOUR, now).await?.is_some() {
        return Ok(());
    }
    let wait = mail_allowances::used_until(connection, KEY).await? + step - HOUR - now;
    Err(AuthError::too_many_requests(u64::try_from(seconds_of(wait)).unwrap_or(0)))
}
