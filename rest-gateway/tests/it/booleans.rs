//! Accepted boolean values in request bodies.

use serde_json::{Value, json};

use crate::support::{Api, error};

const REPRESENTATION: (&str, &str) = ("Prefer", "return=representation");
const MERGE: (&str, &str) = ("Prefer", "resolution=merge-duplicates");
const JSON: (&str, &str) = ("Content-Type", "application/json");
const STRICT: &[(&str, &str)] = &[("PGRST_DB_STRICT_BOOLEANS", "true")];

#[tokio::test]
async fn strict_mode_accepts_only_json_booleans() {
    let api = Api::start_with(STRICT).await;
    for (method, path, headers) in [
        ("POST", "/types", &[JSON][..]),
        ("POST", "/types?columns=id,active", &[("Content-Type", "application/json; charset=utf-8")]),
        ("POST", "/types", &[MERGE]),
        ("PATCH", "/types?id=eq.9", &[]),
        ("PUT", "/types?id=eq.9", &[]),
    ] {
        for (value, shown) in
            [(json!("yes"), "yes"), (json!("true"), "true"), (json!(1), "1"), (json!([true]), "[true]")]
        {
            let refused =
                api.send(method, path, headers, &json!({ "id": 9, "active": value }).to_string()).await;
            let message = format!("invalid input syntax for type boolean: \"{shown}\"");
            assert_eq!(refused.status, 400, "{method} {path} {value}");
            assert_eq!(refused.json(), error("22P02", &message, Value::Null, Value::Null), "{method} {path}");
        }
    }
    let rows = r#"[{"id":9,"active":true},{"id":10,"active":"no"}]"#;
    assert_eq!(api.send("POST", "/types", &[], rows).await.json()["code"], "22P02");
    api.assert_rows("/types?id=gte.9", json!([])).await;

    let rows =
        json!([{ "id": 9, "active": true, "tags": ["yes"] }, { "id": 10, "active": null, "tags": null }]);
    let answer = api.send("POST", "/types?select=id,active,tags", &[REPRESENTATION], &rows.to_string()).await;
    assert_eq!((answer.status.as_u16(), answer.json()), (201, rows));
    // A domain over boolean, also through a view.
    for path in ["/sayings", "/sayings_view"] {
        let refused = api.post(path, json!({ "id": 9, "told": "yes" })).await;
        assert_eq!(
            (refused.status.as_u16(), refused.json()["code"].as_str()),
            (400, Some("22P02")),
            "{path}"
        );
    }
    assert_eq!(api.post("/sayings", json!({ "id": 9, "told": false })).await.status, 201);
}

#[tokio::test]
async fn strict_mode_does_not_affect_csv_and_forms() {
    let api = Api::start_with(STRICT).await;
    let csv = ("Content-Type", "text/csv");
    let answer =
        api.send("POST", "/types?select=active", &[REPRESENTATION, csv], "id,active\n20,yes\n21,NULL").await;
    assert_eq!(answer.json(), json!([{ "active": true }, { "active": null }]));
    let form = ("Content-Type", "application/x-www-form-urlencoded");
    let answer = api.send("POST", "/types?select=active", &[REPRESENTATION, form], "id=22&active=t").await;
    assert_eq!(answer.json(), json!([{ "active": true }]));
    // Function arguments are not checked.
    assert_eq!(api.post("/rpc/json_argument", json!({ "arg": "yes" })).await.json(), "string");
}

#[tokio::test]
async fn by_default_postgresqls_boolean_input_is_accepted() {
    let api = Api::start().await;
    let rows = r#"[{"id":9,"active":"yes"},{"id":10,"active":0}]"#;
    let answer = api.send("POST", "/types?select=active", &[REPRESENTATION], rows).await;
    assert_eq!(answer.json(), json!([{ "active": true }, { "active": false }]));
    let refused = api.post("/types", json!({ "id": 11, "active": "maybe" })).await;
    let message = "invalid input syntax for type boolean: \"maybe\"";
    assert_eq!(refused.json(), error("22P02", message, Value::Null, Value::Null));
}
