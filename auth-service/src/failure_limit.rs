//! Limits wrong passwords per e-mail address, from any client, and per client, for any address. One client uses up
//! only half of an address's allowance, so that the owner can still sign in from elsewhere.
//!
//! Addresses without an account are counted in the same way, so the limit does not reveal which ones exist. A
//! wrong password is counted before the response is sent, and a correct one is accepted only while the
//! address is below its limit: of any number of concurrent attempts, exactly the allowed number learn whether
//! they were correct. Correct passwords never use up the allowance. The database keeps the counts, so they
//! survive a restart and apply to all replicas.

use std::num::NonZeroU32;

use chrono::{DateTime, Utc};
use platform::database::PgConnection;
use platform::http::origin::network_of;

use crate::client::Client;
use crate::domain::failure_limit::FailureLimit;
use crate::error::{AuthError, Result};
use crate::security_event::{About, AddressHash, SecurityEvent};
use crate::service::Service;
use crate::store::password_sign_ins::{self, Candidate};
use crate::store::sign_in_failures::{self, FailureCounts, Keys, SignInFailuresRow};

/// One attempt to sign in with a password.
#[derive(Clone, Copy)]
pub struct Attempt<'a> {
    pub email: &'a str,
    pub client: &'a Client,
}

impl Attempt<'_> {
    fn keys(self, service: &Service) -> Keys {
        let client = self.client.address.map(|address| service.digests.of_client(network_of(address)));
        Keys { address: service.digests.of_address(self.email), client }
    }

    /// How many of the failures for one address may be this client's. A loopback address belongs to a proxy that
    /// is not configured as trusted: it identifies no client.
    fn share(self, limit: FailureLimit) -> NonZeroU32 {
        let is_known = self.client.address.is_some_and(|address| !address.is_loopback());
        NonZeroU32::new(limit.most.get().div_ceil(2)).filter(|_| is_known).unwrap_or(limit.most)
    }
}

impl FailureLimit {
    /// Seconds until the next attempt is accepted; `None` while attempts are accepted.
    fn pause(self, counted: SignInFailuresRow, max_failures: u32, now: DateTime<Utc>) -> Option<u64> {
        let left = (counted.created_at + self.window - now).num_milliseconds();
        let over = u32::try_from(counted.failures).is_ok_and(|failures| failures > max_failures);
        // Rounded up, so that a client that waits this long is accepted.
        u64::try_from(left).ok().filter(|left| over && *left > 0).map(|left| left.div_ceil(1000))
    }
}

/// Checked before a hash is computed.
///
/// # Errors
/// 429 while the address or the client has no attempts left.
pub async fn check(service: &Service, connection: &mut PgConnection, attempt: Attempt<'_>) -> Result<()> {
    if service.config.failure_limit.is_none() {
        return Ok(());
    }
    let counted = sign_in_failures::of(connection, &attempt.keys(service)).await?;
    refuse(service, attempt, counted, 1)
}

/// Like [`check`], and returns the account with this address: one query instead of two.
///
/// # Errors
/// 429 while the address or the client has no attempts left.
pub async fn find(
    service: &Service,
    connection: &mut PgConnection,
    attempt: Attempt<'_>,
) -> Result<Option<Candidate>> {
    let (user, counted) = password_sign_ins::find(connection, attempt.email, &attempt.keys(service)).await?;
    refuse(service, attempt, counted, 1)?;
    Ok(user)
}

/// Counts a wrong password and returns the error to respond with.
pub async fn wrong_password(service: &Service, attempt: Attempt<'_>, answer: AuthError) -> AuthError {
    match count(service, attempt).await {
        Ok(()) => answer,
        Err(limited) => limited,
    }
}

async fn count(service: &Service, attempt: Attempt<'_>) -> Result<()> {
    let Some(limit) = service.config.failure_limit else { return Ok(()) };
    let (now, keys) = (service.now(), attempt.keys(service));
    let most_of_client = i32::try_from(attempt.share(limit).get()).unwrap_or(i32::MAX);
    let mut connection = service.pool.acquire().await?;
    let counted =
        sign_in_failures::add(&mut connection, &keys, most_of_client, now - limit.window, now).await?;
    if counted.address.is_some_and(|counted| counted.failures == 1) {
        sign_in_failures::prune(&mut connection, now - limit.window).await?;
    }
    refuse(service, attempt, counted, 0)
}

/// The limit a correct password is checked against, for a statement that checks and writes at once.
pub struct Allowance {
    pub address_hash: String,
    /// More failures than this reject the attempt.
    pub max_failures: i32,
    /// Failures counted since before this time have expired.
    pub window_start: DateTime<Utc>,
}

impl Allowance {
    pub fn of(service: &Service, attempt: Attempt<'_>, now: DateTime<Utc>) -> Self {
        let address_hash = service.digests.of_address(attempt.email);
        match service.config.failure_limit {
            Some(limit) => Self {
                address_hash,
                max_failures: i32::try_from(limit.most.get() - 1).unwrap_or(i32::MAX),
                window_start: now - limit.window,
            },
            None => Self { address_hash, max_failures: i32::MAX, window_start: now },
        }
    }
}

/// The response to a correct password when the address has reached its limit.
pub fn paused(service: &Service, attempt: Attempt<'_>, counted: SignInFailuresRow) -> AuthError {
    let left = service.config.failure_limit.and_then(|limit| limit.pause(counted, 0, service.now()));
    pause(service, attempt, left.unwrap_or(1))
}

/// Resets the count after a correct password, in the same transaction as the sign-in.
///
/// # Errors
/// 429 when concurrent attempts used up the allowance; the transaction must then be rolled back.
pub async fn right_password(
    service: &Service,
    connection: &mut PgConnection,
    attempt: Attempt<'_>,
) -> Result<()> {
    if service.config.failure_limit.is_none() {
        return Ok(());
    }
    let key = service.digests.of_address(attempt.email);
    let address = sign_in_failures::delete(connection, &key).await?;
    refuse(service, attempt, FailureCounts { address, client: None }, 1)
}

/// Resets the count after a password change: earlier failures say nothing about the new password.
pub async fn forget(service: &Service, connection: &mut PgConnection, email: Option<&str>) -> Result<()> {
    if let Some(email) = email {
        sign_in_failures::delete(connection, &service.digests.of_address(email)).await?;
    }
    Ok(())
}

/// `next`: the failures this attempt may still add.
fn refuse(service: &Service, attempt: Attempt<'_>, counted: FailureCounts, next: u32) -> Result<()> {
    let Some(limit) = service.config.failure_limit else { return Ok(()) };
    let now = service.now();
    let over = |counted: Option<SignInFailuresRow>, most: NonZeroU32| {
        counted.and_then(|counted| limit.pause(counted, most.get() - next, now))
    };
    let share = attempt.share(limit);
    let of_client = counted.address.map(|counted| SignInFailuresRow {
        failures: i32::try_from(counted.of_client).unwrap_or(i32::MAX),
        ..counted
    });
    if let Some(seconds) = over(counted.address, limit.most).or_else(|| over(of_client, share)) {
        return Err(pause(service, attempt, seconds));
    }
    match over(counted.client, limit.most_of_client) {
        Some(seconds) => {
            let (client, by) = (attempt.client.address, Some("passwords"));
            SecurityEvent::ClientLimited.record(About { client, by, ..About::default() });
            Err(AuthError::too_many_requests(seconds))
        }
        None => Ok(()),
    }
}

fn pause(service: &Service, attempt: Attempt<'_>, seconds: u64) -> AuthError {
    let address = AddressHash::new(&service.digests, attempt.email);
    let client = attempt.client.address;
    SecurityEvent::SignInPaused.record(About { address: Some(&address), client, ..About::default() });
    AuthError::too_many_requests(seconds)
}
