//! Failures that only an S3 server can cause.

use axum::http::StatusCode;
use platform::secret::Secret;
use serde_json::json;
use storage_service::Config;
use storage_service::config::S3Config;

use crate::support::{Service, post};

fn with_s3(config: Config, change: impl FnOnce(S3Config) -> S3Config) -> Config {
    Config { s3: config.s3.map(change), ..config }
}

#[tokio::test]
async fn a_multipart_upload_is_returned_whole() {
    let service = Service::start().await;
    service.make_bucket("papers", json!({ "public": true })).await;
    let large: Vec<u8> = (0..20_000_000_u32).map(|number| number.to_le_bytes()[1]).collect();
    let stored = post(&service.service(), "papers/large", "x/y", large.clone()).await;
    assert_eq!(stored.status, 200, "{}", stored.text());
    assert!(service.nobody().get("/object/public/papers/large").await.body == large);
    assert_eq!(service.blobs().len(), 1);
}

#[tokio::test]
async fn a_wrong_secret_stores_nothing_and_is_not_revealed() {
    let service = Service::start_with(|config| {
        with_s3(config, |s3| S3Config { secret_access_key: Secret::new("wrong"), ..s3 })
    })
    .await;
    service.make_bucket("papers", json!({})).await;
    let refused = post(&service.service(), "papers/a", "text/plain", "x").await;
    assert_eq!(
        (refused.status, &refused.json()["message"]),
        (StatusCode::INTERNAL_SERVER_ERROR, &json!("Internal Server Error"))
    );
    assert_eq!((service.count_rows().await, service.blobs().len()), (0, 0));
    assert!(service.half_received().is_empty());
    assert_eq!(service.work().await.ready().await, Err("blobs can't be stored"));
}

#[tokio::test]
async fn a_missing_bucket_is_not_ready() {
    let service =
        Service::start_with(|config| with_s3(config, |s3| S3Config { bucket: "nowhere".to_owned(), ..s3 }))
            .await;
    assert_eq!(service.work().await.ready().await, Err("blobs can't be stored"));
    service.make_bucket("papers", json!({})).await;
    let refused = post(&service.service(), "papers/a", "text/plain", "x").await;
    assert_eq!((refused.status.as_u16(), &refused.json()["message"]), (500, &json!("Internal Server Error")));
    assert_eq!((service.count_rows().await, service.half_received().len()), (0, 0));
}

#[tokio::test]
async fn uploads_fail_without_leftovers_while_the_server_is_down() {
    let service = Service::start_with(|config| {
        with_s3(config, |s3| S3Config { endpoint: "http://127.0.0.1:9".parse().unwrap(), ..s3 })
    })
    .await;
    service.make_bucket("papers", json!({})).await;
    assert_eq!(post(&service.service(), "papers/a", "text/plain", "x").await.status, 503);
    assert_eq!(service.count_rows().await, 0);
    assert_eq!(service.work().await.ready().await, Err("blobs can't be stored"));
}
