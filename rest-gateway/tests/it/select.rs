use serde_json::json;

use crate::support::{Api, error};

#[tokio::test]
async fn columns_are_selected_renamed_and_cast() {
    let api = Api::start().await;
    api.assert_rows("/items?limit=2&order=id", json!([{ "id": 1 }, { "id": 2 }])).await;
    api.assert_rows("/clients?select=id&id=eq.1", json!([{ "id": 1 }])).await;
    api.assert_rows("/clients?select=key:id,label:name&id=eq.1", json!([{ "key": 1, "label": "Meranti" }]))
        .await;
    api.assert_rows(
        "/clients?select=id::text,same:name::varchar&id=eq.2",
        json!([{ "id": "2", "same": "Angsana" }]),
    )
    .await;
    api.assert_rows(
        "/clients?select=*,again:name&id=eq.2",
        json!([{ "id": 2, "name": "Angsana", "again": "Angsana" }]),
    )
    .await;
    api.assert_rows("/clients?select=&id=eq.2", json!([{ "id": 2, "name": "Angsana" }])).await;
    api.assert_rows("/complex_items?select=field-with_sep&id=eq.2", json!([{ "field-with_sep": 2 }])).await;
    api.assert_rows("/complex_items?select= id , name &id=eq.2", json!([{ "id": 2, "name": "Two" }])).await;
    // A computed column.
    api.assert_rows("/clients?select=upper_name&upper_name=eq.ANGSANA", json!([{ "upper_name": "ANGSANA" }]))
        .await;
}

#[tokio::test]
async fn names_can_contain_any_character() {
    let api = Api::start().await;
    let path = r#"/with " and spaces?select="un\"quoted"&a column=eq.2"#;
    api.assert_rows(path, json!([{ "un\"quoted": "y" }])).await;
}

#[tokio::test]
async fn unknown_columns_and_tables_are_reported() {
    let api = Api::start().await;
    let refused = api.assert_error("/clients?select=nope", 400, "42703").await;
    assert_eq!(refused["message"], "column clients.nope does not exist");
    api.assert_error("/clients?nope=eq.1", 400, "42703").await;
    let answer = api.get("/projecs").await;
    assert_eq!(answer.status, 404);
    assert_eq!(
        answer.json(),
        error(
            "PGRST205",
            "Could not find the table 'api.projecs' in the schema cache",
            json!(null),
            json!("Perhaps you meant the table 'api.projects'")
        )
    );
    api.assert_error("/pg_authid", 404, "PGRST205").await;
    api.assert_error("/hidden.articles", 404, "PGRST205").await;
    api.assert_error("/items;drop table x", 404, "PGRST205").await;
    let nested = api.assert_error("/items/1", 404, "PGRST125").await;
    assert_eq!(nested["message"], "Invalid path specified in request URL");
}

#[tokio::test]
async fn parse_errors_are_explained() {
    let api = Api::start().await;
    let explained = |path| {
        let api = &api;
        async move {
            let refused = api.assert_error(path, 400, "PGRST100").await;
            (refused["message"].as_str().unwrap().to_owned(), refused["details"].as_str().unwrap().to_owned())
        }
    };
    assert_eq!(
        explained("/clients?select=id,clients(name[])").await,
        (
            "\"failed to parse select parameter (id,clients(name[]))\" (line 1, column 16)".to_owned(),
            "unexpected '[' expecting letter, digit, \"-\", \"->>\", \"->\", \"::\", \".\", \")\", \",\" or end of input".to_owned()
        )
    );
    assert_eq!(
        explained("/clients?id=noop.0").await,
        (
            "\"failed to parse filter (noop.0)\" (line 1, column 1)".to_owned(),
            "unexpected \"o\" expecting \"not\" or operator (eq, gt, ...)".to_owned()
        )
    );
    assert_eq!(
        explained("/clients?order=id.ac").await,
        (
            "\"failed to parse order (id.ac)\" (line 1, column 4)".to_owned(),
            "unexpected \"c\" expecting \"asc\", \"desc\", \"nullsfirst\" or \"nullslast\"".to_owned()
        )
    );
    assert_eq!(
        explained("/clients?or=()").await.1,
        "unexpected \")\" expecting field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)"
    );
    assert_eq!(explained("/clients?or=(id.in.1,2,id.eq.3)").await.1, "unexpected \"1\" expecting \"(\"");
    assert_eq!(
        explained("/clients?select=name!hint").await.1,
        "unexpected '!' expecting letter, digit, \"-\", \"->>\", \"->\", \"::\", \".\", \")\", \",\" or end of input"
    );
    assert_eq!(explained("/clients?id=in.1,2").await.1, "unexpected \"1\" expecting \"(\"");
    assert_eq!(
        explained("/clients?id=is.nul").await.1,
        "unexpected end of input expecting isVal: (null, not_null, true, false, unknown)"
    );
}
