//! Queries on `serasi.mail_outbox`. Security mails have urgency -1 and are sent first, then account e-mails (0),
//! because someone is waiting for them, then notifications (1) and digests (2).
//!
//! A claim is a lease: it postpones the next attempt, so nothing is lost when a worker dies. The attempt number
//! identifies the claim: a slow worker can't settle an e-mail that another worker has claimed since.

use std::ops::RangeInclusive;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use platform::database::{PgConnection, Pool};
use serde::Serialize;
use serde_json::Value;
use sqlx::types::Json;
use uuid::Uuid;

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

/// How an attempt ended. Texts say why, in words that are safe to log and store.
#[derive(Debug, PartialEq, Eq)]
pub enum Outcome {
    Sent,
    /// A problem with the server or the connection: retry after this pause.
    PutOff(Duration, String),
    GivenUp(String),
}

/// Queues an e-mail in the caller's transaction.
///
/// # Errors
/// Fails when the database rejects the row.
pub async fn enqueue(
    connection: &mut PgConnection,
    template: &str,
    recipient: &str,
    data: &(impl Serialize + Sync),
) -> sqlx::Result<()> {
    let add = sqlx::query("insert into serasi.mail_outbox (template, recipient, data) values ($1, $2, $3)");
    add.bind(template).bind(recipient).bind(Json(data)).execute(connection).await?;
    Ok(())
}

/// Claims the next due e-mail of one of these urgencies for the length of the lease. Safe with concurrent workers.
/// One urgency after the other, so that postponed e-mails of the first are not read.
pub async fn claim(
    connection: &mut PgConnection,
    urgencies: RangeInclusive<i16>,
    lease: Duration,
) -> sqlx::Result<Option<Queued>> {
    let claim = "
        update serasi.mail_outbox
        set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => $2)
        where id = (
          select id from serasi.mail_outbox
          where urgency = $1 and sent_at is null and given_up_at is null and next_attempt_at <= now()
          order by next_attempt_at limit 1 for update skip locked)
        returning id, template, recipient, data, attempts, urgency, created_at, last_error";
    for urgency in urgencies {
        let claim = sqlx::query_as(claim).bind(urgency).bind(lease.as_secs_f64());
        let claimed = claim.fetch_optional(&mut *connection).await?;
        if claimed.is_some() {
            return Ok(claimed);
        }
    }
    Ok(None)
}

/// Returns a claimed e-mail, and postpones it without counting an attempt.
pub async fn put_off(connection: &mut PgConnection, mail: &Queued, seconds: f64) -> sqlx::Result<()> {
    let put_off = "
        update serasi.mail_outbox set attempts = attempts - 1, next_attempt_at = now() + make_interval(secs => $2)
        where id = $1";
    sqlx::query(put_off).bind(mail.id).bind(seconds).execute(connection).await?;
    Ok(())
}

/// Records the outcome. Returns whether the claim was still ours. A pause varies by 25 %, which spreads out e-mails that
/// failed together.
pub async fn settle(pool: &Pool, mail: &Queued, outcome: &Outcome) -> sqlx::Result<bool> {
    let (state, pause, reason) = match outcome {
        Outcome::Sent => ("sent", 0.0, None),
        Outcome::PutOff(pause, reason) => ("put off", pause.as_secs_f64(), Some(reason)),
        Outcome::GivenUp(reason) => ("given up", 0.0, Some(reason)),
    };
    let settle = "
        update serasi.mail_outbox set
          sent_at = case $3 when 'sent' then now() end,
          given_up_at = case $3 when 'given up' then now() end,
          data = case $3 when 'put off' then data else '{}' end,
          next_attempt_at = case $3 when 'put off' then now() + make_interval(secs => $4) * (0.75 + random() / 2)
            else next_attempt_at end,
          last_error = $5
        where id = $1 and attempts = $2 and sent_at is null and given_up_at is null";
    let settle = sqlx::query(settle).bind(mail.id).bind(mail.attempts).bind(state).bind(pause).bind(reason);
    let settled = settle.execute(&mut *pool.acquire().await?).await?;
    Ok(settled.rows_affected() == 1)
}

/// Deletes some e-mails that ended that long ago: addresses must not be kept forever.
pub async fn prune(pool: &Pool, after: TimeDelta) -> sqlx::Result<()> {
    let prune = "
        delete from serasi.mail_outbox where id in (
          select id from serasi.mail_outbox
          where (sent_at is not null or given_up_at is not null)
            and coalesce(sent_at, given_up_at) < now() - make_interval(secs => $1)
          order by coalesce(sent_at, given_up_at) limit 1000 for update skip locked)";
    sqlx::query(prune).bind(after.as_seconds_f64()).execute(&mut *pool.acquire().await?).await?;
    Ok(())
}

/// The e-mail waiting in the outbox, the age of the oldest in seconds, and how many were given up. E-mails that were postponed
/// because their address got too many don't count as old. Counts at most ten thousand of each, the most urgent first, so that it
/// stays cheap.
pub async fn backlog(pool: &Pool, urgencies: &RangeInclusive<i16>) -> sqlx::Result<(i64, f64, i64)> {
    let count = "
        select count(*),
          coalesce(extract(epoch from now() - min(created_at) filter (where attempts > 0 or next_attempt_at <= now())), 0)
            ::float8,
          (select count(*) from (
            select from serasi.mail_outbox where given_up_at is not null and urgency between $1 and $2 limit 10000) as failed)
        from (
          select created_at, attempts, next_attempt_at from serasi.mail_outbox
          where sent_at is null and given_up_at is null and urgency between $1 and $2
          order by urgency, next_attempt_at limit 10000) as waiting";
    let backlog = sqlx::query_as(count).bind(urgencies.start()).bind(urgencies.end());
    backlog.fetch_one(&mut *pool.acquire().await?).await
}
