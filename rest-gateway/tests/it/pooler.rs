//! The gateway behind a real PgBouncer in transaction mode. Debian 12's version does not support prepared
//! statements, so `cargo xtask test` runs these tests only with version 1.21 or later.

use std::time::{Duration, Instant};

use axum::http::Request;
use platform::env::Env;
use rest_gateway::{Config, Gateway};
use serde_json::{Value, json};
use sqlx::Executor;
use test_support::client::TestClient;
use test_support::cluster::Cluster;
use test_support::pooler::Pooler;

use crate::database::load_fixtures;
use crate::program::Program;
use crate::support::{SECRET, bearer};

const FUNCTIONS: &str = "
    create function api.who() returns json language sql stable as $$
      select json_build_object('role', current_user, 'pid', pg_backend_pid(), 'sub',
        nullif(current_setting('request.jwt.claims', true), '')::json ->> 'sub',
        'timeout', current_setting('statement_timeout'), 'path', current_setting('search_path')) $$;";

fn url(port: u16) -> String {
    format!("postgres://gateway%20%22test%22%20login:test-login@127.0.0.1:{port}/postgres")
}

async fn gateway(cluster: &Cluster, pooler: &Pooler, settings: &[(&str, &str)]) -> Gateway {
    let (pooled, direct) = (url(pooler.port()), url(cluster.port()));
    let defaults = [
        ("PGRST_DB_URI", pooled.as_str()),
        ("DATABASE_LISTEN_URL", direct.as_str()),
        ("PGRST_DB_SCHEMAS", "api"),
        ("PGRST_DB_ANON_ROLE", "gateway_anon"),
        ("PGRST_DB_POOL", "4"),
        ("PGRST_JWT_SECRET", SECRET),
    ];
    let env: Env = defaults.iter().chain(settings).copied().collect();
    let gateway = rest_gateway::start(Config::from_env(&env).unwrap()).await.unwrap();
    gateway.loaded().await;
    gateway
}

#[tokio::test]
#[ignore = "needs PGBOUNCER, version 1.21 or later"]
async fn clients_share_only_a_session() {
    let cluster = Cluster::start("");
    let mut owner = cluster.connect().await;
    load_fixtures(&mut owner).await;
    owner.execute(FUNCTIONS).await.unwrap();
    let pooler = Pooler::start(cluster.port(), 1);
    for prepared in ["true", "false"] {
        let settings = [("PGRST_DB_PREPARED_STATEMENTS", prepared)];
        let (one, other) =
            (gateway(&cluster, &pooler, &settings).await, gateway(&cluster, &pooler, &settings).await);
        let clients = [TestClient::new(one.router()), TestClient::new(other.router())];
        let author = bearer(&json!({ "role": "gateway_author", "sub": "me" }));
        let mut sessions = std::collections::BTreeSet::new();
        for round in 0..20 {
            let client = &clients[round % 2];
            let request = Request::get("/rpc/who").header("authorization", &author);
            let signed_in = client.send(request, "").await.json();
            let anonymous = clients[(round + 1) % 2].get("/rpc/who").await.json();
            sessions.extend([signed_in["pid"].as_i64(), anonymous["pid"].as_i64()]);
            // The role `gateway_author` has its own timeout.
            assert_eq!(
                (&signed_in["role"], &signed_in["sub"], &signed_in["timeout"]),
                (&json!("gateway_author"), &json!("me"), &json!("7s"))
            );
            assert_eq!(
                (&anonymous["role"], &anonymous["sub"], &anonymous["timeout"]),
                (&json!("gateway_anon"), &Value::Null, &json!("0"))
            );
            assert_eq!(client.get("/clients?id=eq.1").await.status, 200);
        }
        assert_eq!(sessions.len(), 1, "{prepared}");
    }
}

#[tokio::test]
#[ignore = "needs PGBOUNCER, version 1.21 or later"]
async fn the_schema_is_reloaded_after_a_notification() {
    let cluster = Cluster::start("");
    let mut owner = cluster.connect().await;
    load_fixtures(&mut owner).await;
    let pooler = Pooler::start(cluster.port(), 1);
    let gateway = gateway(&cluster, &pooler, &[]).await;
    let client = TestClient::new(gateway.router());
    assert_eq!(client.get("/new").await.status, 404);
    owner.execute("create table api.new (id int); grant select on api.new to gateway_anon; notify pgrst, 'reload schema'").await.unwrap();
    let began = Instant::now();
    while client.get("/new").await.status != 200 {
        assert!(began.elapsed() < Duration::from_secs(10), "the notification is lost");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(gateway.ready().await.is_ok());
}

/// Debian 12's version always does this, later ones with `max_prepared_statements = 0`.
#[tokio::test]
async fn a_pooler_that_mixes_statements_ends_the_program() {
    let cluster = Cluster::start("");
    load_fixtures(&mut cluster.connect().await).await;
    let pooler = Pooler::that_mixes_statements(cluster.port(), 2);
    let start = |prepared: &str| {
        let program = Program::new();
        let socket = program.path("api.sock").display().to_string();
        program
            .set("PGRST_DB_URI", &url(pooler.port()))
            .set("DATABASE_LISTEN_URL", &url(cluster.port()))
            .set("PGRST_DB_SCHEMAS", "api")
            .set("PGRST_DB_ANON_ROLE", "gateway_anon")
            .set("PGRST_DB_PREPARED_STATEMENTS", prepared)
            .set("PGRST_SERVER_UNIX_SOCKET", &socket)
            .start(&[])
    };
    let mut running = start("true");
    assert_eq!(running.wait_for_exit(), 1);
    let log = running.log();
    assert!(
        log.contains("use PgBouncer 1.21 or later") && log.contains("PGRST_DB_PREPARED_STATEMENTS"),
        "{log}"
    );
    let mut running = start("false");
    running.wait_until("it serves", |running| {
        ["API server listening on", "Schema cache loaded"].iter().all(|line| running.log().contains(line))
    });
    for _ in 0..10 {
        assert_eq!(running.get("/clients?id=eq.1").status, 200);
    }
}
