use serde_json::json;

use crate::support::Api;
use test_support::waiting::eventually;

#[tokio::test]
async fn unsupported_methods_are_rejected() {
    let api = Api::start().await;
    for (method, path, code) in [
        ("TRACE", "/items", "PGRST117"),
        ("LINK", "/items", "PGRST117"),
        ("POST", "/", "PGRST117"),
        ("PATCH", "/rpc/noparams", "PGRST101"),
    ] {
        let refused = api.send(method, path, &[], "").await;
        assert_eq!(
            (refused.status.as_u16(), refused.json()["code"].as_str()),
            (405, Some(code)),
            "{method} {path}"
        );
    }
    let refused = api.send("TRACE", "/items", &[], "").await;
    assert_eq!(refused.json()["message"], "Unsupported HTTP method: TRACE");
    // The method can't be overridden with a header.
    let answer = api.send("GET", "/items?limit=1", &[("X-HTTP-Method-Override", "DELETE")], "").await;
    assert_eq!(answer.json(), json!([{ "id": 1 }]));
}

#[rustfmt::skip]
const STATUSES: [(&str, u16); 36] = [
    ("08000", 503), ("09000", 500), ("0L000", 403), ("0P000", 403), ("23503", 409), ("23505", 409),
    ("23514", 400), ("25006", 405), ("21000", 500), ("22023", 400), ("25000", 500), ("28000", 403),
    ("2D000", 500), ("38000", 500), ("39000", 500), ("3B000", 500), ("40001", 500), ("53400", 500),
    ("53300", 503), ("54000", 500), ("55000", 500), ("57P01", 503), ("57014", 500), ("58000", 500),
    ("F0000", 500), ("HV000", 500), ("P0001", 400), ("P0002", 500), ("XX000", 500), ("42883", 404),
    ("42P01", 404), ("42P17", 500), ("42501", 401), ("PT418", 418), ("22000", 400), ("SR001", 400),
];

#[tokio::test]
async fn sqlstates_map_to_http_statuses() {
    let api = Api::start().await;
    api.sql(
        r#"
        create function api.fail(state text) returns void language plpgsql as
          $$ begin raise exception using errcode = state, message = 'failed'; end $$;
        grant execute on function api.fail(text) to gateway_anon;
        notify pgrst, 'reload schema';
        "#,
    )
    .await;
    eventually("the schema cache is current", async || {
        api.post("/rpc/fail", json!({ "state": "P0001" })).await.json()["code"] != "PGRST202"
    })
    .await;
    for (state, status) in STATUSES {
        let refused = api.post("/rpc/fail", json!({ "state": state })).await;
        assert_eq!(refused.status, status, "{state}");
        assert_eq!(refused.json()["code"], state);
    }
}

#[tokio::test]
async fn malformed_input_never_causes_a_server_error() {
    let api = Api::start().await;
    let pieces = [
        "'", "\"", "\\", ";", "--", "/*", "$1", "%00", "%ff", "(", ")", ")(", "{}", "{", ",", "..", "::",
        "->", "->>", "!", "*", "not", "not.", "or=(", "in.(", "eq.", "is.", "cs.{", "fts(", "1e999", "-0",
        "\u{202e}", "ä", "🦀", "a.b.c.d", "count()",
    ];
    for piece in pieces {
        for path in [
            format!("/clients?select={piece}"),
            format!("/clients?select=name::{piece}"),
            format!("/clients?select=x:name->{piece}"),
            format!("/clients?select=projects({piece})"),
            format!("/clients?{piece}=eq.1"),
            format!("/clients?name={piece}"),
            format!("/clients?name=eq.{piece}"),
            format!("/clients?id=in.({piece})"),
            format!("/clients?or=({piece})"),
            format!("/clients?order={piece}"),
            format!("/clients?limit={piece}"),
            format!("/{piece}"),
            format!("/rpc/sayhello?name={piece}"),
        ] {
            let answer = api.get(&path).await;
            assert!(answer.status.as_u16() < 500, "{path}: {} {}", answer.status, answer.text());
        }
        for (name, value) in
            [("Range", piece), ("Prefer", piece), ("Accept", piece), ("Accept-Profile", piece)]
        {
            if value.is_ascii() {
                let answer = api.send("GET", "/clients", &[(name, value)], "").await;
                assert!(answer.status.as_u16() < 500, "{name}: {value}");
            }
        }
    }
    assert_eq!(api.rows("/clients").await.as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn nesting_depth_is_limited() {
    let api = Api::start().await;
    let deep_select = format!("/clients?select={}id{}", "projects(clients(".repeat(60), "))".repeat(60));
    assert_eq!(api.get(&deep_select).await.status, 400);
    let wide_select = format!("/clients?select=id{}", ",projects(id)".repeat(101));
    assert_eq!(
        api.assert_error(&wide_select, 400, "PGRST100").await["details"],
        "more than 100 embedded resources"
    );
    let deep_logic = format!("/clients?or={}id.eq.1{}", "(and".repeat(200) + "(", ")".repeat(201));
    assert_eq!(api.get(&deep_logic).await.status, 400);
    let deep_json = format!("{}{}", "[".repeat(5000), "]".repeat(5000));
    assert_eq!(api.send("POST", "/jsonb_table", &[], &deep_json).await.status, 400);
    let deep_json = format!("{{\"id\":1,\"data\":{deep_json}}}");
    assert_eq!(api.send("POST", "/jsonb_table?columns=id,data", &[], &deep_json).await.status, 400);
}

#[tokio::test]
async fn error_verbosity_can_be_minimal() {
    let api = Api::start_with(&[("PGRST_CLIENT_ERROR_VERBOSITY", "minimal")]).await;
    let message = "Could not find the table 'api.client' in the schema cache";
    assert_eq!(api.get("/client").await.json(), json!({ "code": "PGRST205", "message": message }));
    let answer = api.send("GET", "/clients?offset=9", &[("Prefer", "count=exact")], "").await;
    assert_eq!(answer.status, 416);
    assert_eq!(answer.json(), json!({ "code": "PGRST103", "message": "Requested range not satisfiable" }));
}
