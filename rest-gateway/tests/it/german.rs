//! Errors of a real PostgreSQL that speaks German: they are recognized by code and routine, never by text.

use axum::http::Request;
use platform::env::Env;
use rest_gateway::{Config, Gateway};
use sqlx::Executor;
use test_support::client::{Answer, TestClient};
use test_support::cluster::Cluster;

use crate::database::load_fixtures;
use crate::support::SECRET;

const RELATIONS: &str = "
    create table api.numbers (id int, value int);
    insert into api.numbers values (1, 2);
    create view api.sums as select sum(id) from api.numbers;
    create function api.too_long() returns text language plpgsql stable as $$
      begin return repeat('x', 2000000000); end $$;
    grant all on api.numbers, api.sums to gateway_anon;";

async fn gateway(cluster: &Cluster) -> (Gateway, TestClient) {
    let uri =
        format!("postgres://gateway%20%22test%22%20login:test-login@127.0.0.1:{}/postgres", cluster.port());
    let settings = [
        ("PGRST_DB_URI", uri.as_str()),
        ("PGRST_DB_SCHEMAS", "api"),
        ("PGRST_DB_ANON_ROLE", "gateway_anon"),
        ("PGRST_DB_POOL", "1"),
        ("PGRST_JWT_SECRET", SECRET),
    ];
    let env: Env = settings.into_iter().collect();
    let gateway = rest_gateway::start(Config::from_env(&env).unwrap()).await.unwrap();
    gateway.loaded().await;
    let client = TestClient::new(gateway.router());
    (gateway, client)
}

async fn insert(client: &TestClient, table: &str, row: &str) -> Answer {
    let request = Request::builder().method("POST").uri(table).header("content-type", "application/json");
    client.send(request, row.to_owned()).await
}

fn assert_german(answer: &Answer, expected: (u16, &str), text: &str) {
    let error = answer.json();
    assert_eq!((answer.status.as_u16(), error["code"].as_str().unwrap()), expected, "{error}");
    assert!(error["message"].as_str().unwrap().contains(text), "{error}");
}

#[tokio::test]
async fn errors_of_a_german_server_are_recognized() {
    let primary = Cluster::start_in_german();
    let mut owner = primary.connect().await;
    load_fixtures(&mut owner).await;
    owner.execute(RELATIONS).await.unwrap();
    let (_gateway, client) = gateway(&primary).await;

    // The statement is prepared, and then returns another type.
    for _ in 0..3 {
        assert_eq!(client.get("/numbers?select=value").await.json()[0]["value"], 2);
    }
    owner.execute("alter table api.numbers alter value type text").await.unwrap();
    assert_eq!(client.get("/numbers?select=value").await.json()[0]["value"], "2");

    // Not the request, but the function that it calls exceeds a limit.
    assert_german(&client.get("/rpc/too_long").await, (500, "54000"), "Länge");
    assert_german(&insert(&client, "/sums", r#"{"sum":1}"#).await, (405, "55000"), "Sicht");

    let standby = primary.standby();
    let (_gateway, client) = gateway(&standby).await;
    let refused = insert(&client, "/numbers", r#"{"id":2}"#).await;
    assert_german(&refused, (503, "0A000"), "Wiederherstellung");
}
