//! All statements of a request are sent together. After a failed statement the later ones must have no
//! effect, and the connection must keep no state of the request.

#[path = "../../tests/it/database.rs"]
mod database;

use std::time::Duration;

use sqlx::{ConnectOptions, PgConnection, Row};
use test_support::database::TestDatabase;
use tokio::time::timeout;

use super::*;
use crate::config::Config;
use crate::error::Error;
use crate::error_body::ErrorBody;

const BEGIN: &str = "BEGIN";
const AS_ANON: &str = "select set_config('role', 'gateway_anon', true)";

fn sql(text: &str) -> Sql {
    Sql { text: text.to_owned(), params: Vec::new() }
}

/// A job that inserts an item. The statement returns the columns that the gateway's statements return.
fn job(begin: &str, settings: &str) -> Job {
    Job {
        session: Session {
            role: "gateway_anon".into(),
            authenticated: true,
            reports_position: false,
            collects_warnings: false,
            schema_generation: 0,
        },
        transaction: Transaction {
            begin: Some(begin.to_owned()),
            settings: sql(settings),
            pre_request: None,
            rolls_back: false,
            reads_only: false,
        },
        statement: sql("with source as (insert into api.items values (999) returning id) \
             select null::bigint as total_result_set, count(*) as page_total, null::text[] as header, \
             json_agg(source)::text as body, null::text as response_headers, null::text as response_status, \
             null::int as response_inserted from source")
        .into(),
        estimate: None,
        explains: false,
        may_use_replica: false,
    }
}

/// A pool with one connection.
struct Setup {
    database: TestDatabase,
    pool: Pool,
}

impl Setup {
    async fn start() -> Self {
        let database = database::database().await;
        let uri = database::uri(&database);
        let env = [("PGRST_DB_URI", uri.as_str()), ("PGRST_DB_POOL", "1")].into_iter().collect();
        let pool = Pool::new(&Config::from_env(&env).unwrap().database);
        Self { database, pool }
    }

    async fn run(&self, job: &Job) -> Result<Outcome, Error> {
        run(&self.pool, job, None, None).await
    }

    async fn owner(&self) -> PgConnection {
        self.database.owner().connect().await.unwrap()
    }

    /// The server process of the pool's connection.
    async fn backend(&self) -> i32 {
        let mut lease = self.pool.lease(None, None).await.unwrap();
        let pid = lease.connection().unwrap().simple("select pg_backend_pid()").await.unwrap().unwrap();
        lease.release(None);
        pid.parse().unwrap()
    }

    /// Asserts that the connection has the rights of the login role and no transaction.
    async fn assert_connection_is_clean(&self) {
        let mut lease = self.pool.lease(None, None).await.unwrap();
        let connection = lease.connection().unwrap();
        let role = connection.simple("select current_user").await.unwrap();
        assert_eq!(role.as_deref(), Some("gateway \"test\" login"));
        assert!(!connection.in_transaction);
        lease.release(None);
    }

    async fn inserted_items(&self) -> i64 {
        let count = sqlx::query("select count(*) from api.items where id = 999");
        count.fetch_one(&mut self.owner().await).await.unwrap().get(0)
    }
}

fn code(result: Result<Outcome, Error>) -> String {
    result.unwrap_err().error_body().code
}

#[tokio::test]
async fn a_failed_begin_has_no_effect() {
    let setup = Setup::start().await;
    // Several times, because later runs use prepared statements.
    for _ in 0..3 {
        assert_eq!(code(setup.run(&job("BEGIN NONSENSE", AS_ANON)).await), "42601");
    }
    assert_eq!(setup.inserted_items().await, 0);
    setup.assert_connection_is_clean().await;
}

#[tokio::test]
async fn a_failed_setting_has_no_effect() {
    let setup = Setup::start().await;
    for role in ["postgres", "nobody_at_all"] {
        for begin in [Some(BEGIN), None] {
            let mut job = job(BEGIN, &format!("select set_config('role', '{role}', true)"));
            job.transaction.begin = begin.map(str::to_owned);
            let code = code(setup.run(&job).await);
            assert!(["42501", "22023"].contains(&code.as_str()), "{role}: {code}");
            setup.assert_connection_is_clean().await;
        }
    }
    assert_eq!(setup.inserted_items().await, 0);
}

#[tokio::test]
async fn a_failed_statement_leaves_a_usable_connection() {
    let setup = Setup::start().await;
    let before = setup.backend().await;
    for _ in 0..4 {
        for (statement, expected) in [("select 1 / 0", "22012"), ("select nothing from nowhere", "42P01")] {
            let mut failing = job(BEGIN, AS_ANON);
            failing.statement = sql(statement).into();
            assert_eq!(code(setup.run(&failing).await), expected);
        }
    }
    assert_eq!(setup.run(&job(BEGIN, AS_ANON)).await.unwrap().rows, 1);
    assert_eq!(setup.inserted_items().await, 1);
    assert_eq!(setup.backend().await, before);
}

#[tokio::test]
async fn a_failed_check_rolls_back() {
    let setup = Setup::start().await;
    let refuse = |outcome: &Outcome| Err(ErrorBody::bad_request("PGRST116", outcome.rows.to_string()));
    for _ in 0..3 {
        let result = run(&setup.pool, &job(BEGIN, AS_ANON), Some(&refuse), None).await;
        assert_eq!(code(result), "PGRST116");
    }
    assert_eq!(setup.inserted_items().await, 0);
}

#[tokio::test]
async fn a_canceled_request_closes_its_connection() {
    let setup = Setup::start().await;
    let before = setup.backend().await;
    let mut slow = job(BEGIN, AS_ANON);
    slow.statement = sql("select pg_sleep(20)::text").into();
    let accept = |_: &Outcome| Ok(());
    let running = run(&setup.pool, &slow, Some(&accept), None);
    assert!(timeout(Duration::from_millis(200), running).await.is_err());
    let after = timeout(Duration::from_secs(5), setup.backend()).await.unwrap();
    assert_ne!(after, before);
    // PostgreSQL stops the statement, too.
    let mut owner = setup.owner().await;
    for _ in 0..100 {
        let running = sqlx::query("select count(*) from pg_stat_activity where pid = $1").bind(before);
        if running.fetch_one(&mut owner).await.unwrap().get::<i64, _>(0) == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the statement still runs");
}

#[tokio::test]
async fn the_login_role_has_no_privileges() {
    let setup = Setup::start().await;
    let mut lease = setup.pool.lease(None, None).await.unwrap();
    let connection = lease.connection().unwrap();
    for statement in
        ["select * from api.items", "insert into api.items values (999)", "select * from hidden.articles"]
    {
        let error = connection.simple(statement).await.unwrap_err();
        assert!(error.to_string().starts_with("ERROR:  permission denied"), "{statement}: {error}");
    }
}
