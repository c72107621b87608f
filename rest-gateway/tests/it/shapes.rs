//! Reads of the same shape share a plan and a statement, but no values.

use serde_json::json;

use crate::support::Api;
use test_support::waiting::eventually;

async fn start() -> Api {
    let api = Api::start_with(&[("PGRST_DB_POOL", "1")]).await;
    api.sql(
        r#"create table api.notes (id int primary key, title text not null);
           insert into api.notes values (1, 'one'), (2, 'two*'), (3, 'three'), (4, 'a&b=c');
           create view api.my_header as
             select current_setting('request.headers', true)::json ->> 'x-custom' as value;
           grant select on api.notes, api.my_header to gateway_anon;
           notify pgrst"#,
    )
    .await;
    eventually("the schema cache is current", async || api.get("/my_header?limit=1").await.status != 404)
        .await;
    api
}

#[tokio::test]
async fn each_request_gets_the_rows_of_its_own_values() {
    let api = start().await;
    for _ in 0..4 {
        for (query, ids) in [
            ("title=eq.one", json!([1])),
            ("title=eq.two*", json!([2])),
            ("title=eq.two%2A", json!([2])),
            ("title=eq.a%26b%3Dc", json!([4])),
            ("title=eq.", json!([])),
            ("title=not.eq.one&id=lt.3", json!([2])),
            ("title=not.eq.one&id=lt.4", json!([2, 3])),
            ("title=like.t*", json!([2, 3])),
            ("title=like.*e", json!([1, 3])),
            ("title=like.%25e", json!([1, 3])),
            ("title=match.^t", json!([2, 3])),
            ("id=gte.3&id=lte.3", json!([3])),
            ("id=gte.2&id=lte.3", json!([2, 3])),
            ("id=in.(1,3)", json!([1, 3])),
            ("id=in.(1,2)", json!([1, 2])),
            ("limit=1", json!([1])),
            ("limit=2", json!([1, 2])),
            ("limit=2&offset=1", json!([2, 3])),
        ] {
            let answer = api.get(&format!("/notes?select=id&order=id&{query}")).await;
            let rows = answer.json();
            let found: Vec<_> = rows.as_array().unwrap().iter().map(|row| row["id"].clone()).collect();
            assert_eq!(json!(found), ids, "{query}");
        }
    }
}

#[tokio::test]
async fn content_location_contains_the_values_of_the_request() {
    let api = start().await;
    for title in ["one", "two%2A", "three"] {
        let answer = api.get(&format!("/notes?title=eq.{title}&select=id")).await;
        let location = format!("/notes?select=id&title=eq.{title}");
        assert_eq!(answer.header("content-location"), Some(location.as_str()));
    }
}

#[tokio::test]
async fn errors_quote_the_value_of_the_request() {
    let api = start().await;
    assert_eq!(api.get("/notes?id=eq.1").await.status, 200);
    for value in ["x", "y"] {
        let answer = api.get(&format!("/notes?id=eq.{value}")).await;
        assert_eq!(answer.status, 400);
        let message = format!("invalid input syntax for type integer: \"{value}\"");
        assert_eq!(answer.json()["message"], message);
    }
}

#[tokio::test]
async fn a_long_pattern_is_rejected_although_its_shape_is_cached() {
    let api = start().await;
    assert_eq!(api.get("/notes?title=like.*a*").await.status, 200);
    let answer = api.get(&format!("/notes?title=like.{}", "a".repeat(9000))).await;
    assert_eq!(answer.status, 400, "{}", answer.text());
    assert_eq!(api.get(&format!("/notes?title=like.{}", "a".repeat(1000))).await.status, 200);
}

#[tokio::test]
async fn the_database_sees_the_headers_of_each_request() {
    let api = start().await;
    for value in ["first", "second"] {
        let answer = api.send("GET", "/my_header", &[("X-Custom", value)], "").await;
        assert_eq!(answer.json(), json!([{ "value": value }]));
    }
    assert_eq!(api.get("/my_header").await.json(), json!([{ "value": null }]));
}

#[tokio::test]
async fn a_column_may_change_its_type() {
    let api = start().await;
    let id = "7f0c2f4e-33a5-4d2f-9d5e-0f3b6f6a1c11";
    api.sql(
        "create table api.tokens (id text);
         insert into api.tokens values ('7f0c2f4e-33a5-4d2f-9d5e-0f3b6f6a1c11');
         grant select on api.tokens to gateway_anon; notify pgrst",
    )
    .await;
    eventually("the schema cache is current", async || api.get("/tokens?limit=1").await.status != 404).await;
    let path = format!("/tokens?id=eq.{id}");
    // Repeat it, so that the statement is prepared.
    for _ in 0..4 {
        assert_eq!(api.get(&path).await.json(), json!([{ "id": id }]));
    }
    api.sql("alter table api.tokens alter id type uuid using id::uuid; notify pgrst").await;
    for _ in 0..200 {
        if api.get(&path).await.status == 200 {
            for _ in 0..4 {
                assert_eq!(api.get(&path).await.json(), json!([{ "id": id }]));
            }
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(25)).await;
    }
    panic!("still {}", api.get(&path).await.text());
}
