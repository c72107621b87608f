use serde_json::{Value, json};

use crate::support::{Api, error};

#[tokio::test]
async fn strict_handling_rejects_unknown_preferences() {
    let api = Api::start().await;
    let refused = api.send("GET", "/items", &[("Prefer", "handling=strict, anything, x=y")], "").await;
    assert_eq!(refused.status, 400);
    assert_eq!(
        refused.json(),
        error(
            "PGRST122",
            "Invalid preferences given with handling=strict",
            json!("Invalid preferences: anything, x=y"),
            Value::Null
        )
    );
    let answer = api.send("GET", "/items?limit=1", &[("Prefer", "handling=lenient, anything")], "").await;
    assert_eq!(
        (answer.status.as_u16(), answer.header("preference-applied")),
        (200, Some("handling=lenient"))
    );
    let refused = api.send("POST", "/rpc/overloaded", &[("Prefer", "handling=strict, bad")], "{}").await;
    assert_eq!(refused.status, 400);
}

#[tokio::test]
async fn transactions_can_be_rolled_back() {
    let api = Api::start().await;
    let rollback = [("Prefer", "tx=rollback, return=representation")];
    let answer = api.send("POST", "/clients", &rollback, r#"{"id":77,"name":"gone"}"#).await;
    assert_eq!((answer.status.as_u16(), answer.json()), (201, json!([{ "id": 77, "name": "gone" }])));
    assert_eq!(answer.header("preference-applied"), Some("return=representation, tx=rollback"));
    api.assert_rows("/clients?id=eq.77", json!([])).await;
    assert_eq!(api.send("DELETE", "/items", &[("Prefer", "tx=rollback")], "").await.status, 204);
    assert_eq!(api.rows("/items").await.as_array().unwrap().len(), 15);
    // Deferred constraint violations are reported too.
    api.sql(
        "alter table api.projects alter constraint projects_client_id_fkey deferrable initially deferred",
    )
    .await;
    for prefer in ["tx=rollback", "tx=commit"] {
        let refused = api
            .send("POST", "/projects", &[("Prefer", prefer)], r#"{"id":9,"name":"x","client_id":99}"#)
            .await;
        assert_eq!(
            (refused.status.as_u16(), refused.json()["code"].as_str()),
            (409, Some("23503")),
            "{prefer}"
        );
    }
    assert_eq!(api.get("/items?limit=1").await.status, 200);
}

#[tokio::test]
async fn clients_override_the_transaction_end_only_if_allowed() {
    let api = Api::start_with(&[("PGRST_DB_TX_END", "rollback")]).await;
    let answer = api.send("POST", "/clients", &[("Prefer", "tx=commit")], r#"{"id":78,"name":"gone"}"#).await;
    assert_eq!((answer.status.as_u16(), answer.header("preference-applied")), (201, None));
    api.assert_rows("/clients?id=eq.78", json!([])).await;
}

#[tokio::test]
async fn max_affected_limits_changed_rows() {
    let api = Api::start().await;
    let two = [("Prefer", "handling=strict, max-affected=2")];
    let refused = api.send("DELETE", "/items?id=lt.6", &two, "").await;
    assert_eq!(refused.status, 400);
    assert_eq!(
        refused.json(),
        error(
            "PGRST124",
            "Query result exceeds max-affected preference constraint",
            json!("The query affects 5 rows"),
            Value::Null
        )
    );
    assert_eq!(api.rows("/items").await.as_array().unwrap().len(), 15);
    let answer = api.send("DELETE", "/items?id=lt.3", &two, "").await;
    assert_eq!(
        (answer.status.as_u16(), answer.header("preference-applied")),
        (204, Some("handling=strict, max-affected=2"))
    );
    // Without strict handling the preference is ignored.
    let answer = api.send("DELETE", "/items?id=lt.8", &[("Prefer", "max-affected=2")], "").await;
    assert_eq!(answer.status, 204);
    let refused = api.send("POST", "/rpc/delete_items", &two, r#"{"upto":12}"#).await;
    assert_eq!(refused.status, 400);
    assert_eq!(api.rows("/items").await.as_array().unwrap().len(), 8);
    let refused = api.send("POST", "/rpc/add_them", &two, r#"{"a":1,"b":2}"#).await;
    assert_eq!((refused.status.as_u16(), refused.json()["code"].as_str()), (400, Some("PGRST128")));
}

#[tokio::test]
async fn times_use_the_requested_time_zone() {
    let api = Api::start().await;
    let path = "/types?id=eq.1&select=at";
    let answer = api.send("GET", path, &[("Prefer", "timezone=America/Los_Angeles")], "").await;
    assert_eq!(answer.json(), json!([{ "at": "2019-12-31T16:00:00-08:00" }]));
    assert_eq!(answer.header("preference-applied"), Some("timezone=America/Los_Angeles"));
    let answer = api.send("GET", path, &[("Prefer", "timezone=-4")], "").await;
    assert_eq!(answer.json(), json!([{ "at": "2019-12-31T20:00:00-04:00" }]));
    // PostgreSQL validates the time zone.
    let refused = api.send("GET", path, &[("Prefer", "timezone=Jupiter/Red_Spot")], "").await;
    assert_eq!((refused.status.as_u16(), refused.json()["code"].as_str()), (400, Some("22023")));
    let far = api.send("GET", path, &[("Prefer", "timezone=America/Argentina/Buenos_Aires")], "").await;
    assert_eq!(far.json(), json!([{ "at": "2019-12-31T21:00:00-03:00" }]));
    api.assert_rows(path, json!([{ "at": "2020-01-01T00:00:00+00:00" }])).await;
}
