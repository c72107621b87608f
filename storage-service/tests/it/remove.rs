use axum::http::Request;
use serde_json::json;

use crate::support::{Service, assert_refused, delete, post};

#[tokio::test]
async fn a_deletion_returns_the_complete_rows() {
    let service = Service::start().await;
    service.make_bucket("papers", json!({})).await;
    let stored = post(&service.service(), "papers/a", "text/plain", "x").await.json();
    let request = Request::delete("/object/papers").header("content-type", "application/json");
    let deleted = service.service().send(request, json!({ "prefixes": ["a", "b"] }).to_string()).await.json();
    let row = &deleted.as_array().unwrap()[0];
    assert_eq!((&row["id"], &row["bucket_id"], &row["name"]), (&stored["Id"], &json!("papers"), &json!("a")));
    for member in [
        "owner",
        "owner_id",
        "version",
        "updated_at",
        "created_at",
        "last_accessed_at",
        "metadata",
        "user_metadata",
    ] {
        assert!(row.get(member).is_some(), "{member}");
    }
    assert_eq!(deleted.as_array().unwrap().len(), 1);
    assert!(service.blobs().is_empty());
}

#[tokio::test]
async fn unknown_keys_and_invalid_bodies_are_refused() {
    let service = Service::start().await;
    assert_refused(&delete(&service.service(), "/object/images/none.png").await, 404, "NoSuchKey");
    let request = Request::delete("/object/images").header("content-type", "application/json");
    let bodyless = service.service().send(request, "{}").await;
    assert_eq!(bodyless.json()["message"], "body must have required property 'prefixes'");
}
