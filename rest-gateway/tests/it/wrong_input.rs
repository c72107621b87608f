//! Client errors get a 4xx status, even if PostgreSQL reports an internal error or a limit.

use serde_json::json;

use crate::support::Api;

async fn status_and_code(api: &Api, method: &str, path: &str, body: &str) -> (u16, String) {
    let headers = [("Prefer", "resolution=merge-duplicates")];
    let answer = api.send(method, path, &headers, body).await;
    (answer.status.as_u16(), answer.json()["code"].as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn wrong_input_is_a_client_error() {
    let api = Api::start().await;
    api.sql(
        "create view api.totals as select count(*) as clients from api.clients;
         grant select, insert, update, delete on api.totals to gateway_anon;
         notify pgrst, 'reload schema'",
    )
    .await;
    while api.get("/totals").await.status == 404 {
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    let twice = json!([{ "id": 77, "name": "a" }, { "id": 77, "name": "b" }]).to_string();
    for (method, path, body, status, code) in [
        ("POST", "/totals", "{\"clients\":1}", 405, "55000"),
        ("PATCH", "/totals?clients=eq.1", "{\"clients\":1}", 405, "55000"),
        ("DELETE", "/totals?clients=eq.1", "", 405, "55000"),
        ("GET", "/clients?name=fts(0).x", "", 400, "XX000"),
        ("GET", "/clients?name=plfts(99999).x", "", 400, "XX000"),
        ("GET", "/clients?select=name::unknown", "", 400, "XX000"),
        ("GET", "/clients?id=eq(any).{{{{{{{1}}}}}}}", "", 400, "54000"),
        ("POST", "/clients", twice.as_str(), 400, "21000"),
    ] {
        let found = status_and_code(&api, method, path, body).await;
        assert_eq!(found, (status, code.to_owned()), "{method} {path}");
    }
}
