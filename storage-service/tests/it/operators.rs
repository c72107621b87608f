//! Readiness checks.

use std::sync::Arc;

use test_support::client::TestClient;

use crate::support::Service;

#[tokio::test]
async fn the_service_is_ready_when_database_and_blob_store_are() {
    let service = Service::start().await;
    let storage = Arc::new(service.work().await);
    let operator = TestClient::new(storage.admin_router());
    assert_eq!(operator.get("/live").await.status, 200);
    operator.becomes_ready().await;
    assert!(service.blobs().is_empty(), "the check leaves nothing behind");
    assert_eq!(service.nobody().get("/ready").await.status, 404, "the public router has no readiness check");
}

#[tokio::test]
async fn the_service_is_not_ready_without_a_database() {
    let service = Service::start_with(|config| storage_service::Config {
        database: "postgres://nobody@127.0.0.1:9/none".parse().unwrap(),
        ..config
    })
    .await;
    let storage = Arc::new(service.work().await);
    assert_eq!(storage.ready().await, Err("the database does not answer"));
    assert_eq!(TestClient::new(storage.admin_router()).get("/ready").await.status, 503);
}
