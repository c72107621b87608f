//! Upserts on views with an INSTEAD OF trigger, which resolves the conflicts.

use serde_json::{Value, json};

use crate::support::{Api, error};

const REPRESENTATION: (&str, &str) = ("Prefer", "return=representation");
const MERGE: (&str, &str) = ("Prefer", "resolution=merge-duplicates");
const IGNORE: (&str, &str) = ("Prefer", "resolution=ignore-duplicates");

/// Uses one connection, so that settings that remain from a request would affect the next one.
async fn start() -> Api {
    Api::start_with(&[("PGRST_DB_POOL", "1")]).await
}

fn requested_conflict(row: &Value) -> Value {
    row["requested_conflict"].as_str().map_or(Value::Null, |text| serde_json::from_str(text).unwrap())
}

#[tokio::test]
async fn the_trigger_sees_the_conflict_resolution() {
    let api = start().await;
    let insert = async |path: &str, preference, body: Value| {
        let answer = api.send("POST", path, &[REPRESENTATION, preference], &body.to_string()).await;
        (answer.status.as_u16(), answer.json(), answer.header("preference-applied").map(str::to_owned))
    };
    let rows = json!([{ "id": 1, "name": "Tree fern" }, { "id": 2, "name": "Orchid" }]);
    let (status, merged, applied) = insert("/plants", MERGE, rows).await;
    assert_eq!(
        (status, merged[0]["name"].as_str(), merged[1]["id"].as_i64()),
        (201, Some("Tree fern"), Some(2))
    );
    assert_eq!(
        requested_conflict(&merged[0]),
        json!({ "resolution": "merge-duplicates", "columns": ["id"] })
    );
    assert_eq!(applied.as_deref(), Some("resolution=merge-duplicates, return=representation"));

    let rows = json!([{ "id": 2, "name": "Weed" }, { "id": 3, "name": "Lily" }]);
    let (status, kept, _) = insert("/plants?on_conflict=name,id", IGNORE, rows).await;
    assert_eq!((status, kept.as_array().map(Vec::len), kept[0]["id"].as_i64()), (201, Some(1), Some(3)));
    assert_eq!(
        requested_conflict(&kept[0]),
        json!({ "resolution": "ignore-duplicates", "columns": ["name", "id"] })
    );

    let names = json!([{ "name": "Tree fern" }, { "name": "Orchid" }, { "name": "Lily" }]);
    api.assert_rows("/plants?select=name&order=id", names).await;
    // An empty body inserts nothing.
    assert_eq!(insert("/plants", MERGE, json!([])).await.0, 200);
    let answer = api.send("POST", "/plants", &[MERGE], r#"{"id":2,"name":"Orchid"}"#).await;
    assert_eq!((answer.status.as_u16(), answer.text().as_str()), (201, ""));
}

#[tokio::test]
async fn the_trigger_sees_nothing_without_a_resolution() {
    let api = start().await;
    for id in 10..14 {
        api.post("/rpc/leave_behind", json!({ "name": "request.on_conflict" })).await;
        let answer = api
            .send("POST", "/plants", &[REPRESENTATION], &json!({ "id": id, "name": "x" }).to_string())
            .await;
        assert_eq!((answer.status.as_u16(), requested_conflict(&answer.json()[0])), (201, Value::Null));
        let again = api.post("/plants", json!({ "id": id, "name": "y" })).await;
        assert_eq!((again.status.as_u16(), again.json()["code"].as_str()), (409, Some("23505")));
        let merged = api
            .send("POST", "/plants", &[REPRESENTATION, MERGE], &json!({ "id": id, "name": "y" }).to_string())
            .await;
        assert_eq!((merged.status.as_u16(), merged.json()[0]["name"].as_str()), (201, Some("y")));
    }
    // Ordinary tables use ON CONFLICT and leave the setting unchanged.
    api.send("POST", "/only_pk", &[MERGE], r#"{"id":1}"#).await;
    assert_eq!(api.rows("/rpc/get_guc?name=request.on_conflict").await, "left");
}

#[tokio::test]
async fn unknown_conflict_columns_are_reported() {
    let api = start().await;
    let refused = api.send("POST", "/plants?on_conflict=nope", &[MERGE], r#"{"id":1,"name":"x"}"#).await;
    assert_eq!(refused.status, 400);
    let message = "Could not find the 'nope' column of 'plants' in the schema cache";
    assert_eq!(refused.json(), error("PGRST204", message, Value::Null, Value::Null));
}

#[tokio::test]
async fn put_creates_or_replaces_one_row() {
    let api = start().await;
    let put = async |path: &str, headers: &[(&str, &str)], body: Value| {
        let answer = api.send("PUT", path, headers, &body.to_string()).await;
        (answer.status.as_u16(), if answer.text().is_empty() { Value::Null } else { answer.json() })
    };
    let expected_conflict = json!({ "resolution": "merge-duplicates", "columns": ["id"] });
    for name in ["Rose", "Tulip"] {
        let (status, rows) =
            put("/plants?id=eq.5", &[REPRESENTATION], json!({ "id": 5, "name": name })).await;
        // Only the trigger knows whether the row existed before.
        assert_eq!(
            (status, rows[0]["name"].as_str(), requested_conflict(&rows[0])),
            (200, Some(name), expected_conflict.clone())
        );
    }
    assert_eq!(put("/plants?id=eq.5", &[], json!({ "id": 5, "name": "Daisy" })).await, (204, Value::Null));
    let (status, refused) =
        put("/plants?id=eq.6", &[REPRESENTATION], json!({ "id": 5, "name": "Thistle" })).await;
    assert_eq!((status, refused["code"].as_str()), (400, Some("PGRST115")));
    api.assert_rows("/plants?select=id,name&id=gte.5", json!([{ "id": 5, "name": "Daisy" }])).await;
}

#[tokio::test]
async fn columns_and_location_work() {
    let api = start().await;
    let headers = [("Prefer", "return=headers-only"), MERGE];
    let answer = api.send("POST", "/plants", &headers, r#"{"id":8,"name":"Moss"}"#).await;
    assert_eq!((answer.status.as_u16(), answer.header("location")), (201, Some("/plants?id=eq.8")));
    let body = r#"[{"id":8,"name":"Peat","note":"no"}]"#;
    let answer =
        api.send("POST", "/plants?columns=id,name&select=name,note", &[REPRESENTATION, MERGE], body).await;
    assert_eq!(answer.json(), json!([{ "name": "Peat", "note": null }]));
    // The trigger may set the status.
    api.sql("create function hidden.say_ok() returns trigger language plpgsql as $$ begin \
             perform set_config('response.status', '200', true); return new; end $$; \
             create trigger and_say_ok instead of insert on api.plants for each row execute function hidden.say_ok()")
        .await;
    assert_eq!(api.send("POST", "/plants", &[MERGE], r#"{"id":8,"name":"Peat"}"#).await.status, 200);
}
