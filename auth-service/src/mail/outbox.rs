//! Queries on `app.mail_outbox`. Account e-mails have urgency 0 and are sent first, because someone is
//! waiting for them.
//!
//! A claim is a lease: it postpones the next attempt, so nothing is lost when a worker dies. The attempt number
//! identifies the claim: a slow worker can't settle an e-mail that another worker has claimed since.

use std::time::Duration;

use chrono::TimeDelta;
use platform::database::{PgConnection, Pool};
use serde_json::Value;
use uuid::Uuid;

pub const CHANNEL: &str = "mail_outbox";

#[derive(sqlx::FromRow)]
pub struct Queued {
    pub id: Uuid,
    pub template: String,
    pub recipient: String,
    pub data: Value,
    /// Includes the current attempt.
    pub attempts: i32,
}

/// An e-mail that was given up.
#[derive(sqlx::FromRow)]
pub struct Stale {
    pub id: Uuid,
    pub template: String,
    pub attempts: i32,
    pub last_error: Option<String>,
}

/// Claims up to `room` due e-mails of accounts for the length of the lease. Safe with concurrent workers.
pub async fn claim_urgent(pool: &Pool, room: usize, lease: Duration) -> sqlx::Result<Vec<Queued>> {
    let claim = "
        update app.mail_outbox
        set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => $2)
        where id in (
          select id from app.mail_outbox
          where urgency = 0 and sent_at is null and given_up_at is null and next_attempt_at <= now()
          order by next_attempt_at limit $1 for update skip locked)
        returning id, template, recipient, data, attempts";
    sqlx::query_as(claim)
        .bind(i64::try_from(room).unwrap_or(i64::MAX))
        .bind(lease.as_secs_f64())
        .fetch_all(&mut *pool.acquire().await?)
        .await
}

/// Locks the next due e-mail that is not an account e-mail, until the transaction ends. Digests come last.
pub async fn next_notification(connection: &mut PgConnection) -> sqlx::Result<Option<Queued>> {
    let next = "
        select id, template, recipient, data, attempts from app.mail_outbox
        where urgency > 0 and sent_at is null and given_up_at is null and next_attempt_at <= now()
        order by urgency, next_attempt_at limit 1 for update skip locked";
    sqlx::query_as(next).fetch_optional(connection).await
}

/// Claims an e-mail that [`next_notification`] has locked.
pub async fn claim_locked(
    connection: &mut PgConnection,
    mail: &mut Queued,
    lease: Duration,
) -> sqlx::Result<()> {
    mail.attempts += 1;
    let claim = "update app.mail_outbox set attempts = $2, next_attempt_at = now() + make_interval(secs => $3) where id = $1";
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
        "update app.mail_outbox set next_attempt_at = now() + make_interval(secs => $2) where id = $1",
    )
    .bind(id)
    .bind(pause.as_seconds_f64())
    .execute(connection)
    .await?;
    Ok(())
}

/// Gives up due e-mails that have used all attempts or are too old: an account's link and code expire after
/// `token_life`, and a notification is outdated after `notification_life`. Approvals never become too old.
pub async fn give_up_stale(
    pool: &Pool,
    attempts: i32,
    token_life: TimeDelta,
    notification_life: TimeDelta,
) -> sqlx::Result<Vec<Stale>> {
    let give_up = "
        update app.mail_outbox
        set given_up_at = now(), data = '{}',
          last_error = case when attempts >= $1 then last_error else 'expired' end
        where sent_at is null and given_up_at is null and next_attempt_at <= now()
          and (attempts >= $1 or (template <> 'approved'
            and created_at < now() - make_interval(secs => case urgency when 0 then $2 else $3 end)))
        returning id, template, attempts, last_error";
    sqlx::query_as(give_up)
        .bind(attempts)
        .bind(token_life.as_seconds_f64())
        .bind(notification_life.as_seconds_f64())
        .fetch_all(&mut *pool.acquire().await?)
        .await
}

/// Marks the e-mail as sent. Returns whether the claim was still ours.
pub async fn sent(pool: &Pool, mail: &Queued) -> sqlx::Result<bool> {
    let settle = "
        update app.mail_outbox set sent_at = now(), data = '{}', last_error = null
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
        update app.mail_outbox
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
        update app.mail_outbox set given_up_at = now(), data = '{}', last_error = $3
        where id = $1 and attempts = $2 and sent_at is null and given_up_at is null";
    sqlx::query(give_up)
        .bind(mail.id)
        .bind(mail.attempts)
        .bind(reason)
        .execute(&mut *pool.acquire().await?)
        .await?;
    Ok(())
}

/// Time until the next e-mail is due, of accounts only or of any kind; `None` when none is queued.
pub async fn next_due(pool: &Pool, urgent_only: bool) -> sqlx::Result<Option<Duration>> {
    let next = "
        select extract(epoch from min(next_attempt_at) - clock_timestamp())::float8
        from app.mail_outbox
        where sent_at is null and given_up_at is null and urgency <= case when $1 then 0 else 2 end";
    let seconds: Option<f64> =
        sqlx::query_scalar(next).bind(urgent_only).fetch_one(&mut *pool.acquire().await?).await?;
    Ok(seconds.map(|seconds| Duration::try_from_secs_f64(seconds).unwrap_or_default()))
}

/// Deletes e-mails that ended that long ago: addresses must not be kept forever.
pub async fn prune(pool: &Pool, after: TimeDelta) -> sqlx::Result<()> {
    let prune = "
        delete from app.mail_outbox
        where coalesce(sent_at, given_up_at) < now() - make_interval(secs => $1)";
    sqlx::query(prune).bind(after.as_seconds_f64()).execute(&mut *pool.acquire().await?).await?;
    Ok(())
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

/// Counts at most ten thousand of each, so that it stays cheap.
pub async fn backlog(pool: &Pool) -> sqlx::Result<Backlog> {
    let count = "
        select count(*) as pending,
          coalesce(extract(epoch from now() - min(created_at) filter (where attempts > 0 or next_attempt_at <= now())), 0)
            ::float8 as oldest,
          (select count(*) from (select from app.mail_outbox where given_up_at is not null limit 10000) as failed)
            as given_up
        from (
          select created_at, attempts, next_attempt_at from app.mail_outbox where sent_at is null and given_up_at is null limit 10000) as waiting";
    sqlx::query_as(count).fetch_one(&mut *pool.acquire().await?).await
}
