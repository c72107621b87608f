use serde_json::json;

use crate::support::Api;

#[tokio::test]
async fn select_accepts_json_paths() {
    let api = Api::start().await;
    api.assert_rows(
        "/complex_items?select=settings->>foo&id=eq.1",
        json!([{ "foo": "{\"int\":1,\"bar\":\"baz\"}" }]),
    )
    .await;
    api.assert_rows("/complex_items?select=settings->foo->>bar&id=eq.1", json!([{ "bar": "baz" }])).await;
    api.assert_rows("/complex_items?select=myBar:settings->foo->>bar&id=eq.1", json!([{ "myBar": "baz" }]))
        .await;
    api.assert_rows("/complex_items?select=settings->foo->>int::integer&id=eq.1", json!([{ "int": 1 }]))
        .await;
    api.assert_rows("/jsonb_table?select=data->c->0&id=eq.2", json!([{ "c": 1 }])).await;
    api.assert_rows("/jsonb_table?select=data->c->>-1&id=eq.2", json!([{ "c": "3" }])).await;
    api.assert_rows("/jsonb_table?select=data->0->d&id=eq.3", json!([{ "d": "test" }])).await;
    api.assert_rows("/jsonb_table?select=data->0&id=eq.3", json!([{ "data": { "d": "test" } }])).await;
    // Values that are not JSON are converted.
    api.assert_rows("/complex_items?select=arr_data->1&id=eq.2", json!([{ "arr_data": 2 }])).await;
    api.assert_rows("/types?select=tags->>0&id=eq.1", json!([{ "tags": "a" }])).await;
}

#[tokio::test]
async fn filters_accept_json_paths() {
    let api = Api::start().await;
    api.assert_rows(
        "/json_table?data->foo->>bar=eq.baz",
        json!([{ "data": { "foo": { "bar": "baz" }, "id": 1 } }]),
    )
    .await;
    api.assert_rows(
        "/json_table?select=data->id&data->>id=in.(0,3)&order=data->>id.desc",
        json!([{ "id": 3 }, { "id": 0 }]),
    )
    .await;
    api.assert_rows("/jsonb_table?select=id&data->a=eq.{\"b\":2}", json!([{ "id": 1 }])).await;
    api.assert_rows("/jsonb_table?select=id&data->a->b=gt.1", json!([{ "id": 1 }])).await;
    api.assert_rows(
        "/jsonb_table?select=id&or=(data->0->>d.eq.test,data->>e.eq.1)&order=id",
        json!([{ "id": 3 }, { "id": 4 }]),
    )
    .await;
    api.assert_rows(
        "/jsonb_table?select=id&data->>a=is.null&order=id",
        json!([{ "id": 2 }, { "id": 3 }, { "id": 4 }]),
    )
    .await;
    api.assert_error("/json_table?select=data->>-78xy", 400, "PGRST100").await;
}
