use std::io::Read;

use serde_json::json;

use crate::support::{Api, as_author};

#[tokio::test]
async fn the_root_describes_what_the_caller_may_use() {
    let api = Api::start().await;
    let answer = api.get("/").await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), Some("application/openapi+json; charset=utf-8"));
    let document = answer.json();
    assert_eq!(document["swagger"], "2.0");
    assert_eq!(
        document["definitions"]["projects"]["properties"]["id"],
        json!({ "format": "int32", "type": "integer", "description": "Note:\nThis is a Primary Key.<pk/>" })
    );
    assert_eq!(document["definitions"]["types"]["properties"]["mood"]["enum"], json!(["sad", "ok", "happy"]));
    assert!(document["paths"]["/rpc/add_them"]["get"].is_object());
    assert!(document["paths"]["/authors_only"].is_null());
    let document = api.send("GET", "/", &[("Authorization", &as_author())], "").await.json();
    assert!(document["paths"]["/authors_only"].is_object());
    assert_eq!(api.send("HEAD", "/", &[], "").await.status, 200);
    assert_eq!(api.send("GET", "/", &[("Accept", "text/csv")], "").await.status, 406);
}

/// The description of a large schema takes 20 MB, but repeats itself.
#[tokio::test]
async fn the_description_is_compressed_and_cached_by_privileges() {
    let api = Api::start().await;
    let compressed = api.send("GET", "/", &[("Accept-Encoding", "br, gzip;q=0.8")], "").await;
    assert_eq!(compressed.header("content-encoding"), Some("gzip"));
    let mut text = String::new();
    flate2::read::GzDecoder::new(&*compressed.body).read_to_string(&mut text).unwrap();
    assert_eq!(text, api.get("/").await.text());
    let refused = api.send("GET", "/", &[("Accept-Encoding", "gzip;q=0")], "").await;
    assert_eq!(refused.header("content-encoding"), None);
    // Privileges apply without a reload.
    api.sql("revoke all on api.projects from gateway_anon").await;
    assert!(api.rows("/").await["paths"]["/projects"].is_null());
}

#[tokio::test]
async fn openapi_can_be_disabled() {
    let api = Api::start_with(&[("PGRST_OPENAPI_MODE", "disabled")]).await;
    let refused = api.assert_error("/", 404, "PGRST126").await;
    assert_eq!(refused["message"], "Root endpoint metadata is disabled");
    let api = Api::start_with(&[("PGRST_OPENAPI_MODE", "ignore-privileges")]).await;
    assert!(api.rows("/").await["paths"]["/authors_only"].is_object());
}

#[tokio::test]
async fn operations_refer_to_shared_parameters() {
    let api = Api::start().await;
    let document = api.rows("/").await;
    let reference = |name: &str| json!({ "$ref": format!("#/parameters/{name}") });
    let path = &document["paths"]["/spoken_ranks"];
    let expected = ["body.spoken_ranks", "select", "preferPost"].map(reference);
    assert_eq!(path["post"]["parameters"], json!(expected));
    let expected =
        ["rowFilter.spoken_ranks.name", "rowFilter.spoken_ranks.rank", "preferReturn"].map(reference);
    assert_eq!(path["delete"]["parameters"], json!(expected));
    for operation in path.as_object().unwrap().values() {
        for parameter in operation["parameters"].as_array().unwrap() {
            let pointer = parameter["$ref"].as_str().unwrap().trim_start_matches('#');
            assert!(document.pointer(pointer).is_some(), "{pointer} leads nowhere");
        }
    }
    assert!(document["paths"]["/projects_view"]["get"].is_object());
}

#[tokio::test]
async fn comments_and_keys_are_described() {
    let api = Api::start().await;
    let mut document = api.rows("/").await;
    assert!(document["paths"]["/projects"]["get"]["summary"].is_null());
    api.sql("comment on table api.projects is E'Works\n\nFor a client.'; notify pgrst").await;
    for _ in 0..200 {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        document = api.rows("/").await;
        if document["paths"]["/projects"]["get"]["summary"].is_string() {
            break;
        }
    }
    let get = &document["paths"]["/projects"]["get"];
    assert_eq!((&get["summary"], &get["description"]), (&json!("Works"), &json!("For a client.")));
    assert_eq!(
        document["definitions"]["projects"]["properties"]["client_id"]["description"],
        "Note:\nThis is a Foreign Key to `clients.id`.<fk table='clients' column='id'/>"
    );
}

#[tokio::test]
async fn functions_take_their_arguments_from_the_query_or_the_body() {
    let document = Api::start().await.rows("/").await;
    let repeated = &document["paths"]["/rpc/variadic_param"]["get"]["parameters"][0];
    assert_eq!(
        *repeated,
        json!({
            "name": "v", "in": "query", "required": true, "type": "array", "collectionFormat": "multi",
            "items": { "type": "string", "format": "text" },
        })
    );
    let path = &document["paths"]["/rpc/with_default"];
    assert_eq!(
        path["get"]["parameters"][0],
        json!({ "name": "a", "in": "query", "required": false, "type": "integer", "format": "int32" })
    );
    let body = &path["post"]["parameters"][0]["schema"];
    assert_eq!(body["properties"]["b"], json!({ "type": "integer", "format": "int32" }));
    assert!(body["required"].is_null());
    assert!(document["paths"]["/rpc/ret_void"]["get"].is_null(), "volatile functions have no GET operation");
}
