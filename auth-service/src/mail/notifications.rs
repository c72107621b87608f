//! Claims the e-mails of notifications. They have their own hourly allowance, per address and in total, which all
//! replicas share. E-mails above it wait. Account e-mails don't count.

use std::num::NonZeroU32;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use platform::clock::Clock;
use platform::database::{PgConnection, Pool};

use super::outbox::{self, Queued};
use crate::domain::one_time_token::Digests;
use crate::store::mail_allowances;

const HOUR: TimeDelta = TimeDelta::hours(1);
/// E-mails to one address per hour.
const PER_ADDRESS: NonZeroU32 = NonZeroU32::new(20).expect("20 is not zero");
/// The key of the total, which is not an address.
const ALL: &str = "notifications";
/// Limits the time that one call takes.
const PUT_OFF_AT_ONCE: usize = 20;

pub struct Allowance {
    pub digests: Digests,
    /// `None`: no limit, neither in total nor per address.
    pub per_hour: Option<NonZeroU32>,
}

/// What to do about the next e-mail.
pub enum Next {
    /// Deliver it.
    Claimed(Queued),
    /// None is due.
    Nothing,
    /// Several were postponed; others may be due.
    Unknown,
    /// The total is used up. Try again after this time.
    UsedUp(Duration),
}

enum Admission {
    Granted,
    /// The allowance of the address is used up for this time.
    AddressWaits(TimeDelta),
    /// The total is used up for this time.
    AllWait(TimeDelta),
}

impl Allowance {
    /// Claims the next due e-mail for the length of the lease. Safe with concurrent workers.
    pub async fn claim_next(&self, pool: &Pool, lease: Duration, clock: &Clock) -> sqlx::Result<Next> {
        for _ in 0..PUT_OFF_AT_ONCE {
            let mut transaction = pool.begin().await?;
            let Some(mut mail) = outbox::next_notification(&mut transaction).await? else {
                return Ok(Next::Nothing);
            };
            // Read after the lock, because an earlier time could postpone an e-mail that has become due
            // since.
            let now = clock.now();
            // The allowance counts e-mails, not attempts.
            let admission = match self.per_hour {
                Some(per_hour) if mail.attempts == 0 => {
                    self.admit(&mut transaction, &mail, per_hour, now).await?
                }
                _ => Admission::Granted,
            };
            match admission {
                Admission::Granted => {
                    outbox::claim_locked(&mut transaction, &mut mail, lease).await?;
                    transaction.commit().await?;
                    return Ok(Next::Claimed(mail));
                }
                Admission::AddressWaits(wait) => {
                    outbox::put_off(&mut transaction, mail.id, wait).await?;
                    transaction.commit().await?;
                    metrics::counter!("auth_mails_total", "outcome" => "held_back").increment(1);
                }
                // The rollback also undoes the address's share.
                Admission::AllWait(wait) => {
                    transaction.rollback().await?;
                    return Ok(Next::UsedUp(wait.to_std().unwrap_or_default()));
                }
            }
        }
        Ok(Next::Unknown)
    }

    async fn admit(
        &self,
        connection: &mut PgConnection,
        mail: &Queued,
        per_hour: NonZeroU32,
        now: DateTime<Utc>,
    ) -> sqlx::Result<Admission> {
        mail_allowances::prune(connection, now).await?;
        let address = format!("{ALL}:{}", self.digests.of_address(&mail.recipient.to_lowercase()));
        if let Some(wait) = take(connection, &address, PER_ADDRESS, now).await? {
            return Ok(Admission::AddressWaits(wait));
        }
        // The shared row comes last, so it is locked for the shortest time.
        let wait = take(connection, ALL, per_hour, now).await?;
        Ok(wait.map_or(Admission::Granted, Admission::AllWait))
    }
}

/// Takes one e-mail from the allowance, or returns how long to wait for it. The allowance refills evenly.
async fn take(
    connection: &mut PgConnection,
    key: &str,
    per_hour: NonZeroU32,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<TimeDelta>> {
    // Rounded down, so that the full hourly number fits into an hour.
    let step = TimeDelta::microseconds(HOUR.num_seconds() * 1_000_000 / i64::from(per_hour.get()));
    if mail_allowances::take(connection, key, step, HOUR, now).await?.is_some() {
        return Ok(None);
    }
    let used_until = mail_allowances::used_until(connection, key).await?;
    Ok(Some(used_until + step - HOUR - now))
}
