//! Queries on `serasi.mail_outbox`. Security mails have urgency -1 and are sent first, then account e-mails (0),
//! because someone is waiting for them, then notifications (1) and digests (2).
//!
//! A claim is a lease: it postpones the next attempt, so nothing is lost when a worker dies. The attempt number
//! identifies the claim: a slow worker can't settle an e-mail that another worker has claimed since.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use platform::database::{PgConnection, Pool};
use serde_json::Value;
use uuid::Uuid;

use crate::config::mail::Pace;

/// Ended e-mails deleted at once.
const PRUNED_AT_ONCE: u16 = 1000;

#[derive(sqlx::FromRow)]
pub struct Queued {
    pub id: Uuid,
    pub template: String,
    pub recipient: String,
    pub data: Value,
    /// Includes the current attempt.
    pub attempts: i32,
    pub urgency: i16,
    pub created_at: DateTime<Utc>,
    pub last_error: Option<String>,
}

impl Queued {
    /// Why the e-mail is not sent any more: a worker died in its last attempt, or it is too old. An account's
    /// link and code expire, and a notification is outdated. Approvals never become too old.
    pub fn outdated(&self, pace: &Pace, now: DateTime<Utc>) -> Option<String> {
        let life = if self.urgency == 0 { pace.token_life } else { pace.notification_life };
        if self.attempts > pace.attempts {
            return Some(
                self.last_error.clone().unwrap_or_else(|| "the last attempt did not end".to_owned()),
            );
        }
        (self.template != "approved" && self.created_at + life < now).then(|| "expired".to_owned())
    }
}

/// Claims up to `room` due security and account e-mails for the length of the lease. Safe with concurrent
/// workers.
pub async fn claim_urgent(pool: &Pool, room: usize, lease: Duration) -> sqlx::Result<Vec<Queued>> {
    let claim = "
        update serasi.mail_outbox
        set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => $2)
        where id in (
          select id from serasi.mail_outbox
          where urgency <= 0 and sent_at is null and given_up_at is null and next_attempt_at <= now()
          order by urgency, next_attempt_at limit $1 for update skip locked)
        returning id, template, recipient, data, attempts, urgency, created_at, last_error";
    sqlx::query_as(claim)
        .bind(i64::try_from(room).unwrap_or(i64::MAX))
        .bind(lease.as_secs_f64())
        .fetch_all(&mut *pool.acquire().await?)
        .await
}

/// Locks the next due notification or digest until the transaction ends. One class after the other, so that
/// postponed e-mails of the first are not read.
pub async fn next_notification(connection: &mut PgConnection) -> sqlx::Result<Option<Queued>> {
    let next = "
        select id, template, recipient, data, attempts, urgency, created_at, last_error from serasi.mail_outbox
        where urgency = $1 and sent_at is null and given_up_at is null and next_attempt_at <= now()
        order by next_attempt_at limit 1 for update skip locked";
    for urgency in 1..=2_i16 {
        let mail = sqlx::query_as(next).bind(urgency).fetch_optional(&mut *connection).await?;
        if mail.is_some() {
            return Ok(mail);
        }
    }
    Ok(None)
}

/// Claims an e-mail that [`next_notification`] has locked.
pub async fn claim_locked(
    connection: &mut PgConnection,
    mail: &mut Queued,
    lease: Duration,
) -> sqlx::Result<()> {
    mail.attempts += 1;
    let claim = "update serasi.mail_outbox set attempts = $2, next_attempt_at = now() + make_interval(secs => $3) where id = $1";
    sqlx::query(claim)
        .bind(mail.id)
        .bind(mail.attempts)
        .bind(lease.as_secs_f64())
        .execute(connection)
        .await?;
    Ok(())
}

/// Postpones an e-mail that [`next_notification`] has locked, without counting an attempt.
pub async fn put_off(connection: &mut PgConnection, id: Uuid, pause: TimeDelta) -> sqlx::Result<()> {
    sqlx::query(
        "update serasi.mail_outbox set next_attempt_at = now() + make_interval(secs => $2) where id = $1",
    )
    .bind(id)
    .bind(pause.as_seconds_f64())
    .execute(connection)
    .await?;
    Ok(())
}

/// Marks the e-mail as sent. Returns whether the claim was still ours.
pub async fn sent(pool: &Pool, mail: &Queued) -> sqlx::Result<bool> {
    let settle = "
        update serasi.mail_outbox set sent_at = now(), data = '{}', last_error = null
        where id = $1 and attempts = $2 and sent_at is null and given_up_at is null";
    Ok(sqlx::query(settle)
        .bind(mail.id)
        .bind(mail.attempts)
        .execute(&mut *pool.acquire().await?)
        .await?
        .rows_affected()
        == 1)
}

/// Schedules a retry after `pause` ± 25 %. The jitter spreads out e-mails that failed together.
pub async fn retry_later(pool: &Pool, mail: &Queued, pause: Duration, reason: &str) -> sqlx::Result<()> {
    let retry_later = "
        update serasi.mail_outbox
        set next_attempt_at = now() + make_interval(secs => $3) * (0.75 + random() / 2), last_error = $4
        where id = $1 and attempts = $2 and sent_at is null and given_up_at is null";
    sqlx::query(retry_later)
        .bind(mail.id)
        .bind(mail.attempts)
        .bind(pause.as_secs_f64())
        .bind(reason)
        .execute(&mut *pool.acquire().await?)
        .await?;
    Ok(())
}

pub async fn give_up(pool: &Pool, mail: &Queued, reason: &str) -> sqlx::Result<()> {
    let give_up = "
        update serasi.mail_outbox set given_up_at = now(), data = '{}', last_error = $3
        where id = $1 and attempts = $2 and sent_at is null and given_up_at is null";
    sqlx::query(give_up)
        .bind(mail.id)
        .bind(mail.attempts)
        .bind(reason)
        .execute(&mut *pool.acquire().await?)
        .await?;
    Ok(())
}

/// Deletes some e-mails that ended that long ago: addresses must not be kept forever. Returns whether there may
/// be more.
pub async fn prune(pool: &Pool, after: TimeDelta) -> sqlx::Result<bool> {
    let prune = "
        delete from serasi.mail_outbox where id in (
          select id from serasi.mail_outbox
          where (sent_at is not null or given_up_at is not null)
            and coalesce(sent_at, given_up_at) < now() - make_interval(secs => $1)
          order by coalesce(sent_at, given_up_at) limit $2 for update skip locked)";
    let pruned = sqlx::query(prune)
        .bind(after.as_seconds_f64())
        .bind(i64::from(PRUNED_AT_ONCE))
        .execute(&mut *pool.acquire().await?)
        .await?;
    Ok(pruned.rows_affected() == u64::from(PRUNED_AT_ONCE))
}

/// The e-mail waiting in the outbox.
#[derive(sqlx::FromRow)]
pub struct Backlog {
    pub pending: i64,
    /// Age of the oldest one in seconds. E-mails that were postponed because their address got too many don't
    /// count.
    pub oldest: f64,
    pub given_up: i64,
}

/// Counts at most ten thousand of each, the most urgent first, so that it stays cheap.
pub async fn backlog(pool: &Pool) -> sqlx::Result<Backlog> {
    let count = "
        select count(*) as pending,
          coalesce(extract(epoch from now() - min(created_at) filter (where attempts > 0 or next_attempt_at <= now())), 0)
            ::float8 as oldest,
          (select count(*) from (select from serasi.mail_outbox where given_up_at is not null limit 10000) as failed)
            as given_up
        from (
          select created_at, attempts, next_attempt_at from serasi.mail_outbox where sent_at is null and given_up_at is null
          order by urgency, next_attempt_at limit 10000) as waiting";
    sqlx::query_as(count).fetch_one(&mut *pool.acquire().await?).await
}
