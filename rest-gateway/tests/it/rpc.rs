use serde_json::{Value, json};

use crate::support::Api;

#[tokio::test]
async fn functions_are_called_by_get_and_post() {
    let api = Api::start().await;
    let answer = api.post("/rpc/add_them", json!({ "a": 1, "b": 2 })).await;
    assert_eq!((answer.status.as_u16(), answer.text().as_str()), (200, "3"));
    assert_eq!(answer.header("content-type"), Some("application/json; charset=utf-8"));
    assert_eq!(answer.header("content-range"), Some("0-0/*"));
    api.assert_rows("/rpc/add_them?a=1&b=2", json!(3)).await;
    api.assert_rows("/rpc/sayhello?name=world", json!("Hello, world")).await;
    api.assert_rows("/rpc/sayhello?name=notable", json!("Hello, notable")).await;
    api.assert_rows("/rpc/noparams", json!("Nothing was asked")).await;
    assert_eq!(api.send("POST", "/rpc/noparams", &[], "").await.status, 200);
    api.assert_rows("/rpc/ret_null", Value::Null).await;
    api.assert_rows("/rpc/ret_array", json!([1, 2, 3])).await;
    let form = ("content-type", "application/x-www-form-urlencoded");
    assert_eq!(api.send("POST", "/rpc/add_them", &[form], "a=4&b=5").await.json(), json!(9));
    let head = api.send("HEAD", "/rpc/add_them?a=1&b=2", &[], "").await;
    assert_eq!((head.status.as_u16(), head.body.len()), (200, 0));
}

#[tokio::test]
async fn arguments_may_be_omitted_or_variadic() {
    let api = Api::start().await;
    api.assert_rows("/rpc/with_default", json!(12)).await;
    api.assert_rows("/rpc/with_default?b=5", json!(15)).await;
    assert_eq!(api.post("/rpc/with_default", json!({ "a": 3 })).await.json(), json!(32));
    api.assert_rows("/rpc/variadic_param?v=a&v=b,c", json!(["a", "b,c"])).await;
    assert_eq!(api.post("/rpc/variadic_param", json!({ "v": ["x", "y"] })).await.json(), json!(["x", "y"]));
}

#[tokio::test]
async fn rows_are_filtered_ordered_limited_and_embedded() {
    let api = Api::start().await;
    api.assert_rows("/rpc/getitemrange?min=2&max=4", json!([{ "id": 3 }, { "id": 4 }])).await;
    api.assert_rows("/rpc/getitemrange?min=2&max=9&id=gt.7&select=x:id", json!([{ "x": 8 }, { "x": 9 }]))
        .await;
    api.assert_rows("/rpc/getitemrange?min=2&max=9&order=id.desc&limit=1&offset=1", json!([{ "id": 8 }]))
        .await;
    api.assert_rows(
        "/rpc/get_projects_below?id=2&select=id,clients(name),tasks(id)&tasks.order=id",
        json!([{ "id": 1, "clients": { "name": "Meranti" }, "tasks": [{ "id": 1 }, { "id": 2 }] }]),
    )
    .await;
    api.assert_rows(
        "/rpc/get_projects_below?id=5&id=gt.2&name=like.I*&select=name",
        json!([{ "name": "Irosa" }]),
    )
    .await;
    api.assert_rows(
        "/rpc/get_projects_below?id=4&select=name&order=id.desc&limit=1",
        json!([{ "name": "Irosa" }]),
    )
    .await;
    api.assert_rows("/rpc/ret_setof_integers", json!([1, 2, 3])).await;
    api.assert_rows(
        "/rpc/rows_table?n=2",
        json!([{ "number": 1, "square": 1 }, { "number": 2, "square": 4 }]),
    )
    .await;
    api.assert_rows(
        "/rpc/rows_table?n=3&square=gt.3&select=number",
        json!([{ "number": 2 }, { "number": 3 }]),
    )
    .await;
    api.assert_rows("/rpc/single_project?select=name", json!({ "name": "Willow 7" })).await;
    api.assert_rows("/rpc/with_out?a=3", json!({ "sum": 6, "product": 9 })).await;
    let answer = api
        .send("POST", "/rpc/getitemrange?limit=2", &[("Prefer", "count=exact")], r#"{"min":0,"max":10}"#)
        .await;
    assert_eq!((answer.status.as_u16(), answer.header("content-range")), (206, Some("0-1/10")));
}

#[tokio::test]
async fn void_functions_return_no_content() {
    let api = Api::start().await;
    let answer = api.send("POST", "/rpc/ret_void", &[], "").await;
    assert_eq!((answer.status.as_u16(), answer.text().as_str()), (204, ""));
    assert_eq!(answer.header("content-type"), None);
}

#[tokio::test]
async fn get_requests_cannot_write() {
    let api = Api::start().await;
    let refused = api.assert_error("/rpc/write_item?id=100", 405, "25006").await;
    assert_eq!(refused["message"], "cannot execute INSERT in a read-only transaction");
    assert_eq!(api.post("/rpc/write_item", json!({ "id": 100 })).await.status, 204);
    api.assert_rows("/items?id=eq.100", json!([{ "id": 100 }])).await;
    let refused = api.send("DELETE", "/rpc/write_item?id=100", &[], "").await;
    assert_eq!((refused.status.as_u16(), refused.json()["code"].as_str()), (405, Some("PGRST101")));
    assert_eq!(refused.json()["message"], "Cannot use the DELETE method on RPC");
}

#[tokio::test]
async fn the_body_can_be_the_argument() {
    let api = Api::start().await;
    let answer = api.post("/rpc/unnamed_json_param", json!({ "A": 1, "B": [2] })).await;
    assert_eq!(answer.json(), json!({ "A": 1, "B": [2] }));
    let text = [("content-type", "text/plain")];
    assert_eq!(api.send("POST", "/rpc/unnamed_text_param", &text, "hello").await.json(), json!("hello"));
    let bytes = [("content-type", "application/octet-stream")];
    assert_eq!(api.send("POST", "/rpc/unnamed_bytea_param", &bytes, "ab").await.json(), json!("\\x6162"));
    assert_eq!(api.post("/rpc/json_argument", json!({ "arg": { "a": 1 } })).await.json(), json!("object"));
    assert_eq!(api.post("/rpc/json_argument", json!({ "arg": [1] })).await.json(), json!("array"));
}

#[tokio::test]
async fn functions_can_raise_custom_errors() {
    let api = Api::start().await;
    let refused = api.post("/rpc/raise_400", json!({})).await;
    assert_eq!(refused.status, 400);
    assert_eq!(
        refused.json(),
        json!({ "code": "P0001", "message": "Mars is closed", "details": "why", "hint": "try Venus" })
    );
    let refused = api.post("/rpc/raise_pt402", json!({})).await;
    assert_eq!(refused.status, 402);
    assert_eq!(refused.json()["message"], "Payment Required");
    let refused = api.post("/rpc/raise_sqlstate_test1", json!({})).await;
    assert_eq!((refused.status.as_u16(), refused.header("x-header")), (332, Some("str")));
    assert_eq!(refused.json(), json!({ "code": "123", "message": "ABC", "details": "DEF", "hint": "XYZ" }));
    let refused = api.post("/rpc/raise_sqlstate_bad", json!({})).await;
    assert_eq!(refused.status, 500);
    assert_eq!(
        refused.json(),
        json!({
            "code": "PGRST121",
            "message": "Could not parse JSON in the \"RAISE SQLSTATE 'PGRST'\" error",
            "details": "Invalid JSON value for MESSAGE: 'INVALID'",
            "hint": "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'.",
        })
    );
}
