use serde_json::json;

use crate::support::{Api, error};
use serde_json::Value;

const REPRESENTATION: (&str, &str) = ("Prefer", "return=representation");
const MERGE: (&str, &str) = ("Prefer", "resolution=merge-duplicates");
const IGNORE: (&str, &str) = ("Prefer", "resolution=ignore-duplicates");

#[tokio::test]
async fn duplicates_are_merged() {
    let api = Api::start().await;
    let rows = json!([{ "name": "Javascript", "rank": 6 }, { "name": "Java", "rank": 2 }, { "name": "C", "rank": 1 }]);
    let answer = api.send("POST", "/spoken_ranks", &[REPRESENTATION, MERGE], &rows.to_string()).await;
    assert_eq!((answer.status.as_u16(), answer.json()), (201, rows));
    assert_eq!(
        answer.header("preference-applied"),
        Some("resolution=merge-duplicates, return=representation")
    );
    // 200, because no row was created.
    let rows = json!([{ "name": "Python", "rank": 6 }, { "name": "Java", "rank": 2 }]);
    let answer = api.send("POST", "/spoken_ranks", &[REPRESENTATION, MERGE], &rows.to_string()).await;
    assert_eq!((answer.status.as_u16(), answer.json()), (200, rows));
    let answer = api.send("POST", "/spoken_ranks", &[REPRESENTATION, MERGE], "[]").await;
    assert_eq!((answer.status.as_u16(), answer.json()), (200, json!([])));
    let answer = api
        .send(
            "POST",
            "/single_unique?on_conflict=unique_key",
            &[REPRESENTATION, MERGE],
            r#"[{"unique_key":1,"value":"B"},{"unique_key":2,"value":"C"}]"#,
        )
        .await;
    assert_eq!((answer.status.as_u16(), answer.json()[0]["value"].as_str()), (201, Some("B")));
    let answer = api.send("POST", "/only_pk", &[REPRESENTATION, MERGE], r#"[{"id":1},{"id":4}]"#).await;
    assert_eq!((answer.status.as_u16(), answer.json()), (201, json!([{ "id": 1 }, { "id": 4 }])));
    // Without a key there are no conflicts.
    let answer = api.send("POST", "/no_pk", &[REPRESENTATION, MERGE], r#"[{"a":"1","b":"0"}]"#).await;
    assert_eq!(
        (answer.status.as_u16(), answer.header("preference-applied")),
        (201, Some("return=representation"))
    );
}

#[tokio::test]
async fn duplicates_are_ignored() {
    let api = Api::start().await;
    let answer = api
        .send(
            "POST",
            "/spoken_ranks",
            &[REPRESENTATION, IGNORE],
            r#"[{"name":"PHP","rank":9},{"name":"Python","rank":10}]"#,
        )
        .await;
    assert_eq!((answer.status.as_u16(), answer.json()), (201, json!([{ "name": "PHP", "rank": 9 }])));
    assert_eq!(
        answer.header("preference-applied"),
        Some("resolution=ignore-duplicates, return=representation")
    );
    let answer =
        api.send("POST", "/spoken_ranks", &[REPRESENTATION, IGNORE], r#"[{"name":"Java","rank":1}]"#).await;
    assert_eq!((answer.status.as_u16(), answer.json()), (201, json!([])));
    let answer = api
        .send(
            "POST",
            "/compound_pk",
            &[REPRESENTATION, IGNORE],
            r#"[{"k1":1,"k2":"a","extra":0},{"k1":3,"k2":"c","extra":0}]"#,
        )
        .await;
    assert_eq!(answer.json(), json!([{ "k1": 3, "k2": "c", "extra": 0 }]));
}

#[tokio::test]
async fn put_creates_or_replaces_one_row() {
    let api = Api::start().await;
    let answer =
        api.send("PUT", "/spoken_ranks?name=eq.Go", &[REPRESENTATION], r#"[{"name":"Go","rank":19}]"#).await;
    assert_eq!((answer.status.as_u16(), answer.json()), (201, json!([{ "name": "Go", "rank": 19 }])));
    let answer =
        api.send("PUT", "/spoken_ranks?name=eq.Go", &[REPRESENTATION], r#"{"name":"Go","rank":20}"#).await;
    assert_eq!((answer.status.as_u16(), answer.json()), (200, json!([{ "name": "Go", "rank": 20 }])));
    let answer = api.send("PUT", "/spoken_ranks?name=eq.Go", &[], r#"{"name":"Go","rank":21}"#).await;
    assert_eq!((answer.status.as_u16(), answer.text().as_str()), (204, ""));
    let answer = api
        .send("PUT", "/compound_pk?k1=eq.5&k2=eq.z", &[REPRESENTATION], r#"{"k1":5,"k2":"z","extra":1}"#)
        .await;
    assert_eq!(answer.status, 201);
}

#[tokio::test]
async fn invalid_puts_are_rejected() {
    let api = Api::start().await;
    let filters = "Filters must include all and only primary key columns with 'eq' operators";
    for path in [
        "/spoken_ranks?rank=eq.19",
        "/spoken_ranks?name=not.eq.Java",
        "/spoken_ranks?name=in.(Go)",
        "/spoken_ranks?and=(name.eq.Go)",
        "/spoken_ranks",
        "/compound_pk?k1=eq.1",
    ] {
        let refused = api.send("PUT", path, &[], r#"{"name":"Go","rank":19}"#).await;
        assert_eq!(refused.status, 405, "{path}");
        assert_eq!(refused.json(), error("PGRST105", filters, Value::Null, Value::Null), "{path}");
    }
    let refused = api.send("PUT", "/spoken_ranks?name=eq.Go&limit=1", &[], r#"{"name":"Go"}"#).await;
    assert_eq!((refused.status.as_u16(), refused.json()["code"].as_str()), (400, Some("PGRST114")));
    let refused = api.send("PUT", "/spoken_ranks?name=eq.Rust", &[], r#"{"name":"Perl","rank":1}"#).await;
    assert_eq!(refused.status, 400);
    assert_eq!(
        refused.json(),
        error(
            "PGRST115",
            "Payload values do not match URL in primary key column(s)",
            Value::Null,
            Value::Null
        )
    );
    api.assert_rows("/spoken_ranks?name=in.(Perl,Rust,Go)", json!([])).await;
}
