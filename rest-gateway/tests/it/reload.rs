use std::time::Duration;

use axum::http::StatusCode;
use serde_json::json;
use sqlx::Executor;
use test_support::client::TestClient;

use crate::support::{Api, config, database};

async fn wait_for_status(api: &Api, path: &str, status: u16) {
    for _ in 0..250 {
        if api.get(path).await.status == status {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("{path} never returned {status}");
}

#[tokio::test]
async fn the_schema_reloads_on_notification() {
    let api = Api::start().await;
    assert_eq!(api.get("/late").await.status, 404);
    api.sql("create table api.late (id int primary key); grant select on api.late to gateway_anon").await;
    assert_eq!(api.get("/late").await.status, 404);
    api.sql("notify pgrst, 'reload schema'").await;
    wait_for_status(&api, "/late", 200).await;
    // Statements that were prepared before return the new column too.
    for _ in 0..3 {
        api.assert_rows("/late", json!([])).await;
    }
    api.sql("alter table api.late add extra text default 'x'; insert into api.late values (1); notify pgrst")
        .await;
    for _ in 0..3 {
        api.assert_rows("/late", json!([{ "id": 1, "extra": "x" }])).await;
    }
    api.sql("drop table api.late; notify pgrst, 'reload schema'").await;
    wait_for_status(&api, "/late", 404).await;
}

#[tokio::test]
async fn the_listener_reconnects() {
    let api = Api::start().await;
    api.sql("select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()").await;
    api.sql("create table api.late (id int primary key); grant select on api.late to gateway_anon").await;
    for _ in 0..100 {
        api.sql("notify pgrst, 'reload schema'").await;
        if api.get("/late").await.status == 200 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the schema cache was not reloaded");
}

#[tokio::test]
async fn role_settings_are_reloaded() {
    let api = Api::start().await;
    let timeout = async || api.rows("/rpc/get_guc?name=lock_timeout").await;
    assert_eq!(timeout().await, json!("0"));
    // A role for this test only, because roles are shared by the whole cluster.
    api.sql(
        r#"
        create role gateway_reload_test; grant gateway_reload_test to "gateway ""test"" login";
        grant usage on schema api to gateway_reload_test; grant execute on all functions in schema api to gateway_reload_test;
        alter role gateway_reload_test set lock_timeout = '9s'; notify pgrst, 'reload config';
        "#,
    )
    .await;
    let token = crate::support::bearer(&json!({ "role": "gateway_reload_test" }));
    let mut found = json!(null);
    for _ in 0..250 {
        found =
            api.send("GET", "/rpc/get_guc?name=lock_timeout", &[("Authorization", &token)], "").await.json();
        if found == json!("9s") {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    api.sql("drop owned by gateway_reload_test; drop role gateway_reload_test").await;
    assert_eq!(found, json!("9s"));
}

#[tokio::test]
async fn the_gateway_starts_without_a_database() {
    let database = database().await;
    let unreachable = [("PGRST_DB_URI", "postgres://nobody@127.0.0.1:9/nothing")];
    let gateway = rest_gateway::start(config(&database, &unreachable)).await.unwrap();
    let answer = TestClient::new(gateway.router()).get("/items").await;
    assert_eq!((answer.status.as_u16(), answer.json()["code"].as_str()), (503, Some("PGRST002")));
    let admin = TestClient::new(gateway.admin_router());
    assert_eq!(admin.get("/live").await.status, StatusCode::OK);
    assert_eq!(admin.get("/ready").await.status, StatusCode::SERVICE_UNAVAILABLE);
    gateway.stop();

    let api = Api::start().await;
    let admin = TestClient::new(api.gateway.admin_router());
    admin.becomes_ready().await;
    api.gateway.stop();
    assert_eq!(api.get("/items").await.status, 503);
}

#[tokio::test]
async fn settings_can_be_stored_in_the_database() {
    let api = Api::start().await;
    let aggregates = "/items?select=count()";
    api.assert_error(aggregates, 400, "PGRST123").await;
    // For this database only, because the role is shared by the whole cluster.
    let database = &api.database.name;
    let login = r#"alter role "gateway ""test"" login" in database"#;
    let set =
        format!("{login} {database} set pgrst.db_aggregates_enabled = 'true'; notify pgrst, 'reload config'");
    api.owner().await.execute(sqlx::AssertSqlSafe(set)).await.unwrap();
    wait_for_status(&api, aggregates, 200).await;
    let nonsense =
        format!("{login} {database} set pgrst.db_max_rows = 'many'; notify pgrst, 'reload config'");
    api.owner().await.execute(sqlx::AssertSqlSafe(nonsense)).await.unwrap();
    // An invalid setting leaves all others unchanged, even those that are changed together with it.
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(api.get(aggregates).await.status, 200);
    assert_eq!(api.rows("/items").await.as_array().map(Vec::len), Some(15));
    let reset = format!("{login} {database} reset all; notify pgrst, 'reload config'");
    api.owner().await.execute(sqlx::AssertSqlSafe(reset)).await.unwrap();
}
