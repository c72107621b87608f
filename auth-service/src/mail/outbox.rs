//! `app.mail_outbox` as the worker sees it. A claim is a lease: the next attempt is put off, so a worker that
//! dies in between loses nothing. The number of the attempt tells whose claim it is: a worker that was
//! too slow can't settle what another one has claimed since.

use std::time::Duration;

use chrono::TimeDelta;
use platform::database::Pool;
use serde_json::Value;
use uuid::Uuid;

pub const CHANNEL: &str = "mail_outbox";

#[derive(sqlx::FromRow)]
pub struct Queued {
    pub id: Uuid,
    pub template: String,
    pub recipient: String,
    pub data: Value,
    /// This one included.
    pub attempts: i32,
}

/// A mail that ended without being sent.
#[derive(sqlx::FromRow)]
pub struct Stale {
    pub id: Uuid,
    pub template: String,
    pub attempts: i32,
    pub last_error: Option<String>,
}

/// What is due, at most `room`, for as long as the lease lasts. Safe beside other workers.
pub async fn claim(pool: &Pool, room: usize, lease: Duration) -> sqlx::Result<Vec<Queued>> {
    let claim = "
        update app.mail_outbox
        set attempts = attempts + 1, next_attempt_at = now() + make_interval(secs => $2)
        where id in (
          select id from app.mail_outbox
          where sent_at is null and given_up_at is null and next_attempt_at <= now()
          order by next_attempt_at limit $1 for update skip locked)
        returning id, template, recipient, data, attempts";
    sqlx::query_as(claim)
        .bind(i64::try_from(room).unwrap_or(i64::MAX))
        .bind(lease.as_secs_f64())
        .fetch_all(&mut *pool.acquire().await?)
        .await
}

/// Ends what was tried often enough, or whose link and code are dead by now: nobody's claim, but due.
pub async fn give_up_stale(pool: &Pool, attempts: i32, token_life: TimeDelta) -> sqlx::Result<Vec<Stale>> {
    let give_up = "
        update app.mail_outbox
        set given_up_at = now(), data = '{}',
          last_error = case when attempts >= $1 then last_error else 'expired' end
        where sent_at is null and given_up_at is null and next_attempt_at <= now()
          and (attempts >= $1 or (template <> 'approved' and created_at < now() - make_interval(secs => $2)))
        returning id, template, attempts, last_error";
    sqlx::query_as(give_up)
        .bind(attempts)
        .bind(token_life.as_seconds_f64())
        .fetch_all(&mut *pool.acquire().await?)
        .await
}

/// Whether the claim was still ours.
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

/// Again after `pause`, a quarter more or less, so that mails that failed together don't come together again.
pub async fn put_off(pool: &Pool, mail: &Queued, pause: Duration, reason: &str) -> sqlx::Result<()> {
    let put_off = "
        update app.mail_outbox
        set next_attempt_at = now() + make_interval(secs => $3) * (0.75 + random() / 2), last_error = $4
        where id = $1 and attempts = $2 and sent_at is null and given_up_at is null";
    sqlx::query(put_off)
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

/// Until the next mail is due; `None` when none waits.
pub async fn next_due(pool: &Pool) -> sqlx::Result<Option<Duration>> {
    let next = "
        select extract(epoch from min(next_attempt_at) - clock_timestamp())::float8
        from app.mail_outbox where sent_at is null and given_up_at is null";
    let seconds: Option<f64> = sqlx::query_scalar(next).fetch_one(&mut *pool.acquire().await?).await?;
    Ok(seconds.map(|seconds| Duration::try_from_secs_f64(seconds).unwrap_or_default()))
}

/// Mails that ended that long ago: addresses are not kept for ever.
pub async fn forget(pool: &Pool, after: TimeDelta) -> sqlx::Result<()> {
    let forget = "
        delete from app.mail_outbox
        where coalesce(sent_at, given_up_at) < now() - make_interval(secs => $1)";
    sqlx::query(forget).bind(after.as_seconds_f64()).execute(&mut *pool.acquire().await?).await?;
    Ok(())
}
