//! Outages of the database: it does not respond, is gone or is busy. Clients get 503 with `Retry-After`.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use rest_gateway::Gateway;
use serde_json::json;
use sqlx::{ConnectOptions, Executor, PgConnection, Row};
use test_support::client::{Answer, TestClient};
use test_support::database::TestDatabase;
use test_support::log::Log;
use test_support::waiting::eventually;

use crate::faulty_relay::{CUT_COMMIT, CUT_CONNECT, CUT_STATEMENT, EARLY_MESSAGE, GONE, PASS, Relay, SILENT};
use crate::support::{config, database};

struct Setup {
    relay: Relay,
    database: TestDatabase,
    gateway: Gateway,
    client: TestClient,
}

impl Setup {
    async fn start(options: &str) -> Self {
        let database = database().await;
        let server = database.owner();
        let relay = Relay::default();
        let port = relay.clone().start(format!("{}:{}", server.get_host(), server.get_port())).await;
        let uri = format!(
            "host=127.0.0.1 port={port} dbname={} user='gateway \"test\" login' password=test-login {options}",
            database.name
        );
        let settings = [
            ("PGRST_DB_URI", uri.as_str()),
            ("PGRST_DB_CHANNEL_ENABLED", "false"),
            // So that each request contains COMMIT as text.
            ("PGRST_DB_PREPARED_STATEMENTS", "false"),
        ];
        let gateway = rest_gateway::start(config(&database, &settings)).await.unwrap();
        gateway.loaded().await;
        let client = TestClient::new(gateway.router());
        Self { relay, database, gateway, client }
    }

    async fn get(&self) -> (Answer, Duration) {
        let began = Instant::now();
        (self.client.get("/clients?id=eq.1").await, began.elapsed())
    }

    async fn insert(&self, id: i32) -> u16 {
        self.client.post_json("/clients", &json!({ "id": id, "name": "x" })).await.status.as_u16()
    }

    /// Asserts a 503 with Retry-After within this time.
    async fn assert_unavailable(&self, within: Duration) {
        let (answer, took) = self.get().await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("retry-after")),
            (503, Some("1")),
            "{}",
            answer.text()
        );
        assert!(took < within, "{took:?}");
    }

    async fn assert_recovery(&self) {
        let began = Instant::now();
        while self.get().await.0.status != 200 {
            assert!(began.elapsed() < Duration::from_secs(2), "no answer 2 s after the database was back");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Terminates the pool's connections, but not the outage probe, which sends an empty query: two failed probes count as
    /// an outage.
    async fn terminate_connections(&self, owner: &mut PgConnection) {
        let end = "select pg_terminate_backend(pid) from pg_stat_activity
            where usename = 'gateway \"test\" login' and datname = $1 and query <> ''";
        sqlx::query(end).bind(&self.database.name).execute(owner).await.unwrap();
    }

    async fn exists(&self, id: i32) -> bool {
        let mut owner = self.database.owner().connect().await.unwrap();
        let found = sqlx::query("select count(*) from api.clients where id = $1").bind(id);
        found.fetch_one(&mut owner).await.unwrap().get::<i64, _>(0) == 1
    }
}

#[tokio::test]
async fn an_unresponsive_database_is_detected_on_open_connections() {
    let setup = Setup::start("").await;
    assert_eq!(setup.get().await.0.status, 200);
    setup.relay.set(SILENT);
    setup.assert_unavailable(Duration::from_secs(5)).await;
    setup.assert_unavailable(Duration::from_millis(500)).await;
    setup.relay.set(PASS);
    setup.assert_recovery().await;
}

#[tokio::test]
async fn a_message_that_arrives_with_the_end_of_the_login_is_not_lost() {
    let setup = Setup::start("").await;
    setup.relay.set(EARLY_MESSAGE);
    let opened = setup.relay.opened.load(Ordering::SeqCst);
    assert_eq!(setup.get().await.0.status, 200);
    assert_eq!(setup.relay.opened.load(Ordering::SeqCst), opened + 1, "on the first connection");
}

#[tokio::test]
async fn writes_have_a_time_limit() {
    let database = database().await;
    let gateway = rest_gateway::start(config(&database, &[("GATEWAY_REQUEST_TIMEOUT", "1")])).await.unwrap();
    gateway.loaded().await;
    let client = TestClient::new(gateway.router());
    let mut owner = database.owner().connect().await.unwrap();
    owner.execute("begin; lock table api.clients").await.unwrap();
    let answer = client.post_json("/clients", &json!({ "id": 900, "name": "x" })).await;
    assert_eq!((answer.status.as_u16(), answer.header("retry-after")), (503, Some("1")));
    let waiting = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    let mut observer = database.owner().connect().await.unwrap();
    eventually("the connections are gone", async || {
        sqlx::query(waiting).fetch_one(&mut observer).await.unwrap().get::<i64, _>(0) == 0
    })
    .await;
    owner.execute("rollback").await.unwrap();
    // A single slow statement is not an outage.
    assert_eq!(client.get("/clients?id=eq.1").await.status, 200);
    assert_eq!(client.get("/clients?id=eq.900").await.json(), json!([]));
}

#[tokio::test]
async fn requests_fail_fast_while_the_database_is_gone() {
    let setup = Setup::start("").await;
    assert_eq!(setup.get().await.0.status, 200);
    setup.relay.set(GONE);
    setup.assert_unavailable(Duration::from_secs(2)).await;
    for _ in 0..20 {
        setup.assert_unavailable(Duration::from_millis(500)).await;
    }
    let ready = TestClient::new(setup.gateway.admin_router());
    assert_eq!(ready.get("/ready").await.status, 503);
    setup.relay.set(PASS);
    setup.assert_recovery().await;
    ready.becomes_ready().await;
}

#[tokio::test]
async fn readiness_checks_share_a_connection() {
    let setup = Setup::start("").await;
    let ready = TestClient::new(setup.gateway.admin_router());
    // On a busy machine, the first login takes longer than a check may.
    ready.becomes_ready().await;
    let check = async || {
        let before = setup.relay.opened.load(Ordering::SeqCst);
        let began = Instant::now();
        let answers = futures::future::join_all((0..50).map(|_| ready.get("/ready"))).await;
        let opened = setup.relay.opened.load(Ordering::SeqCst) - before;
        assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
        (answers.iter().map(|answer| answer.status.as_u16()).collect::<Vec<_>>(), opened)
    };
    let (statuses, opened) = check().await;
    assert!(statuses.iter().all(|status| *status == 200), "{statuses:?}");
    assert!(opened <= 3, "{opened}");
    setup.relay.set(SILENT);
    // The last success is trusted for a moment.
    eventually("the gateway is not ready", async || ready.get("/ready").await.status != 200).await;
    let (statuses, opened) = check().await;
    assert!(statuses.iter().all(|status| *status == 503), "{statuses:?}");
    // One for the check, and some for the probes.
    assert!(opened <= 5, "{opened}");
}

#[tokio::test]
async fn a_request_is_retried_unless_its_write_may_have_happened() {
    let setup = Setup::start("").await;
    let mut owner = setup.database.owner().connect().await.unwrap();
    for round in 0..20 {
        assert_eq!(setup.get().await.0.status, 200);
        setup.terminate_connections(&mut owner).await;
        if round % 2 == 0 {
            assert_eq!(setup.get().await.0.status, 200);
        } else {
            // If the connection was lost after the write was sent, the gateway can't know whether it happened.
            let status = setup.insert(1000 + round).await;
            assert!([201, 503].contains(&status), "{status}");
            assert_eq!(setup.exists(1000 + round).await, status == 201);
        }
    }
    setup.relay.set(CUT_STATEMENT);
    assert_eq!(setup.get().await.0.status, 200);
    // The gateway can't know whether this row was written.
    setup.relay.set(CUT_STATEMENT);
    assert_eq!(setup.insert(2000).await, 503);
    assert!(!setup.exists(2000).await);
}

#[tokio::test]
async fn a_single_failed_connection_is_not_an_outage() {
    let setup = Setup::start("").await;
    let mut owner = setup.database.owner().connect().await.unwrap();
    for _ in 0..10 {
        assert_eq!(setup.get().await.0.status, 200);
        setup.terminate_connections(&mut owner).await;
        setup.relay.set(CUT_CONNECT);
        let (answer, _) = setup.get().await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
}

#[tokio::test]
async fn a_commit_without_a_response_is_an_error() {
    let setup = Setup::start("").await;
    assert_eq!(setup.insert(3000).await, 201);
    setup.relay.set(CUT_COMMIT);
    assert_eq!(setup.insert(3001).await, 503);
    assert!(setup.exists(3001).await);
}

#[tokio::test]
async fn locked_rows_and_standbys_are_temporary_failures() {
    let setup = Setup::start("options='-c lock_timeout=100ms'").await;
    let mut owner = setup.database.owner().connect().await.unwrap();
    owner.execute("begin; update api.clients set name = name where id = 1").await.unwrap();
    let patch = axum::http::Request::patch("/clients?id=eq.1").header("content-type", "application/json");
    let answer = setup.client.send(patch, json!({ "name": "y" }).to_string()).await;
    assert_eq!((answer.status.as_u16(), answer.header("retry-after")), (503, Some("1")));
    assert_eq!(answer.json()["code"], "55P03");
    owner.execute("rollback").await.unwrap();
    owner
        .execute(
            "create function api.stand_by() returns void language sql as \
             $$ select set_config('transaction_read_only', 'on', true) $$",
        )
        .await
        .unwrap();
    let database = &setup.database;
    let gateway =
        rest_gateway::start(config(database, &[("PGRST_DB_PRE_REQUEST", "stand_by")])).await.unwrap();
    gateway.loaded().await;
    let answer =
        TestClient::new(gateway.router()).post_json("/clients", &json!({ "id": 4000, "name": "x" })).await;
    assert_eq!((answer.status.as_u16(), answer.header("retry-after")), (503, Some("1")));
    assert_eq!(answer.json()["code"], "25006");
}

#[tokio::test]
async fn a_database_error_is_a_warning_that_names_the_request() {
    let log = Log::listen();
    let setup = Setup::start("options='-c lock_timeout=100ms'").await;
    let mut owner = setup.database.owner().connect().await.unwrap();
    owner.execute("begin; lock table api.clients").await.unwrap();
    let client = setup.client.with_request_ids();

    let locked = client.get("/clients?id=eq.1").await;
    owner.execute("rollback").await.unwrap();
    // The client's own mistakes are not logged.
    let wrong = client.get("/clients?id=eq.x").await;

    assert_eq!((locked.status.as_u16(), wrong.status.as_u16()), (503, 400), "{}", wrong.text());
    let lines = log.about(locked.request_id());
    assert!(lines.len() == 1 && lines[0].contains(" WARN ") && lines[0].contains("55P03"), "{}", log.text());
    assert!(log.about(wrong.request_id()).is_empty(), "{}", log.text());
}
