//! Domains and functions from a schema that is not exposed.

use serde_json::{Value, json};

use crate::support::Api;

const REPRESENTATION: (&str, &str) = ("Prefer", "return=representation");

async fn ids(api: &Api, path: &str) -> Vec<i64> {
    api.rows(path).await.as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()).collect()
}

#[tokio::test]
async fn domains_are_read_and_written_like_their_base_types() {
    let api = Api::start().await;
    let first = json!({ "id": 1, "phrase": "Well-known", "title": "Fame", "told": true, "user_id": 1 });
    api.assert_rows("/sayings?id=eq.1", json!([first])).await;
    api.assert_rows("/sayings?phrase=eq.Well-known&told=is.true&title=eq.Fame", json!([first])).await;
    api.assert_rows("/sayings_view?title=in.(Fame,Fear)&select=phrase", json!([{ "phrase": "Well-known" }]))
        .await;
    let rows = json!([{ "id": 7, "phrase": "a", "title": null, "told": false }, { "id": 8, "phrase": null, "title": "b", "told": true }]);
    for path in ["/sayings?select=id,phrase,title,told", "/sayings_view?select=id,phrase,title,told"] {
        let answer =
            api.send("POST", path, &[REPRESENTATION, ("Prefer", "tx=rollback")], &rows.to_string()).await;
        assert_eq!((answer.status.as_u16(), answer.json()), (201, rows.clone()), "{path}");
    }
    let defaults = [REPRESENTATION, ("Prefer", "missing=default")];
    let answer = api.send("POST", "/sayings?columns=id,phrase&select=phrase", &defaults, r#"{"id":9}"#).await;
    assert_eq!(answer.json(), json!([{ "phrase": "nothing-said" }]));
    let merged = [REPRESENTATION, ("Prefer", "resolution=merge-duplicates")];
    let answer = api.send("POST", "/sayings?select=phrase", &merged, r#"{"id":9,"phrase":"said"}"#).await;
    assert_eq!((answer.status.as_u16(), answer.json()), (200, json!([{ "phrase": "said" }])));
    let answer =
        api.send("PATCH", "/sayings?id=eq.9&select=title", &[REPRESENTATION], r#"{"title":"Day"}"#).await;
    assert_eq!(answer.json(), json!([{ "title": "Day" }]));
    let refused =
        api.send("PATCH", "/sayings?id=eq.9", &[], &json!({ "title": "x".repeat(21) }).to_string()).await;
    assert_eq!((refused.status.as_u16(), refused.json()["code"].as_str()), (400, Some("23514")));
}

/// The ids that each condition on the phrase finds with the domain's operators.
const FOUND: [(&str, &[i64]); 7] = [
    ("ilike.wellknown", &[1]),
    ("ilike.*KNOWN", &[1, 2]),
    ("like.Wellknown", &[1]),
    ("ilike(any).{wellknown,wellspring}", &[1, 3]),
    ("like(all).{Well*,*known}", &[1]),
    ("not.ilike.*known", &[3]),
    ("not.ilike(any).{wellknown,wellspring}", &[2]),
];

/// Parameters must be untyped, because otherwise PostgreSQL would not use the domain's operators.
#[tokio::test]
async fn operators_of_the_domain_are_used() {
    let api = Api::start().await;
    for (condition, found) in FOUND {
        for path in [
            format!("/sayings?phrase={condition}&order=id"),
            format!("/sayings_view?phrase={condition}&order=id"),
            format!("/sayings?or=(phrase.{condition},id.eq.0)&order=id"),
            format!("/sayings?and=(id.gt.0,or(phrase.{condition},id.eq.0))&order=id"),
        ] {
            assert_eq!(ids(&api, &path).await, found, "{path}");
        }
        let of_first: Vec<i64> = found.iter().copied().filter(|id| *id < 3).collect();
        let called = format!("/rpc/sayings_of?who=1&phrase={condition}&order=id");
        assert_eq!(ids(&api, &called).await, of_first, "{called}");
        let embedded =
            format!("/users?select=id,sayings(id)&id=eq.1&sayings.phrase={condition}&sayings.order=id");
        let rows: Vec<Value> = of_first.iter().map(|id| json!({ "id": id })).collect();
        api.assert_rows(&embedded, json!([{ "id": 1, "sayings": rows }])).await;
        for (method, body) in [("PATCH", r#"{"title":"x"}"#), ("DELETE", "")] {
            let headers = [REPRESENTATION, ("Prefer", "tx=rollback")];
            let path = format!("/sayings?phrase={condition}&select=id&order=id");
            let answer = api.send(method, &path, &headers, body).await;
            let changed: Vec<Value> = found.iter().map(|id| json!({ "id": id })).collect();
            assert_eq!(answer.json(), Value::Array(changed), "{method} {path}");
        }
    }
    assert_eq!(
        ids(&api, "/sayings?phrase=imatch.^wellknown").await,
        [0_i64; 0],
        "imatch has no operator of its own"
    );
}

/// The statement is prepared when it occurs again.
#[tokio::test]
async fn operators_of_the_domain_are_used_in_prepared_statements() {
    let api = Api::start_with(&[("PGRST_DB_POOL", "1")]).await;
    for (condition, found) in FOUND {
        for id in [1, 2, 3, 1, 2, 3, 1, 2, 3] {
            let path = format!("/sayings?id=eq.{id}&phrase={condition}");
            let expected: Vec<i64> = found.iter().copied().filter(|found| *found == id).collect();
            assert_eq!(ids(&api, &path).await, expected, "{path}");
        }
    }
    let prepared = api.post("/rpc/prepared", json!({})).await.json();
    let of_ours = |row: &&Value| row["statement"].as_str().unwrap().contains(r#""sayings"."phrase""#);
    assert_eq!(prepared.as_array().unwrap().iter().filter(of_ours).count(), 6, "{prepared}");
}

#[tokio::test]
async fn openapi_describes_domains_by_their_base_types() {
    let api = Api::start().await;
    let document = api.rows("/").await;
    for table in ["sayings", "sayings_view"] {
        let properties = &document["definitions"][table]["properties"];
        for column in ["phrase", "title"] {
            assert_eq!(
                (&properties[column]["type"], &properties[column]["format"]),
                (&json!("string"), &json!("text")),
                "{table}.{column}"
            );
        }
        assert_eq!(properties["told"], json!({ "type": "boolean", "format": "boolean" }), "{table}");
    }
}

#[tokio::test]
async fn functions_of_a_hidden_schema_compute_relations() {
    let api = Api::start().await;
    let friday = json!([{ "content": "Has to be ready on Friday" }]);
    api.assert_rows(
        "/articles?select=id,comments(content)&order=id",
        json!([{ "id": 1, "comments": friday }, { "id": 2, "comments": [] }]),
    )
    .await;
    api.assert_rows(
        "/articles?select=id,comments!inner(content)&comments.content=ilike.*friday",
        json!([{ "id": 1, "comments": friday }]),
    )
    .await;
    // In addition to a foreign key relation with another name.
    api.assert_rows(
        "/articles?select=users(name),said:comments(content)&id=eq.1",
        json!([{ "users": { "name": "Ayu Lestari" }, "said": friday }]),
    )
    .await;
    api.assert_error("/rpc/comments", 404, "PGRST202").await;
}
