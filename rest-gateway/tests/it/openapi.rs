use serde_json::json;

use crate::support::{Api, as_author};

#[tokio::test]
async fn the_root_describes_what_the_caller_may_use() {
    let api = Api::start().await;
    let answer = api.get("/").await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), Some("application/openapi+json; charset=utf-8"));
    let document = answer.json();
    assert_eq!(document["swagger"], "2.0");
    assert_eq!(
        document["definitions"]["projects"]["properties"]["id"],
        json!({ "format": "int32", "type": "integer", "description": "Note:\nThis is a Primary Key.<pk/>" })
    );
    assert_eq!(document["definitions"]["types"]["properties"]["mood"]["enum"], json!(["sad", "ok", "happy"]));
    assert!(document["paths"]["/rpc/add_them"]["get"].is_object());
    assert!(document["paths"]["/authors_only"].is_null());
    let document = api.ask("GET", "/", &[("Authorization", &as_author())], "").await.json();
    assert!(document["paths"]["/authors_only"].is_object());
    assert_eq!(api.ask("HEAD", "/", &[], "").await.status, 200);
    assert_eq!(api.ask("GET", "/", &[("Accept", "text/csv")], "").await.status, 406);
}

#[tokio::test]
async fn it_may_be_turned_off() {
    let api = Api::start_with(&[("PGRST_OPENAPI_MODE", "disabled")]).await;
    let refused = api.refuses("/", 404, "PGRST126").await;
    assert_eq!(refused["message"], "Root endpoint metadata is disabled");
    let api = Api::start_with(&[("PGRST_OPENAPI_MODE", "ignore-privileges")]).await;
    assert!(api.rows("/").await["paths"]["/authors_only"].is_object());
}
