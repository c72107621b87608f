use serde_json::{Value, json};

use crate::support::{Api, as_author};

async fn setting(api: &Api, name: &str, headers: &[(&str, &str)]) -> Value {
    api.send("GET", &format!("/rpc/get_guc?name={name}"), headers, "").await.json()
}

#[tokio::test]
async fn functions_can_read_request_settings() {
    let api = Api::start_with(&[("PGRST_APP_SETTINGS_EXTERNAL_API_SECRET", "0123456789abcdef")]).await;
    let author = as_author();
    let headers =
        [("Authorization", author.as_str()), ("X-Custom", "Some value"), ("Cookie", "a=b; c=\"d\"")];
    let parsed = async |name: &str| -> Value {
        serde_json::from_str(setting(&api, name, &headers).await.as_str().unwrap()).unwrap()
    };
    assert_eq!(parsed("request.jwt.claims").await, json!({ "role": "gateway_author", "id": "jdoe" }));
    assert_eq!(parsed("request.headers").await["x-custom"], "Some value");
    assert_eq!(parsed("request.cookies").await, json!({ "a": "b", "c": "d" }));
    assert_eq!(setting(&api, "request.method", &[]).await, "GET");
    assert_eq!(setting(&api, "request.path", &[]).await, "/rpc/get_guc");
    assert_eq!(setting(&api, "role", &headers).await, "gateway_author");
    assert_eq!(setting(&api, "search_path", &[]).await, r#""api", "public""#);
    assert_eq!(setting(&api, "request.jwt.claims", &[]).await, r#"{"role":"gateway_anon"}"#);
    assert_eq!(setting(&api, "app.settings.external_api_secret", &[]).await, "0123456789abcdef");
    assert_eq!(
        api.send("POST", "/rpc/get_guc", &[], r#"{"name":"request.method"}"#).await.json(),
        json!("POST")
    );
    // The next request on the connection must not see these settings.
    assert_eq!(setting(&api, "request.jwt.claims", &[]).await, r#"{"role":"gateway_anon"}"#);
}

#[tokio::test]
async fn settings_of_roles_and_functions_apply() {
    let api = Api::start().await;
    assert_eq!(setting(&api, "statement_timeout", &[]).await, "0");
    assert_eq!(setting(&api, "statement_timeout", &[("Authorization", &as_author())]).await, "7s");
    let refused = api.assert_error("/rpc/sleep_a_bit", 500, "57014").await;
    assert_eq!(refused["message"], "canceling statement due to statement timeout");
    assert_eq!(api.get("/items?limit=1").await.status, 200);
}

#[tokio::test]
async fn functions_can_set_status_and_headers() {
    let api = Api::start().await;
    let answer = api.post("/rpc/teapot", json!({})).await;
    assert_eq!((answer.status.as_u16(), answer.header("x-teapot")), (418, Some("short")));
    assert_eq!(answer.headers.get_all("set-cookie").iter().count(), 2);
    let refused = api.post("/rpc/bad_headers", json!({})).await;
    assert_eq!((refused.status.as_u16(), refused.json()["code"].as_str()), (500, Some("PGRST111")));
    let refused = api.post("/rpc/bad_status", json!({})).await;
    assert_eq!((refused.status.as_u16(), refused.json()["code"].as_str()), (500, Some("PGRST112")));
}

#[tokio::test]
async fn the_pre_request_function_runs_first() {
    let api = Api::start_with(&[("PGRST_DB_PRE_REQUEST", "api.before")]).await;
    assert_eq!(api.get("/items?limit=1").await.status, 200);
    for _ in 0..3 {
        let refused = api.send("DELETE", "/items", &[("X-Refuse", "yes")], "").await;
        assert_eq!(refused.status, 400);
        assert_eq!(
            refused.json(),
            json!({ "code": "P0001", "message": "refused before", "details": null, "hint": "Please contact administrator" })
        );
    }
    assert_eq!(api.rows("/items").await.as_array().unwrap().len(), 15);
}
