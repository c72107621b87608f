//! Metrics, health checks and the log.

use std::time::{Duration, Instant};

use serde_json::json;
use sqlx::{ConnectOptions, Executor};
use test_support::client::TestClient;

use crate::program::{Program, free_port, get_port};
use crate::support::{Api, as_author, bearer, config, database};

#[tokio::test]
async fn metrics_have_postgrests_names() {
    let database = database().await;
    let port = free_port();
    let program = Program::with(&database)
        .set("PGRST_ADMIN_SERVER_HOST", "127.0.0.1")
        .set("PGRST_ADMIN_SERVER_PORT", &port.to_string());
    let mut running = program.serve(&[]);
    let metric = |name: &str| {
        let text = get_port(port, "/metrics").body;
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.and_then(|value| value.parse::<f64>().ok())
    };
    running.wait_until("the schema cache is counted", |_| {
        metric("pgrst_schema_cache_loads_total{status=\"SUCCESS\"}") == Some(1.0)
    });
    assert!(get_port(port, "/metrics").head.contains("content-type: text/plain"));
    assert!(metric("pgrst_schema_cache_query_time_seconds").is_some_and(|time| time > 0.0));
    assert_eq!(metric("pgrst_db_pool_max"), Some(3.0));
    assert_eq!((metric("pgrst_db_pool_available"), metric("pgrst_db_pool_waiting")), (Some(3.0), Some(0.0)));
    assert_eq!(metric("pgrst_db_pool_timeouts_total"), Some(0.0));
    let headers = format!("Authorization: {}\r\n", as_author());
    for _ in 0..3 {
        assert_eq!(running.send("/authors_only", &headers).status, 200);
    }
    assert_eq!(metric("pgrst_jwt_cache_requests_total"), Some(3.0));
    assert_eq!(metric("pgrst_jwt_cache_hits_total"), Some(2.0));
    assert_eq!(metric("pgrst_jwt_cache_evictions_total"), Some(0.0));
    assert_eq!(running.get("/nothing").status, 404);
    assert_eq!(running.get("/rpc/noparams").status, 200);
    assert_eq!(
        metric("http_requests_total{service=\"gateway\",method=\"GET\",route=\"read\",status=\"200\"}"),
        Some(3.0)
    );
    assert_eq!(
        metric("http_requests_total{service=\"gateway\",method=\"GET\",route=\"read\",status=\"404\"}"),
        Some(1.0)
    );
    assert_eq!(
        metric("http_requests_total{service=\"gateway\",method=\"GET\",route=\"rpc\",status=\"200\"}"),
        Some(1.0)
    );
    running.signal("USR1");
    running.wait_until("the second load is counted", |_| {
        metric("pgrst_schema_cache_loads_total{status=\"SUCCESS\"}") == Some(2.0)
    });
    let cache = get_port(port, "/schema_cache");
    assert!(cache.status == 200 && cache.body.contains(r#""dbTables":[[{"qiName":""#), "{}", cache.body);
}

/// A failed load leaves the previous schema in use, but the gateway is not ready.
#[tokio::test]
async fn the_gateway_is_not_ready_if_the_schema_cache_can_not_be_loaded() {
    let api = Api::start().await;
    let admin = TestClient::new(api.gateway.admin_router());
    let wait_for = async |status: u16| {
        for _ in 0..500 {
            if admin.get("/ready").await.status == status {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        panic!("/ready never returns {status}");
    };
    wait_for(200).await;
    let (mut owner, mut other) = (api.owner().await, api.owner().await);
    let login = "\"gateway \"\"test\"\" login\"";
    let give_up = format!("alter role {login} in database {} set lock_timeout = '50ms'", api.database.name);
    owner.execute(sqlx::AssertSqlSafe(give_up)).await.unwrap();
    // Only the load of the schema cache reads comments.
    other.execute("begin; lock table pg_catalog.pg_description in access exclusive mode").await.unwrap();
    let end = "select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and usename like 'gateway%login'";
    owner.execute(end).await.unwrap();
    wait_for(503).await;
    // Wait until the connection has certainly been replaced.
    tokio::time::sleep(Duration::from_millis(1500)).await;
    assert_eq!(admin.get("/ready").await.status, 503);
    api.assert_rows("/items?select=id&id=eq.1", json!([{ "id": 1 }])).await;
    other.execute("rollback").await.unwrap();
    wait_for(200).await;
}

#[tokio::test]
async fn readiness_does_not_wait_for_a_busy_pool() {
    let api = Api::start_with(&[("PGRST_DB_POOL", "1")]).await;
    let mut owner = api.owner().await;
    owner.execute("begin; lock table api.items").await.unwrap();
    let admin = TestClient::new(api.gateway.admin_router());
    let (_, took) = tokio::join!(
        async {
            let _ = tokio::time::timeout(Duration::from_secs(2), api.get("/items")).await;
        },
        async {
            tokio::time::sleep(Duration::from_millis(300)).await;
            let began = Instant::now();
            assert_eq!(admin.get("/ready").await.status, 200);
            began.elapsed()
        }
    );
    assert!(took < Duration::from_millis(500), "{took:?}");
    owner.execute("rollback").await.unwrap();
}

#[tokio::test]
async fn a_request_gets_504_after_the_acquisition_timeout() {
    let database = database().await;
    let settings = [("PGRST_DB_POOL", "1"), ("PGRST_DB_POOL_ACQUISITION_TIMEOUT", "1")];
    let gateway = rest_gateway::start(config(&database, &settings)).await.unwrap();
    gateway.loaded().await;
    let mut owner = database.owner().connect().await.unwrap();
    owner.execute("begin; lock table api.items").await.unwrap();
    let client = TestClient::new(gateway.router());
    let blocked = tokio::spawn(async move {
        let began = Instant::now();
        let (_, answer) = tokio::join!(client.get("/items"), async {
            tokio::time::sleep(Duration::from_millis(100)).await;
            client.get("/clients").await
        });
        (answer, began.elapsed())
    });
    tokio::time::sleep(Duration::from_millis(1500)).await;
    owner.execute("rollback").await.unwrap();
    let (answer, took) = blocked.await.unwrap();
    assert_eq!((answer.status.as_u16(), answer.json()["code"].as_str()), (504, Some("PGRST003")));
    assert!(took < Duration::from_secs(4), "{took:?}");
    assert_eq!(answer.json()["message"], json!("Timed out acquiring connection from connection pool."));
}

#[tokio::test]
async fn the_log_level_decides_which_requests_are_logged() {
    let database = database().await;
    let create = "create function api.fails() returns void language plpgsql as
        $$ begin raise exception 'broken' using errcode = 'XX000'; end $$";
    database.owner().connect().await.unwrap().execute(create).await.unwrap();
    let logged = |level: &str| {
        let program = Program::with(&database).set("PGRST_LOG_LEVEL", level).set("PGRST_LOG_QUERY", "true");
        let mut running = program.serve(&[]);
        assert_eq!(running.send("/items?id=eq.1", "User-Agent: a\"b\r\n").status, 200);
        assert_eq!(running.get("/nothing").status, 404);
        assert_eq!(running.get("/rpc/fails").status, 500);
        assert_eq!(running.get("/users?select=the_tasks:tasks(id)&tasks.order=id").status, 200);
        running.signal("TERM");
        running.wait_for_exit();
        let log = running.log();
        assert_eq!(log.contains("`tasks` to `the_tasks`"), level != "crit", "{log}");
        let lines = [
            "\"GET /items?id=eq.1 HTTP/1.1\" 200 10 \"\" \"a\\\"b\"",
            "/nothing HTTP/1.1\" 404",
            "/rpc/fails HTTP/1.1\" 500",
        ];
        let found = lines.map(|line| log.contains(line));
        let queries = [log.contains("\"api\".\"items\""), log.contains("\"api\".\"fails\"")];
        (found, queries, log)
    };
    let (lines, queries, log) = logged("crit");
    assert_eq!((lines, queries), ([false; 3], [false; 2]), "{log}");
    let (lines, queries, log) = logged("error");
    assert_eq!((lines, queries), ([false, false, true], [false, true]), "{log}");
    assert!(log.lines().any(|line| line.starts_with("- - gateway_anon [")), "{log}");
    let (lines, _, log) = logged("warn");
    assert_eq!(lines, [false, true, true], "{log}");
    let error = r#"{"code":"XX000","details":null,"hint":null,"message":"broken"}"#;
    assert!(log.lines().any(|line| line.ends_with(&format!(" +0000: {error}"))), "{log}");
    let (lines, queries, log) = logged("info");
    assert_eq!((lines, queries), ([true; 3], [true; 2]), "{log}");
}

/// A difference between clocks is the usual reason why a new token is rejected.
#[tokio::test]
async fn the_log_shows_how_far_a_token_is_from_being_valid() {
    let database = database().await;
    let now = platform::clock::Clock::system().now().timestamp();
    let rejected = [
        ("exp", now - 100, "JWT expired, diff: 10"),
        ("nbf", now + 100, "JWT not yet valid, diff: "),
        ("iat", now + 100, "JWT issued at future, diff: "),
    ];
    for (level, is_logged) in [("warn", true), ("error", false)] {
        let mut running = Program::with(&database).set("PGRST_LOG_LEVEL", level).serve(&[]);
        for (claim, time, _) in rejected {
            let headers = format!("Authorization: {}\r\n", bearer(&json!({ claim: time })));
            assert_eq!(running.send("/items", &headers).status, 401);
        }
        running.signal("TERM");
        running.wait_for_exit();
        let log = running.log();
        for (claim, time, beginning) in rejected {
            let end = format!(", {claim} (epoch): {time}");
            let line = log.lines().find(|line| line.ends_with(&end));
            assert_eq!(line.is_some(), is_logged, "{log}");
            let middle = " seconds, current time (epoch): ";
            assert!(line.is_none_or(|line| line.contains(beginning) && line.contains(middle)), "{log}");
        }
    }
}

#[tokio::test]
async fn the_queries_of_the_schema_cache_are_logged_if_wanted() {
    let database = database().await;
    for (level, logs, lines) in [("info", "true", 1), ("info", "false", 0), ("error", "true", 0)] {
        let program = Program::with(&database).set("PGRST_LOG_LEVEL", level).set("PGRST_LOG_QUERY", logs);
        let log = program.serve(&[]).log();
        let found =
            log.lines().filter(|line| line.contains("p.prokind = 'f' and t.oid <> 'trigger'::regtype"));
        assert_eq!(found.count(), lines, "{level} {logs}: {log}");
        assert!(!log.contains("-- "), "{log}");
    }
}
