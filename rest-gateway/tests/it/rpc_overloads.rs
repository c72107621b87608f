use serde_json::{Value, json};

use crate::support::{Api, error};

#[tokio::test]
async fn arguments_select_the_overload() {
    let api = Api::start().await;
    api.assert_rows("/rpc/overloaded", json!("none")).await;
    api.assert_rows("/rpc/overloaded?a=1", json!("a")).await;
    api.assert_rows("/rpc/overloaded?a=1&b=2", json!("ab")).await;
    assert_eq!(api.post("/rpc/overloaded", json!({ "b": 1, "a": 2 })).await.json(), json!("ab"));
    let refused = api.post("/rpc/overloaded_same", json!({ "arg": 1 })).await;
    assert_eq!(refused.status, 300);
    assert_eq!(
        refused.json(),
        error(
            "PGRST203",
            "Could not choose the best candidate function between: api.overloaded_same(arg => integer), api.overloaded_same(arg => json)",
            Value::Null,
            json!(
                "Try renaming the parameters or the function itself in the database so function overloading can be resolved"
            )
        )
    );
}

#[tokio::test]
async fn a_missing_function_is_reported_with_a_suggestion() {
    let api = Api::start().await;
    let refused = api.assert_error("/rpc/sayhell", 404, "PGRST202").await;
    assert_eq!(
        refused,
        error(
            "PGRST202",
            "Could not find the function api.sayhell without parameters in the schema cache",
            json!(
                "Searched for the function api.sayhell without parameters, but no matches were found in the schema cache."
            ),
            json!("Perhaps you meant to call the function api.sayhello")
        )
    );
    let refused = api.assert_error("/rpc/add_them?a=1&b=2&smthelse=blabla", 404, "PGRST202").await;
    assert_eq!(
        refused,
        error(
            "PGRST202",
            "Could not find the function api.add_them(a, b, smthelse) in the schema cache",
            json!(
                "Searched for the function api.add_them with parameters a, b, smthelse, but no matches were found in the schema cache."
            ),
            json!("Perhaps you meant to call the function api.add_them(a, b)")
        )
    );
    let refused = api.post("/rpc/sayhello", json!({ "nme": "x" })).await;
    assert_eq!(refused.status, 404);
    assert_eq!(
        refused.json()["details"],
        "Searched for the function api.sayhello with parameter nme or with a single unnamed json/jsonb parameter, but no matches were found in the schema cache."
    );
    assert_eq!(refused.json()["hint"], "Perhaps you meant to call the function api.sayhello(name)");
    let refused = api.send("POST", "/rpc/sayhello", &[("content-type", "text/plain")], "x").await;
    assert_eq!(
        refused.json(),
        error(
            "PGRST202",
            "Could not find the function api.sayhello in the schema cache",
            json!(
                "Searched for the function api.sayhello with a single unnamed text parameter, but no matches were found in the schema cache."
            ),
            Value::Null
        )
    );
    for name in ["set_config", "pg_sleep", "pg_read_file"] {
        api.assert_error(&format!("/rpc/{name}"), 404, "PGRST202").await;
    }
}
