//! Requests as the gateway and the services of an older version send them: one transaction each, with role, claims and
//! time limits, and with statements that were prepared before the upgrade.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, PgConnection};
use tokio::sync::Barrier;
use tokio::task::JoinHandle;

const WORKERS: usize = 6;
/// Requests of each worker before and after the upgrade: each kind several times.
const AROUND: usize = 24;

struct Request {
    role: &'static str,
    /// `$1` is the caller, and `$2` a number that is new with each request.
    sql: &'static str,
}

/// Each statement names `$1` and `$2`.
const REQUESTS: [Request; 8] = [
    Request {
        role: "anon",
        sql: "with found as (select id, name, username, badge_type from public.influencers
                where approved and user_id <> $1 and $2 > 0 order by created_at desc limit 24)
              select coalesce(json_agg(found), '[]')::text from found",
    },
    Request {
        role: "anon",
        sql: "select json_agg(found)::text from (select name from public.agencies where name ilike '%a%' and user_id <> $1
                union all select name from public.vendors where name ilike '%a%' and $2 > 0) as found",
    },
    Request {
        role: "authenticated",
        sql: "select json_agg(json_build_object('title', gigs.title, 'agencies', agencies))::text from public.gigs
              left join lateral (select name, logo_url from public.agencies where agencies.id = gigs.agency_id) as agencies on true
              where $1 is not null and $2 > 0",
    },
    Request {
        role: "authenticated",
        sql: "select json_agg(json_build_object('influencer', influencers, 'user_roles', array(
                select role from public.user_roles where user_roles.user_id = influencers.user_id)))::text
              from public.influencers where user_id = $1 and $2 > 0",
    },
    Request {
        role: "authenticated",
        sql: "with changed as (update public.influencers set bio = 'Number ' || $2 where user_id = $1 returning id)
              select count(*)::text from changed",
    },
    Request {
        role: "authenticated",
        sql: "with added as (insert into public.favorites (user_id, influencer_id)
                select $1, id from public.influencers where approved and $2 > 0 order by id desc limit 1 returning user_id)
              select count(*)::text from added",
    },
    Request {
        role: "auth_admin",
        sql: "with signed_in as (update auth.users set last_sign_in_at = now() where id = $1 and $2 > 0 returning id)
              select count(*)::text from signed_in",
    },
    Request {
        role: "storage_admin",
        sql: "select count(*)::text from storage.objects where owner_id <> $1::text and $2 > 0",
    },
];

pub(super) struct Outcome {
    pub(super) requests: usize,
    pub(super) failures: Vec<String>,
    pub(super) slowest: Duration,
}

pub(super) struct Load {
    upgraded: Arc<AtomicBool>,
    workers: Vec<JoinHandle<Outcome>>,
}

impl Load {
    /// Returns when every worker has sent every request.
    pub(super) async fn start(database: &PgConnectOptions, connection: &mut PgConnection) -> Self {
        let callers: Vec<uuid::Uuid> = sqlx::query_scalar(
            "select user_id from app.influencers where approved order by user_id limit $1",
        )
        .bind(WORKERS as i64)
        .fetch_all(connection)
        .await
        .expect("choose the callers");
        let upgraded = Arc::new(AtomicBool::new(false));
        let ready = Arc::new(Barrier::new(WORKERS + 1));
        let mut workers = Vec::new();
        for (number, caller) in callers.into_iter().enumerate() {
            let connection = PgConnection::connect_with(database).await.expect("connect");
            let (upgraded, ready) = (Arc::clone(&upgraded), Arc::clone(&ready));
            workers.push(tokio::spawn(work(connection, number, caller, upgraded, ready)));
        }
        ready.wait().await;
        Self { upgraded, workers }
    }

    pub(super) async fn finish(self) -> Outcome {
        self.upgraded.store(true, Ordering::Relaxed);
        let mut total = Outcome { requests: 0, failures: Vec::new(), slowest: Duration::ZERO };
        for worker in self.workers {
            let outcome = worker.await.expect("a worker");
            total.requests += outcome.requests;
            total.failures.extend(outcome.failures);
            total.slowest = total.slowest.max(outcome.slowest);
        }
        total
    }
}

async fn work(
    mut connection: PgConnection,
    number: usize,
    caller: uuid::Uuid,
    upgraded: Arc<AtomicBool>,
    ready: Arc<Barrier>,
) -> Outcome {
    let mut outcome = Outcome { requests: 0, failures: Vec::new(), slowest: Duration::ZERO };
    let mut afterwards = 0;
    while afterwards < AROUND {
        if upgraded.load(Ordering::Relaxed) {
            afterwards += 1;
        }
        let request = &REQUESTS[(number + outcome.requests) % REQUESTS.len()];
        outcome.requests += 1;
        let began = Instant::now();
        if let Err(error) = send(&mut connection, request, caller, outcome.requests).await {
            outcome.failures.push(format!("{}: {error}", request.sql));
        }
        outcome.slowest = outcome.slowest.max(began.elapsed());
        if outcome.requests == AROUND {
            ready.wait().await;
        }
    }
    outcome
}

async fn send(
    connection: &mut PgConnection,
    request: &Request,
    caller: uuid::Uuid,
    number: usize,
) -> Result<(), sqlx::Error> {
    let mut transaction = connection.begin().await?;
    let (statement_timeout, lock_timeout) = if request.role == "anon" { ("3s", "2s") } else { ("8s", "5s") };
    sqlx::query(
        "select set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true),
           set_config('request.jwt.claims', json_build_object('sub', $3::uuid, 'role', $4)::text, true), set_config('role', $4, true)",
    )
    .bind(statement_timeout)
    .bind(lock_timeout)
    .bind(caller)
    .bind(request.role)
    .execute(&mut *transaction)
    .await?;
    let answer: Option<String> =
        sqlx::query_scalar(request.sql).bind(caller).bind(number as i64).fetch_one(&mut *transaction).await?;
    if request.sql.starts_with("with") && answer.as_deref() != Some("1") && request.role != "anon" {
        return Err(sqlx::Error::Protocol(format!("wrote {answer:?} rows")));
    }
    if request.sql.contains("public.favorites") {
        return transaction.rollback().await;
    }
    transaction.commit().await
}
