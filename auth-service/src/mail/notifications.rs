//! Claims the e-mails of notifications. They have their own hourly allowance, per mailbox and in total, which all
//! replicas share. E-mails above it wait. Security and account e-mails don't count.

use std::num::NonZeroU32;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use platform::clock::Clock;
use platform::database::{PgConnection, Pool};

use super::outbox::{self, Queued};
use crate::config::mail::Pace;
use crate::domain::one_time_token::Digests;
use crate::store::allowances;

/// E-mails to one mailbox per hour.
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
    pub async fn claim_next(&self, pool: &Pool, pace: &Pace, clock: &Clock) -> sqlx::Result<Next> {
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
                Some(per_hour) if mail.attempts == 0 && mail.outdated(pace, now).is_none() => {
                    self.admit(&mut transaction, &mail, per_hour, now).await?
                }
                _ => Admission::Granted,
            };
            match admission {
                Admission::Granted => {
                    outbox::claim_locked(&mut transaction, &mut mail, pace.lease).await?;
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
        allowances::prune(connection, now).await?;
        let mailbox = allowances::mailboxes(connection, &[&mail.recipient]).await?.concat();
        let key = format!("{ALL}:{}", self.digests.of_address(&mailbox));
        if let Some(wait) = allowances::take_hourly(connection, &key, 1, PER_ADDRESS, now).await? {
            return Ok(Admission::AddressWaits(wait));
        }
        // The shared row comes last, so it is locked for the shortest time.
        let wait = allowances::take_hourly(connection, ALL, 1, per_hour, now).await?;
        Ok(wait.map_or(Admission::Granted, Admission::AllWait))
    }
}
