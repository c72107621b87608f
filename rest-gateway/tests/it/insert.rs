use serde_json::{Value, json};

use crate::support::{Api, error};

const REPRESENTATION: (&str, &str) = ("Prefer", "return=representation");

#[tokio::test]
async fn one_or_several_rows_are_inserted() {
    let api = Api::start().await;
    let answer = api.post("/clients", json!({ "id": 10, "name": "Ten" })).await;
    assert_eq!((answer.status.as_u16(), answer.text().as_str()), (201, ""));
    assert_eq!(answer.header("content-range"), Some("*/*"));
    assert_eq!(answer.header("location"), None);
    assert_eq!(answer.header("preference-applied"), None);
    assert_eq!(answer.header("content-type"), None);

    let body = json!([{ "id": 11, "name": "Eleven" }, { "id": 12, "name": "Twelve" }]).to_string();
    let answer = api
        .send("POST", "/clients?select=id,label:name", &[REPRESENTATION, ("Prefer", "count=exact")], &body)
        .await;
    assert_eq!(answer.status, 201);
    assert_eq!(answer.json(), json!([{ "id": 11, "label": "Eleven" }, { "id": 12, "label": "Twelve" }]));
    assert_eq!(answer.header("content-range"), Some("*/2"));
    assert_eq!(answer.header("preference-applied"), Some("return=representation, count=exact"));
    assert_eq!(answer.header("content-type"), Some("application/json; charset=utf-8"));
    api.assert_rows("/clients?id=gte.10&select=id", json!([{ "id": 10 }, { "id": 11 }, { "id": 12 }])).await;
}

#[tokio::test]
async fn returned_rows_can_be_embedded_and_ordered() {
    let api = Api::start().await;
    let body = json!([{ "id": 20, "name": "B", "client_id": 1 }, { "id": 21, "name": "A", "client_id": 2 }])
        .to_string();
    let answer =
        api.send("POST", "/projects?select=name,clients(name)&order=name", &[REPRESENTATION], &body).await;
    assert_eq!(
        answer.json(),
        json!([{ "name": "A", "clients": { "name": "Angsana" } }, { "name": "B", "clients": { "name": "Meranti" } }])
    );
    let body = json!({ "id": 22, "name": "C", "client_id": 1 }).to_string();
    let answer = api
        .send("POST", "/projects?select=id,tasks(id),computed_client(name)", &[REPRESENTATION], &body)
        .await;
    assert_eq!(answer.json(), json!([{ "id": 22, "tasks": [], "computed_client": { "name": "Meranti" } }]));
}

#[tokio::test]
async fn headers_only_returns_the_location() {
    let api = Api::start().await;
    let headers = [("Prefer", "return=headers-only")];
    let answer = api.send("POST", "/clients", &headers, r#"{"id":30,"name":"x"}"#).await;
    assert_eq!(answer.header("location"), Some("/clients?id=eq.30"));
    assert_eq!(answer.header("preference-applied"), Some("return=headers-only"));
    let answer = api.send("POST", "/compound_pk", &headers, r#"{"k1":9,"k2":"a b","extra":1}"#).await;
    assert_eq!(answer.header("location"), Some("/compound_pk?k1=eq.9&k2=eq.a%20b"));
    let answer = api.send("POST", "/no_pk", &headers, r#"{"a":"x"}"#).await;
    assert_eq!((answer.status.as_u16(), answer.header("location")), (201, None));
    let answer =
        api.send("POST", "/clients", &headers, r#"[{"id":31,"name":"x"},{"id":32,"name":"y"}]"#).await;
    assert_eq!(answer.header("location"), None);
}

#[tokio::test]
async fn missing_columns_get_defaults() {
    let api = Api::start().await;
    let answer = api.send("POST", "/with_defaults", &[REPRESENTATION], "{}").await;
    assert_eq!(answer.json(), json!([{ "id": 1, "name": "nobody", "number": 7 }]));
    let answer = api
        .send(
            "POST",
            "/with_defaults?columns=name",
            &[REPRESENTATION],
            r#"[{"name":"x","number":1},{"other":2}]"#,
        )
        .await;
    assert_eq!(
        answer.json(),
        json!([{ "id": 2, "name": "x", "number": 7 }, { "id": 3, "name": null, "number": 7 }])
    );
    let defaults = [REPRESENTATION, ("Prefer", "missing=default")];
    let path = "/with_defaults?columns=id,name,number";
    let answer = api.send("POST", path, &defaults, r#"[{"name":"x"},{"number":null},{"id":50}]"#).await;
    assert_eq!(
        answer.json(),
        json!([
            { "id": 4, "name": "x", "number": 7 },
            { "id": 5, "name": "nobody", "number": null },
            { "id": 50, "name": "nobody", "number": 7 },
        ])
    );
    assert_eq!(answer.header("preference-applied"), Some("missing=default, return=representation"));
    let answer = api.send("POST", "/with_defaults?columns=nope", &[], "{}").await;
    assert_eq!(answer.status, 400);
    assert_eq!(
        answer.json(),
        error(
            "PGRST204",
            "Could not find the 'nope' column of 'with_defaults' in the schema cache",
            Value::Null,
            Value::Null
        )
    );
}

#[tokio::test]
async fn empty_bodies_insert_no_values() {
    let api = Api::start().await;
    let answer = api.send("POST", "/with_defaults", &[REPRESENTATION], "[]").await;
    assert_eq!((answer.status.as_u16(), answer.json()), (201, json!([])));
    let answer = api.send("POST", "/with_defaults", &[REPRESENTATION], "[{},{}]").await;
    assert_eq!(answer.json().as_array().map(Vec::len), Some(2));
    let refused = api.send("POST", "/clients", &[("content-type", "application/json")], "").await;
    assert_eq!(refused.status, 400);
    assert_eq!(refused.json(), error("PGRST102", "Empty or invalid json", Value::Null, Value::Null));
}

#[tokio::test]
async fn invalid_bodies_are_rejected() {
    let api = Api::start().await;
    let refused = async |headers: &[(&str, &str)], body: &str| {
        let answer = api.send("POST", "/clients", headers, body).await;
        (answer.status.as_u16(), answer.json()["code"].clone(), answer.json()["message"].clone())
    };
    assert_eq!(refused(&[], "}{ x = 2").await, (400, json!("PGRST102"), json!("Empty or invalid json")));
    assert_eq!(
        refused(&[], r#"[{"id":1,"name":"a"},{"id":2}]"#).await,
        (400, json!("PGRST102"), json!("All object keys must match"))
    );
    assert_eq!(
        refused(&[("content-type", "text/html")], "x").await,
        (400, json!("PGRST102"), json!("Content-Type not acceptable: text/html"))
    );
    assert_eq!(refused(&[], r#"{"nope":1}"#).await.1, json!("PGRST204"));
    assert_eq!(refused(&[], r#"{"id":1,"name":"again"}"#).await.0, 409);
    assert_eq!(refused(&[], r#"{"id":99}"#).await.1, json!("23502"));
    assert_eq!(refused(&[], &format!(r#"{{"name":"{}"}}"#, "x".repeat(1 << 20))).await.0, 413);
}

#[tokio::test]
async fn forms_and_csv_are_accepted() {
    let api = Api::start().await;
    let form = ("content-type", "application/x-www-form-urlencoded");
    let answer = api.send("POST", "/clients", &[REPRESENTATION, form], "id=40&name=For+m%21").await;
    assert_eq!(answer.json(), json!([{ "id": 40, "name": "For m!" }]));
    let csv = ("content-type", "text/csv");
    let answer = api.send("POST", "/no_pk", &[REPRESENTATION, csv], "a,b\nbar,NULL\n\"x,y\",foo").await;
    assert_eq!(answer.json(), json!([{ "a": "bar", "b": null }, { "a": "x,y", "b": "foo" }]));
    let refused = api.send("POST", "/no_pk", &[csv], "a,b\nbar").await;
    assert_eq!(refused.json()["message"], "All lines must have same number of fields");
}

#[tokio::test]
async fn json_values_are_inserted_unchanged() {
    let api = Api::start().await;
    let answer =
        api.send("POST", "/jsonb_table", &[REPRESENTATION], r#"{"id":9,"data":{"a":[1,{"b":null}]}}"#).await;
    assert_eq!(answer.json(), json!([{ "id": 9, "data": { "a": [1, { "b": null }] } }]));
    let answer = api
        .send("POST", "/complex_items", &[REPRESENTATION], r#"{"id":9,"arr_data":[1,2],"field-with_sep":3}"#)
        .await;
    assert_eq!(answer.json()[0]["arr_data"], json!([1, 2]));
    // A domain with representation functions.
    let answer = api.send("POST", "/paints", &[REPRESENTATION], r##"{"id":9,"shade":"#00FF00"}"##).await;
    assert_eq!(answer.json(), json!([{ "id": 9, "shade": "#00FF00" }]));
    api.assert_rows("/paints?select=*&shade=eq.%23002328", json!([{ "id": 2, "shade": "#002328" }])).await;
}
