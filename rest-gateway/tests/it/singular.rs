use serde_json::{Value, json};

use crate::support::{Api, error};

const ONE: (&str, &str) = ("Accept", "application/vnd.pgrst.object+json");
const REPRESENTATION: (&str, &str) = ("Prefer", "return=representation");

fn not_one(rows: i64) -> Value {
    let details = json!(format!("The result contains {rows} rows"));
    error("PGRST116", "Cannot coerce the result to a single JSON object", details, Value::Null)
}

#[tokio::test]
async fn one_row_is_an_object() {
    let api = Api::start().await;
    let answer = api.send("GET", "/items?id=eq.5", &[ONE], "").await;
    assert_eq!((answer.status.as_u16(), answer.text().as_str()), (200, r#"{"id":5}"#));
    assert_eq!(answer.header("content-type"), Some("application/vnd.pgrst.object+json; charset=utf-8"));
    for (path, rows) in [("/items?id=gt.0&id=lt.5", 4), ("/items?id=eq.999", 0)] {
        let refused = api.send("GET", path, &[ONE], "").await;
        assert_eq!((refused.status.as_u16(), refused.json()), (406, not_one(rows)));
    }
    let short = api.send("GET", "/items?id=eq.5", &[("Accept", "application/vnd.pgrst.object")], "").await;
    assert_eq!(short.json(), json!({ "id": 5 }));
}

#[tokio::test]
async fn singular_mutations_of_several_rows_are_rolled_back() {
    let api = Api::start().await;
    let refused = api.send("PATCH", "/clients?id=gt.0", &[ONE, REPRESENTATION], r#"{"name":"zzz"}"#).await;
    assert_eq!((refused.status.as_u16(), refused.json()), (406, not_one(2)));
    let refused = api.send("DELETE", "/items?id=gt.5", &[ONE, REPRESENTATION], "").await;
    assert_eq!((refused.status.as_u16(), refused.json()), (406, not_one(10)));
    let refused = api
        .send("POST", "/clients", &[ONE, REPRESENTATION], r#"[{"id":7,"name":"a"},{"id":8,"name":"b"}]"#)
        .await;
    assert_eq!((refused.status.as_u16(), refused.json()), (406, not_one(2)));
    let refused = api.send("POST", "/rpc/delete_items", &[ONE], r#"{"upto":3}"#).await;
    assert_eq!(refused.status, 406);
    api.assert_rows("/clients?name=in.(zzz,a,b)", json!([])).await;
    assert_eq!(api.rows("/items").await.as_array().unwrap().len(), 15);

    let answer = api.send("PATCH", "/clients?id=eq.1", &[ONE, REPRESENTATION], r#"{"name":"one"}"#).await;
    assert_eq!((answer.status.as_u16(), answer.json()), (200, json!({ "id": 1, "name": "one" })));
    let answer = api.send("POST", "/clients", &[ONE, REPRESENTATION], r#"{"id":9,"name":"nine"}"#).await;
    assert_eq!((answer.status.as_u16(), answer.json()), (201, json!({ "id": 9, "name": "nine" })));
    api.assert_rows(
        "/clients?id=in.(1,9)&order=id&select=name",
        json!([{ "name": "one" }, { "name": "nine" }]),
    )
    .await;
}

#[tokio::test]
async fn nulls_can_be_stripped() {
    let api = Api::start().await;
    let array = ("Accept", "application/vnd.pgrst.array+json;nulls=stripped");
    let answer = api.send("GET", "/organizations?id=in.(1,3)&select=id,referee&order=id", &[array], "").await;
    assert_eq!(answer.json(), json!([{ "id": 1 }, { "id": 3, "referee": 1 }]));
    assert_eq!(
        answer.header("content-type"),
        Some("application/vnd.pgrst.array+json;nulls=stripped; charset=utf-8")
    );
    let object = ("Accept", "application/vnd.pgrst.object+json;nulls=stripped");
    let answer = api.send("GET", "/organizations?id=eq.1&select=id,referee", &[object], "").await;
    assert_eq!(answer.json(), json!({ "id": 1 }));
    assert_eq!(
        answer.header("content-type"),
        Some("application/vnd.pgrst.object+json;nulls=stripped; charset=utf-8")
    );
    let plain = api
        .send(
            "GET",
            "/organizations?id=eq.1&select=referee",
            &[("Accept", "application/vnd.pgrst.array+json")],
            "",
        )
        .await;
    assert_eq!(plain.header("content-type"), Some("application/json; charset=utf-8"));
}
