//! `platform::database` behind a real PgBouncer in transaction mode (see `test_support::pooler`).

use std::time::Duration;

use platform::database::{Database, Limits, Servers};
use platform::env::Env;
use sqlx::{Executor, Row};
use test_support::cluster::Cluster;
use test_support::pooler::Pooler;

async fn servers(cluster: &Cluster, pooler: &Pooler) -> Servers {
    let url = |port: u16| format!("postgres://postgres@127.0.0.1:{port}/postgres");
    let (pooled, direct) = (url(pooler.port()), url(cluster.port()));
    let env = Env::from_iter([("DATABASE_URL", pooled.as_str()), ("DATABASE_LISTEN_URL", direct.as_str())]);
    Servers::from_env(&env, "LOGIN_PASSWORD").unwrap()
}

/// As the storage service does for each request.
const AS_CALLER: &str = r#"select set_config('role', 'authenticated', true), set_config('request.jwt.claims', '{"sub":"me"}', true)"#;
const WHO: &str = "select pg_backend_pid(), current_user::text, current_setting('statement_timeout'),
    coalesce(current_setting('request.jwt.claims', true), '')";

#[tokio::test]
#[ignore = "needs PGBOUNCER, version 1.21 or later"]
async fn services_share_only_a_session() {
    let cluster = Cluster::start("");
    cluster.connect().await.execute("create role authenticated").await.unwrap();
    let pooler = Pooler::start(cluster.port(), 1);
    let servers = servers(&cluster, &pooler).await;
    let pool = |seconds| {
        let limits = Limits { statement: Duration::from_secs(seconds), ..Limits::default() };
        Database::new(servers.clone(), limits).pool(2)
    };
    let (one, other) = (pool(3), pool(8));
    let mut sessions = std::collections::BTreeSet::new();
    for _ in 0..10 {
        let mut transaction = one.begin().await.unwrap();
        transaction.execute(AS_CALLER).await.unwrap();
        let row = sqlx::query(WHO).fetch_one(&mut *transaction).await.unwrap();
        sessions.insert(row.get::<i32, _>(0));
        assert_eq!((row.get(1), row.get(2)), ("authenticated", "3s"));
        assert!(row.get::<String, _>(3).contains("me"));
        transaction.commit().await.unwrap();

        let row = sqlx::query(WHO).fetch_one(&mut *other.acquire().await.unwrap()).await.unwrap();
        sessions.insert(row.get::<i32, _>(0));
        assert_eq!((row.get(1), row.get(2), row.get(3)), ("postgres", "0", ""));
        let mut transaction = other.begin().await.unwrap();
        assert_eq!(sqlx::query(WHO).fetch_one(&mut *transaction).await.unwrap().get::<&str, _>(2), "8s");
        // Rolled back when dropped, even through the pooler.
        drop(transaction);
    }
    assert_eq!(sessions.len(), 1);
    one.ready().await.unwrap();
    Database::new(servers, Limits::default()).wait().await.unwrap();
}

#[tokio::test]
#[ignore = "needs PGBOUNCER, version 1.21 or later"]
async fn locks_use_the_direct_address() {
    let cluster = Cluster::start("");
    let pooler = Pooler::start(cluster.port(), 1);
    let database = Database::new(servers(&cluster, &pooler).await, Limits::default());
    let pool = database.pool(1);
    let mut session = database.connect().await.unwrap();
    session.execute("select pg_advisory_lock(1)").await.unwrap();
    let holder = "select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()";
    let held: i64 = sqlx::query_scalar(holder).fetch_one(&mut session).await.unwrap();
    let pooled: i64 =
        sqlx::query_scalar(holder).fetch_one(&mut *pool.acquire().await.unwrap()).await.unwrap();
    assert_eq!((held, pooled), (1, 0));
}

/// Debian 12's version always does this, later ones with `max_prepared_statements = 0`.
#[tokio::test]
async fn a_pooler_that_mixes_statements_ends_the_start() {
    let cluster = Cluster::start("");
    let pooler = Pooler::that_mixes_statements(cluster.port(), 2);
    let database = Database::new(servers(&cluster, &pooler).await, Limits::default());
    let refused = database.wait().await.unwrap_err().to_string();
    assert!(refused.starts_with("DATABASE_URL") && refused.contains("PgBouncer 1.21"), "{refused}");
    // Sessions keep the statements of earlier clients.
    assert!(database.wait().await.is_err());
}
