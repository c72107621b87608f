use serde_json::json;

use crate::support::Api;

const REPRESENTATION: (&str, &str) = ("Prefer", "return=representation");

#[tokio::test]
async fn filtered_rows_are_updated() {
    let api = Api::start().await;
    let answer = api.send("PATCH", "/clients?id=eq.1", &[], r#"{"name":"Macrohard"}"#).await;
    assert_eq!((answer.status.as_u16(), answer.text().as_str()), (204, ""));
    assert_eq!(answer.header("content-range"), Some("0-0/*"));
    let answer = api
        .send(
            "PATCH",
            "/clients?id=in.(1,2)&select=id",
            &[REPRESENTATION, ("Prefer", "count=exact")],
            r#"{"name":"x"}"#,
        )
        .await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.json(), json!([{ "id": 1 }, { "id": 2 }]));
    assert_eq!(answer.header("content-range"), Some("0-1/2"));
    let answer = api.send("PATCH", "/clients?id=eq.99", &[REPRESENTATION], r#"{"name":"x"}"#).await;
    assert_eq!((answer.status.as_u16(), answer.json()), (200, json!([])));
    assert_eq!(answer.header("content-range"), Some("*/*"));
    let answer =
        api.send("PATCH", "/clients?or=(id.eq.1,id.eq.7)", &[REPRESENTATION], r#"{"name":"y"}"#).await;
    assert_eq!(answer.json(), json!([{ "id": 1, "name": "y" }]));
}

#[tokio::test]
async fn an_empty_update_changes_nothing() {
    let api = Api::start().await;
    for body in ["{}", "[]", "[{}]"] {
        let answer = api.send("PATCH", "/items?id=eq.1", &[], body).await;
        assert_eq!((answer.status.as_u16(), answer.header("content-range")), (204, Some("*/*")), "{body}");
    }
    let answer = api.send("PATCH", "/items?select=id", &[REPRESENTATION], "{}").await;
    assert_eq!((answer.status.as_u16(), answer.json()), (200, json!([])));
}

#[tokio::test]
async fn columns_can_be_selected_and_get_defaults() {
    let api = Api::start().await;
    api.sql("insert into api.with_defaults values (1, 'a', 1)").await;
    let answer = api
        .send(
            "PATCH",
            "/with_defaults?id=eq.1&columns=number",
            &[REPRESENTATION],
            r#"{"name":"b","number":2}"#,
        )
        .await;
    assert_eq!(answer.json(), json!([{ "id": 1, "name": "a", "number": 2 }]));
    let defaults = [REPRESENTATION, ("Prefer", "missing=default")];
    let answer =
        api.send("PATCH", "/with_defaults?id=eq.1&columns=name,number", &defaults, r#"{"name":"c"}"#).await;
    assert_eq!(answer.json(), json!([{ "id": 1, "name": "c", "number": 7 }]));
    assert_eq!(answer.header("preference-applied"), Some("missing=default, return=representation"));
    let refused = api.send("PATCH", "/with_defaults?id=eq.1", &[], r#"{"nope":1}"#).await;
    assert_eq!((refused.status.as_u16(), refused.json()["code"].as_str()), (400, Some("PGRST204")));
}

#[tokio::test]
async fn updates_without_a_filter_can_be_rejected() {
    let api = Api::start_with(&[("PGRST_DB_REQUIRE_FILTER", "true")]).await;
    let refused = api.send("PATCH", "/clients", &[], r#"{"name":"x"}"#).await;
    assert_eq!(refused.status, 400);
    assert_eq!(
        refused.json(),
        json!({ "code": "21000", "message": "UPDATE requires a WHERE clause", "details": null, "hint": null })
    );
    let refused = api.send("DELETE", "/clients", &[], "").await;
    assert_eq!(
        (refused.status.as_u16(), refused.json()["message"].as_str()),
        (400, Some("DELETE requires a WHERE clause"))
    );
    api.assert_rows("/clients?name=eq.x", json!([])).await;
    // Missing privileges are reported first, with or without a filter.
    let refused = api.send("DELETE", "/authors_only", &[], "").await;
    assert_eq!((refused.status.as_u16(), refused.json()["code"].as_str()), (401, Some("42501")));
    assert_eq!(api.send("PATCH", "/clients?id=gt.0", &[], r#"{"name":"x"}"#).await.status, 204);
    assert_eq!(api.send("DELETE", "/texts?id=gt.0", &[], "").await.status, 204);
}

#[tokio::test]
async fn returned_rows_can_be_embedded() {
    let api = Api::start().await;
    let answer = api
        .send(
            "PATCH",
            "/projects?id=eq.1&select=id,clients(name),tasks(id)&tasks.order=id",
            &[REPRESENTATION],
            r#"{"client_id":2}"#,
        )
        .await;
    assert_eq!(
        answer.json(),
        json!([{ "id": 1, "clients": { "name": "Angsana" }, "tasks": [{ "id": 1 }, { "id": 2 }] }])
    );
    let answer = api
        .send(
            "PATCH",
            "/users?id=eq.3&select=id,tasks(id)&tasks.id=eq.5",
            &[REPRESENTATION],
            r#"{"name":"D"}"#,
        )
        .await;
    assert_eq!(answer.json(), json!([{ "id": 3, "tasks": [{ "id": 5 }] }]));
}
