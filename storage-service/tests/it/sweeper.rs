//! Blobs without a row and rows without a blob.

use std::time::{Duration, Instant};

use serde_json::json;
use storage_service::Config;
use storage_service::check::{Finding, Options, Summary, check};

use crate::support::{Service, post};

/// Three objects: `lost` has no blob, and `orphan` has no row.
async fn damaged() -> Service {
    let service = Service::start_with(|config| Config { orphan_age: Duration::ZERO, ..config }).await;
    service.make_bucket("papers", json!({ "public": true })).await;
    for name in ["kept", "orphan", "lost"] {
        if name == "lost" {
            let before = service.blobs();
            post(&service.service(), "papers/lost", "text/plain", name).await;
            let lost = service.blobs().into_iter().find(|blob| !before.contains(blob)).unwrap();
            std::fs::remove_file(lost).unwrap();
        } else {
            assert_eq!(
                post(&service.service(), &format!("papers/{name}"), "text/plain", name).await.status,
                200
            );
        }
    }
    sqlx::raw_sql(
        "set storage.allow_delete_query = 'true'; delete from storage.objects where name = 'orphan'",
    )
    .execute(&service.rows)
    .await
    .unwrap();
    service
}

async fn run(service: &Service, options: Options) -> (Summary, Vec<Finding>) {
    let mut findings = Vec::new();
    let summary = check(service.config.clone(), options, |finding| findings.push(finding.clone())).await;
    (summary.unwrap(), findings)
}

const DRY_RUN: Options = Options { remove_blobs: false, remove_rows: false, minimum_age: Duration::ZERO };

#[tokio::test]
async fn a_dry_run_lists_both_kinds_and_changes_nothing() {
    let service = damaged().await;
    let (summary, findings) = run(&service, DRY_RUN).await;
    let expected = Summary { blobs: 2, objects: 2, orphaned_blobs: 1, orphaned_bytes: 6, missing_blobs: 1 };
    assert_eq!(summary, expected);
    let lost = Finding::MissingBlob { bucket: "papers".to_owned(), name: "lost".to_owned() };
    assert!(findings.len() == 2 && findings.contains(&lost), "{findings:?}");
    assert_eq!((service.count_rows().await, service.blobs().len()), (2, 2));
}

#[tokio::test]
async fn each_kind_is_removed_only_on_request() {
    let service = damaged().await;
    let hour = Duration::from_secs(3600);
    let (summary, _) = run(&service, Options { remove_blobs: true, minimum_age: hour, ..DRY_RUN }).await;
    assert_eq!((summary.orphaned_blobs, service.blobs().len()), (0, 2), "younger than an hour");

    run(&service, Options { remove_blobs: true, ..DRY_RUN }).await;
    assert_eq!((service.count_rows().await, service.blobs().len()), (2, 1));
    assert_eq!(service.nobody().get("/object/public/papers/kept").await.text(), "kept");

    run(&service, Options { remove_rows: true, ..DRY_RUN }).await;
    assert_eq!((service.count_rows().await, service.blobs().len()), (1, 1));
    assert_eq!(run(&service, DRY_RUN).await.0.missing_blobs, 0);
}

#[tokio::test]
async fn the_service_removes_orphaned_blobs_automatically() {
    let service = damaged().await;
    let interval = Some(Duration::from_millis(50));
    let replicas = [(), ()].map(|()| Config { sweep_interval: interval, ..service.config.clone() });
    let _replicas = futures::future::join_all(replicas.map(storage_service::start)).await;
    let until = Instant::now() + Duration::from_secs(30);
    while service.blobs().len() > 1 && Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!((service.count_rows().await, service.blobs().len()), (2, 1));
    assert_eq!(service.nobody().get("/object/public/papers/kept").await.text(), "kept");
}

#[tokio::test]
async fn without_the_blob_store_nothing_is_reported_missing() {
    let service = damaged().await;
    let place = service.dir.path().join(if crate::ON_S3 { "s3/pictures" } else { "blobs" });
    std::fs::rename(&place, place.with_extension("aside")).unwrap();
    let all = Options { remove_blobs: true, remove_rows: true, ..DRY_RUN };
    assert!(check(service.config.clone(), all, |_| ()).await.is_err());
    assert_eq!(service.count_rows().await, 2);
}
