use serde_json::{Value, json};

use crate::support::{Api, error};

#[tokio::test]
async fn headers_select_an_exposed_schema() {
    let api = Api::start_with(&[("PGRST_DB_SCHEMAS", "api,other")]).await;
    let answer = api.get("/items?limit=1").await;
    assert_eq!((answer.status.as_u16(), answer.header("content-profile")), (200, Some("api")));
    let answer = api.send("GET", "/notes", &[("Accept-Profile", "other")], "").await;
    assert_eq!(answer.json(), json!([{ "id": 1, "body": "in another schema" }]));
    assert_eq!(answer.header("content-profile"), Some("other"));
    let written = [("Content-Profile", "other"), ("Prefer", "return=representation")];
    let answer = api.send("POST", "/notes", &written, r#"{"id":2,"body":"x"}"#).await;
    assert_eq!((answer.status.as_u16(), answer.header("content-profile")), (201, Some("other")));
    assert_eq!(api.send("PATCH", "/notes?id=eq.2", &written, r#"{"body":"y"}"#).await.json()[0]["body"], "y");
    assert_eq!(api.send("DELETE", "/notes?id=eq.2", &written[..1], "").await.status, 204);
    assert_eq!(api.get("/notes").await.status, 404);
}

#[tokio::test]
async fn other_schemas_are_rejected() {
    let api = Api::start_with(&[("PGRST_DB_SCHEMAS", "api,other")]).await;
    for (method, header) in
        [("GET", "Accept-Profile"), ("POST", "Content-Profile"), ("DELETE", "Content-Profile")]
    {
        for schema in ["hidden", "pg_catalog", "auth"] {
            let refused = api.send(method, "/items", &[(header, schema)], "").await;
            assert_eq!(refused.status, 406);
            assert_eq!(
                refused.json(),
                error(
                    "PGRST106",
                    &format!("Invalid schema: {schema}"),
                    Value::Null,
                    json!("Only the following schemas are exposed: api, other")
                )
            );
        }
    }
    let single = Api::start().await;
    assert_eq!(single.get("/items?limit=1").await.header("content-profile"), None);
}
