//! `db-pre-config`: a function that sets settings in the database.

use serde_json::json;

use crate::support::Api;

#[tokio::test]
async fn the_function_may_be_named_like_a_keyword() {
    let api = Api::start().await;
    api.sql(
        r#"
        create schema test; grant usage on schema test to "gateway ""test"" login";
        create function test."true"() returns void language sql as
          $$ select set_config('pgrst.db_max_rows', '2', true) $$;
        "#,
    )
    .await;
    let settings = [("PGRST_DB_PRE_CONFIG", "test.true"), ("PGRST_DB_MAX_ROWS", "9")];
    let limited = api.start_another(&settings).await;
    limited.assert_rows("/items?select=id&order=id", json!([{ "id": 1 }, { "id": 2 }])).await;
    // The function's settings don't outlive it.
    api.sql("create or replace function test.true() returns void language sql as ''").await;
    api.sql("notify pgrst, 'reload config'").await;
    limited.wait_until("/items?select=id", |rows| rows.as_array().map(Vec::len) == Some(9)).await;
}

#[tokio::test]
async fn the_gateway_starts_without_the_function() {
    let api = Api::start_with(&[("PGRST_DB_PRE_CONFIG", "select"), ("PGRST_DB_MAX_ROWS", "1")]).await;
    api.assert_rows("/items?select=id&order=id", json!([{ "id": 1 }])).await;
}
