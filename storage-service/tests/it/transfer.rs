//! Moves and copies.

use axum::http::Request;
use serde_json::json;

use crate::support::{Service, assert_refused, pixel, post};

async fn with_paper() -> Service {
    let service = Service::start().await;
    service.make_bucket("papers", json!({ "public": true })).await;
    service.make_bucket("small", json!({ "file_size_limit": 2, "allowed_mime_types": ["text/plain"] })).await;
    let request = Request::post("/object/papers/a")
        .header("content-type", "text/plain")
        .header("x-metadata", "eyJhIjoxfQ==");
    assert_eq!(service.service().send(request, "hello").await.status, 200);
    service
}

#[tokio::test]
async fn a_moved_object_keeps_its_id() {
    let service = with_paper().await;
    let client = service.service();
    let before = client.get("/object/info/papers/a").await.json();
    let moved = client
        .post_json(
            "/object/move",
            &json!({ "bucketId": "papers", "sourceKey": "a", "destinationKey": "b/c" }),
        )
        .await;
    assert_eq!(moved.json(), json!({ "message": "Successfully moved" }));

    let after = client.get("/object/info/papers/b/c").await.json();
    for member in ["id", "metadata", "content_type", "created_at", "etag"] {
        assert_eq!(after[member], before[member], "{member}");
    }
    assert_eq!(client.get("/object/papers/b/c").await.text(), "hello");
    assert_refused(&client.get("/object/papers/a").await, 404, "NoSuchKey");
}

#[tokio::test]
async fn a_copy_is_independent_of_its_source() {
    let service = with_paper().await;
    let client = service.service();
    let body = json!({ "bucketId": "papers", "sourceKey": "a", "destinationKey": "b" });
    let copied = client.post_json("/object/copy", &body).await.json();
    assert_eq!((&copied["Key"], &copied["Id"]), (&json!("papers/b"), &copied["id"]));
    assert_eq!((&copied["name"], &copied["user_metadata"]), (&json!("b"), &json!({ "a": 1 })));

    assert_refused(&client.post_json("/object/copy", &body).await, 409, "KeyAlreadyExists");
    client.send(Request::put("/object/papers/a"), "changed").await;
    assert_eq!(client.get("/object/papers/b").await.text(), "hello", "the copy outlives its source");
    let over = Request::post("/object/copy").header("x-upsert", "true");
    assert_eq!(client.send(over, body.to_string()).await.json()["Id"], copied["Id"]);
    assert_eq!(client.get("/object/papers/b").await.text(), "changed");
    assert_eq!(service.blobs().len(), 2);
}

#[tokio::test]
async fn a_copy_can_change_its_metadata() {
    let service = with_paper().await;
    let request = Request::post("/object/copy").header("x-metadata", "eyJiIjoyfQ==");
    let body = json!({
        "bucketId": "papers", "sourceKey": "a", "destinationKey": "b", "copyMetadata": false,
        "metadata": { "cacheControl": "max-age=7", "contentEncoding": "br", "mimetype": "text/css" },
    });
    let copied = service.service().send(request, body.to_string()).await.json();
    assert_eq!(copied["user_metadata"], json!({ "b": 2 }));
    let got = service.nobody().get("/object/public/papers/b").await;
    assert_eq!(
        (got.header("cache-control"), got.header("content-encoding"), got.header("content-type")),
        (Some("max-age=7"), Some("br"), Some("text/css"))
    );
}

#[tokio::test]
async fn invalid_transfers_change_nothing() {
    let service = with_paper().await;
    let client = service.service();
    post(&client, "papers/taken", "text/plain", "x").await;
    post(&client, "images/a.png", "image/png", pixel("png")).await;
    for action in ["move", "copy"] {
        let transfer = async |source: &str, target: &str, bucket: &str| {
            let body = json!({ "bucketId": "papers", "sourceKey": source, "destinationKey": target, "destinationBucket": bucket });
            client.post_json(&format!("/object/{action}"), &body).await
        };
        assert_refused(&transfer("none", "b", "papers").await, 404, "NoSuchKey");
        assert_refused(&transfer("a", "taken", "papers").await, 409, "KeyAlreadyExists");
        assert_refused(&transfer("a", "b", "nowhere").await, 404, "NoSuchBucket");
        for key in ["", "../b", "b/", "é"] {
            assert_refused(&transfer("a", key, "papers").await, 400, "InvalidKey");
        }
        assert_refused(&transfer("a", "b", "small").await, 413, "EntityTooLarge");
        assert_refused(&transfer("a", "b.png", "images").await, 415, "InvalidMimeType");
    }
    let disguised = json!({ "bucketId": "images", "sourceKey": "a.png", "destinationKey": "b", "metadata": { "mimetype": "text/html" } });
    assert_eq!(client.post_json("/object/copy", &disguised).await.status, 200);
    let got = service.nobody().get("/object/public/images/b").await;
    assert_eq!(got.header("content-type"), Some("image/png"), "the bytes decide the type of a picture");
    assert_eq!(client.get("/object/papers/a").await.text(), "hello");
}
