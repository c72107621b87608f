//! How many wrong passwords one address may be tried with, from wherever they come, and how many one client may try,
//! at whatever addresses.
//!
//! Addresses without an account are counted alike, so nothing tells them apart. A wrong password is counted
//! before it is answered, and a right one is believed only while the address's limit is not reached: of any number of
//! attempts at once, exactly the allowed number learn whether they were right, and right ones never use the
//! allowance up. The counts are the database's: they survive a restart and hold for all replicas together.

use std::num::NonZeroU32;

use chrono::{DateTime, TimeDelta, Utc};
use platform::database::PgConnection;

use crate::client::Client;
use crate::error::{AuthError, Result};
use crate::rate_limit::household;
use crate::security_event::{About, AddressMark, SecurityEvent};
use crate::service::Service;
use crate::store::password_sign_ins::{self, Candidate};
use crate::store::sign_in_failures::{self, Counted, Keys, SignInFailuresRow};

/// A pause, never a lock: anybody can type wrong passwords for somebody else's address.
#[derive(Debug, Clone, Copy)]
pub struct FailureLimit {
    /// For one address.
    pub most: NonZeroU32,
    /// From one client: an office of many behind one address forgets more passwords than one person.
    pub most_of_client: NonZeroU32,
    /// Counted from the first failure.
    pub window: TimeDelta,
}

/// Somebody tries a password.
#[derive(Clone, Copy)]
pub struct Attempt<'a> {
    pub email: &'a str,
    pub client: &'a Client,
}

impl Attempt<'_> {
    fn keys(self, service: &Service) -> Keys {
        let client = self.client.address.map(|address| service.digests.of_client(household(address)));
        Keys { address: service.digests.of_address(self.email), client }
    }
}

impl FailureLimit {
    /// Seconds until the next attempt is heard; `None` while attempts are heard.
    fn pause(self, counted: SignInFailuresRow, heard: u32, now: DateTime<Utc>) -> Option<u64> {
        let left = (counted.created_at + self.window - now).num_milliseconds();
        let over = u32::try_from(counted.failures).is_ok_and(|failures| failures > heard);
        // Rounded up: whoever waits as told is heard.
        u64::try_from(left).ok().filter(|left| over && *left > 0).map(|left| left.div_ceil(1000))
    }
}

/// Before a hash is computed.
///
/// # Errors
/// 429 while the address or the client has no attempt left.
pub async fn check(service: &Service, connection: &mut PgConnection, attempt: Attempt<'_>) -> Result<()> {
    if service.config.failure_limit.is_none() {
        return Ok(());
    }
    let counted = sign_in_failures::of(connection, &attempt.keys(service)).await?;
    refuse(service, attempt, counted, 1)
}

/// As [`check`], with whoever has the address: one question instead of two.
///
/// # Errors
/// 429 while the address or the client has no attempt left.
pub async fn find(
    service: &Service,
    connection: &mut PgConnection,
    attempt: Attempt<'_>,
) -> Result<Option<Candidate>> {
    let (user, counted) = password_sign_ins::find(connection, attempt.email, &attempt.keys(service)).await?;
    refuse(service, attempt, counted, 1)?;
    Ok(user)
}

/// Counts a wrong password and gives the answer to it.
pub async fn wrong_password(service: &Service, attempt: Attempt<'_>, answer: AuthError) -> AuthError {
    match count(service, attempt).await {
        Ok(()) => answer,
        Err(limited) => limited,
    }
}

async fn count(service: &Service, attempt: Attempt<'_>) -> Result<()> {
    let Some(limit) = service.config.failure_limit else { return Ok(()) };
    let (now, keys) = (service.now(), attempt.keys(service));
    let mut connection = service.pool.acquire().await?;
    let counted = sign_in_failures::add(&mut connection, &keys, now - limit.window, now).await?;
    if counted.address.is_some_and(|counted| counted.failures == 1) {
        sign_in_failures::prune(&mut connection, now - limit.window).await?;
    }
    refuse(service, attempt, counted, 0)
}

/// What a right password is held against, for who looks and writes in one statement.
pub struct Allowance {
    pub address_hash: String,
    /// More failures than these refuse it.
    pub heard: i32,
    /// What began before counts no more.
    pub forgotten: DateTime<Utc>,
}

impl Allowance {
    pub fn of(service: &Service, attempt: Attempt<'_>, now: DateTime<Utc>) -> Self {
        let address_hash = service.digests.of_address(attempt.email);
        match service.config.failure_limit {
            Some(limit) => Self {
                address_hash,
                heard: i32::try_from(limit.most.get() - 1).unwrap_or(i32::MAX),
                forgotten: now - limit.window,
            },
            None => Self { address_hash, heard: i32::MAX, forgotten: now },
        }
    }
}

/// The answer to a right password that came too late.
pub fn paused(service: &Service, attempt: Attempt<'_>, counted: SignInFailuresRow) -> AuthError {
    let left = service.config.failure_limit.and_then(|limit| limit.pause(counted, 0, service.now()));
    pause(service, attempt, left.unwrap_or(1))
}

/// The password was right: counts from the beginning again, in the transaction of what follows from it.
///
/// # Errors
/// 429 when others used the attempts up in the meantime; then the transaction must not be committed.
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
    refuse(service, attempt, Counted { address, client: None }, 1)
}

/// The account has a new password: what was tried before says nothing about it.
pub async fn forget(service: &Service, connection: &mut PgConnection, email: Option<&str>) -> Result<()> {
    if let Some(email) = email {
        sign_in_failures::delete(connection, &service.digests.of_address(email)).await?;
    }
    Ok(())
}

/// `next`: failures that the attempt itself would still add.
fn refuse(service: &Service, attempt: Attempt<'_>, counted: Counted, next: u32) -> Result<()> {
    let Some(limit) = service.config.failure_limit else { return Ok(()) };
    let now = service.now();
    let over = |counted: Option<SignInFailuresRow>, most: NonZeroU32| {
        counted.and_then(|counted| limit.pause(counted, most.get() - next, now))
    };
    if let Some(seconds) = over(counted.address, limit.most) {
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
    let address = AddressMark::new(service, attempt.email);
    let client = attempt.client.address;
    SecurityEvent::SignInPaused.record(About { address: Some(&address), client, ..About::default() });
    AuthError::too_many_requests(seconds)
}
