use serde_json::Value;

use crate::support::{Api, error};

#[tokio::test]
async fn media_types_are_negotiated() {
    let api = Api::start().await;
    for accept in ["*/*", "application/json", "text/unknown, application/json", "application/json;q=0.1"] {
        let answer = api.send("GET", "/items?limit=1", &[("Accept", accept)], "").await;
        assert_eq!(answer.header("content-type"), Some("application/json; charset=utf-8"), "{accept}");
    }
    let refused = api.send("GET", "/items", &[("Accept", "text/unknowntype, image/png")], "").await;
    assert_eq!(refused.status, 406);
    assert_eq!(
        refused.json(),
        error(
            "PGRST107",
            "None of these media types are available: text/unknowntype, image/png",
            Value::Null,
            Value::Null
        )
    );
}

#[tokio::test]
async fn rows_are_returned_as_csv() {
    let api = Api::start().await;
    let csv = [("Accept", "text/csv")];
    let answer = api.send("GET", "/complex_items?select=id,name,arr_data&order=id&limit=2", &csv, "").await;
    assert_eq!(answer.header("content-type"), Some("text/csv; charset=utf-8"));
    assert_eq!(answer.text(), "id,name,arr_data\n1,One,{1}\n2,Two,\"{1,2}\"");
    let answer = api
        .send("POST", "/no_pk", &[csv[0], ("Prefer", "return=representation")], r#"{"a":"x","b":null}"#)
        .await;
    assert_eq!(answer.text(), "a,b\nx,");
}

#[tokio::test]
async fn the_database_can_define_media_types() {
    let api = Api::start().await;
    let plain = [("Accept", "text/plain")];
    let answer = api.send("GET", "/clients?order=id", &plain, "").await;
    assert_eq!((answer.status.as_u16(), answer.text().as_str()), (200, "Meranti;Angsana;"));
    assert_eq!(answer.header("content-type"), Some("text/plain; charset=utf-8"));
    // The handler requires whole rows.
    assert_eq!(api.send("GET", "/clients?select=id", &plain, "").await.status, 406);
    assert_eq!(api.send("GET", "/items", &plain, "").await.status, 406);
}

#[tokio::test]
async fn responses_have_a_vary_header() {
    let api = Api::start().await;
    let answer = api.get("/items?id=in.(1,2)&select=id&order=id").await;
    assert_eq!(answer.header("vary"), Some("Accept, Prefer, Range"));
    assert_eq!(answer.header("content-location"), Some("/items?id=in.%281%2C2%29&order=id&select=id"));
    assert_eq!(api.get("/items").await.header("content-location"), Some("/items"));
    let head = api.send("HEAD", "/items", &[("Prefer", "count=exact")], "").await;
    assert_eq!(
        (head.status.as_u16(), head.body.len(), head.header("content-range")),
        (200, 0, Some("0-14/15"))
    );
    let refused = api.get("/nothing").await;
    assert_eq!(refused.header("proxy-status"), Some("PostgREST; error=PGRST205"));
    assert_eq!(refused.header("content-type"), Some("application/json; charset=utf-8"));
}
