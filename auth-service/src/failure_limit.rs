//! How many wrong passwords one address may be tried with, from wherever they come.
//!
//! Addresses without an account are counted alike, so nothing tells them apart. A wrong password is counted
//! before it is answered, and a right one is believed only while the limit is not reached: of any number of
//! attempts at once, exactly the allowed number learn whether they were right, and right ones never use the
//! allowance up. The count is the database's: it survives a restart and holds for all replicas together.

use std::num::NonZeroU32;

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;

use crate::error::{AuthError, Result};
use crate::security_event::{About, AddressMark, SecurityEvent};
use crate::service::Service;
use crate::store::password_sign_ins::{self, Candidate};
use crate::store::sign_in_failures::{self, SignInFailuresRow};

/// A pause, never a lock: anybody can type wrong passwords for somebody else's address.
#[derive(Debug, Clone, Copy)]
pub struct FailureLimit {
    pub most: NonZeroU32,
    /// Counted from the first failure.
    pub window: TimeDelta,
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
/// 429 while the address has no attempt left.
pub async fn check(service: &Service, connection: &mut PgConnection, email: &str) -> Result<()> {
    let Some(limit) = service.config.failure_limit else { return Ok(()) };
    let counted = sign_in_failures::of_address(connection, &service.digests.of_address(email)).await?;
    refuse(service, email, limit, counted, limit.most.get() - 1)
}

/// As [`check`], with whoever has the address: one question instead of two.
///
/// # Errors
/// 429 while the address has no attempt left.
pub async fn find(
    service: &Service,
    connection: &mut PgConnection,
    email: &str,
) -> Result<Option<Candidate>> {
    let address_hash = service.digests.of_address(email);
    let (user, counted) = password_sign_ins::find(connection, email, &address_hash).await?;
    if let Some(limit) = service.config.failure_limit {
        refuse(service, email, limit, counted, limit.most.get() - 1)?;
    }
    Ok(user)
}

/// Counts a wrong password and gives the answer to it.
pub async fn wrong_password(service: &Service, email: &str, answer: AuthError) -> AuthError {
    match count(service, email).await {
        Ok(()) => answer,
        Err(limited) => limited,
    }
}

async fn count(service: &Service, email: &str) -> Result<()> {
    let Some(limit) = service.config.failure_limit else { return Ok(()) };
    let now = service.now();
    let mut connection = service.pool.acquire().await?;
    let hash = service.digests.of_address(email);
    let counted = sign_in_failures::add(&mut connection, &hash, now - limit.window, now).await?;
    if counted.failures == 1 {
        sign_in_failures::prune(&mut connection, now - limit.window).await?;
    }
    refuse(service, email, limit, Some(counted), limit.most.get())
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
    pub fn of(service: &Service, email: &str, now: DateTime<Utc>) -> Self {
        let address_hash = service.digests.of_address(email);
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
pub fn paused(service: &Service, email: &str, counted: SignInFailuresRow) -> AuthError {
    let left = service.config.failure_limit.and_then(|limit| limit.pause(counted, 0, service.now()));
    pause(service, email, left.unwrap_or(1))
}

/// The password was right: counts from the beginning again, in the transaction of what follows from it.
///
/// # Errors
/// 429 when others used the attempts up in the meantime; then the transaction must not be committed.
pub async fn right_password(service: &Service, connection: &mut PgConnection, email: &str) -> Result<()> {
    let Some(limit) = service.config.failure_limit else { return Ok(()) };
    let counted = sign_in_failures::delete(connection, &service.digests.of_address(email)).await?;
    refuse(service, email, limit, counted, limit.most.get() - 1)
}

/// The account has a new password: what was tried before says nothing about it.
pub async fn forget(service: &Service, connection: &mut PgConnection, email: Option<&str>) -> Result<()> {
    if let Some(email) = email {
        sign_in_failures::delete(connection, &service.digests.of_address(email)).await?;
    }
    Ok(())
}

fn refuse(
    service: &Service,
    email: &str,
    limit: FailureLimit,
    counted: Option<SignInFailuresRow>,
    heard: u32,
) -> Result<()> {
    match counted.and_then(|counted| limit.pause(counted, heard, service.now())) {
        Some(seconds) => Err(pause(service, email, seconds)),
        None => Ok(()),
    }
}

fn pause(service: &Service, email: &str, seconds: u64) -> AuthError {
    let address = AddressMark::new(service, email);
    SecurityEvent::SignInPaused.record(About { address: Some(&address), ..About::default() });
    AuthError::too_many_requests(seconds)
}
