//! Resized images that are kept on disk: each is made once, and removed with its object or by a purge.

use axum::body::Body;
use axum::http::{Method, Request, header};
use image::ImageFormat;
use serde_json::json;

use crate::render::{size, two_halves, with_pictures};
use crate::support::{assert_refused, delete, post};

#[tokio::test]
async fn a_variant_is_rendered_once_and_removed_with_its_object() {
    let service = with_pictures().await;
    let path = "/render/image/public/images/a.jpg?width=100&format=webp";
    let first = service.nobody().get(path).await;
    assert_eq!(service.variants().len(), 1);
    let etag = first.header("etag").unwrap().to_owned();
    assert_eq!(first.header("cache-control"), Some("no-cache"), "as stored");
    let again = Request::get(path).header(header::IF_NONE_MATCH, &etag);
    let again = service.nobody().send(again, Body::empty()).await;
    assert_eq!((again.status.as_u16(), again.body.len()), (304, 0));
    let head = service.nobody().send(Request::head(path), Body::empty()).await;
    assert_eq!((head.status.as_u16(), head.body.len()), (200, 0));
    assert_eq!(service.nobody().get(path).await.body, first.body);
    assert_eq!(service.variants().len(), 1);

    // Another picture under the same key gets its own variant.
    let other = Request::put("/object/images/a.jpg");
    service.service().send(other, two_halves(100, 300, ImageFormat::Png)).await;
    let replaced = service.nobody().get(path).await;
    assert_eq!(size(&replaced), (100, 300));
    assert_ne!(replaced.header("etag"), Some(etag.as_str()));
    assert_eq!(service.variants().len(), 1);

    delete(&service.service(), "/object/images/a.jpg").await;
    assert_refused(&service.nobody().get(path).await, 404, "NoSuchKey");
    assert!(service.variants().is_empty());
}

#[tokio::test]
async fn the_variants_of_many_deleted_objects_are_removed() {
    let service = with_pictures().await;
    let picture = two_halves(100, 300, ImageFormat::Png);
    let deleting = json!({ "prefixes": ["b.png", "c.png"] }).to_string();
    let ways: [(_, &str, String); 2] = [
        (Method::DELETE, "/object/images", deleting),
        (Method::POST, "/bucket/images/empty", "{}".to_owned()),
    ];
    for (method, path, body) in ways {
        for key in ["images/b.png", "images/c.png"] {
            assert_eq!(post(&service.service(), key, "image/png", picture.clone()).await.status, 200);
            assert_eq!(
                service.nobody().get(&format!("/render/image/public/{key}?width=10")).await.status,
                200
            );
        }
        assert_eq!(service.variants().len(), 2);
        let request = Request::builder().method(method).uri(path);
        let request = request.header(header::CONTENT_TYPE, "application/json");
        assert_eq!(service.service().send(request, body).await.status, 200);
        assert!(service.variants().is_empty(), "{path}");
    }
}

#[tokio::test]
async fn only_the_service_key_can_purge_variants() {
    let service = with_pictures().await;
    service.nobody().get("/render/image/public/images/a.jpg?width=100").await;
    let objects = ["/cdn/images/a.jpg", "/cdn/images", "/cdn/images/a.jpg?transformations=true"];
    for path in objects.into_iter().chain(["/cdn/", "/cdn?transformations=true"]) {
        let refused = delete(&service.person().await.client, path).await;
        assert_eq!(
            (refused.status.as_u16(), refused.json()["message"].as_str()),
            (403, Some("Access denied: Invalid role"))
        );
        assert_eq!(delete(&service.service(), path).await.json(), json!({ "message": "success" }));
        assert!(service.variants().is_empty());
        service.nobody().get("/render/image/public/images/a.jpg?width=100").await;
        assert_eq!(service.variants().len(), 1);
    }
    assert_refused(&delete(&service.service(), "/cdn/images/none").await, 404, "NoSuchKey");
    assert_refused(&delete(&service.service(), "/cdn/none").await, 404, "NoSuchBucket");
}
