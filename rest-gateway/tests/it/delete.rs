use serde_json::json;

use crate::support::Api;

#[tokio::test]
async fn filtered_rows_are_deleted() {
    let api = Api::start().await;
    let answer = api.send("DELETE", "/items?id=eq.1", &[], "").await;
    assert_eq!((answer.status.as_u16(), answer.text().as_str()), (204, ""));
    assert_eq!(answer.header("content-range"), Some("*/*"));
    assert_eq!(answer.header("content-type"), None);
    let headers = [("Prefer", "return=representation, count=exact")];
    let answer = api.send("DELETE", "/items?id=lte.3&select=id,same:id", &headers, "").await;
    assert_eq!((answer.status.as_u16(), answer.header("content-range")), (200, Some("*/2")));
    assert_eq!(answer.json(), json!([{ "id": 2, "same": 2 }, { "id": 3, "same": 3 }]));
    let answer = api.send("DELETE", "/items?id=eq.999", &[("Prefer", "count=exact")], "").await;
    assert_eq!((answer.status.as_u16(), answer.header("content-range")), (204, Some("*/0")));
    assert_eq!(api.send("DELETE", "/items", &[], "").await.status, 204);
    api.assert_rows("/items", json!([])).await;
}

#[tokio::test]
async fn referenced_rows_are_not_deleted() {
    let api = Api::start().await;
    let refused = api.send("DELETE", "/clients?id=eq.1", &[], "").await;
    assert_eq!((refused.status.as_u16(), refused.json()["code"].as_str()), (409, Some("23503")));
    let gone = api.send("DELETE", "/nothing_here?id=eq.1", &[], "").await;
    assert_eq!((gone.status.as_u16(), gone.json()["code"].as_str()), (404, Some("PGRST205")));
}
