//! The blob folder is missing, as when its disk is not mounted. Nothing is lost, and the service continues
//! once it is back.

use axum::http::Request;
use serde_json::json;
use test_support::client::TestClient;
use test_support::person;
use test_support::waiting::eventually;

use crate::support::{Service, delete, pixel, post};

async fn with_picture() -> Service {
    let service = Service::start().await;
    assert_eq!(post(&service.service(), "images/a.png", "image/png", pixel("png")).await.status, 200);
    service
}

/// Moves the folder away and leaves an empty mount point, as an unmounted disk does.
fn unmount(service: &Service) -> std::path::PathBuf {
    let aside = service.dir.path().with_extension("aside");
    std::fs::rename(service.dir.path(), &aside).unwrap();
    std::fs::create_dir(service.dir.path()).unwrap();
    aside
}

fn mount(service: &Service, aside: &std::path::Path) {
    // Fails if the service put anything into the empty mount point.
    std::fs::remove_dir(service.dir.path()).unwrap();
    std::fs::rename(aside, service.dir.path()).unwrap();
}

#[tokio::test]
async fn nothing_is_deleted_stored_or_reported_missing_meanwhile() {
    let service = with_picture().await;
    let aside = unmount(&service);
    let client = service.service();
    let many = Request::delete("/object/images").header("content-type", "application/json");
    let body = json!({ "bucketId": "images", "sourceKey": "a.png", "destinationKey": "b.png" });
    for answer in [
        delete(&client, "/object/images/a.png").await,
        client.send(many, json!({ "prefixes": ["a.png"] }).to_string()).await,
        client.post_json("/bucket/images/empty", &json!({})).await,
        client.post_json("/object/copy", &body).await,
        post(&client, "images/c.png", "image/png", pixel("png")).await,
        client.get("/object/public/images/a.png").await,
        client.get("/render/image/public/images/a.png?width=1").await,
    ] {
        assert_eq!(answer.status, 503, "{}", answer.text());
        assert_eq!(answer.json()["code"], "ServiceUnavailable");
        assert!(answer.header("retry-after").is_some());
    }
    assert_eq!(service.count_rows().await, 1);

    mount(&service, &aside);
    assert_eq!(client.get("/object/public/images/a.png").await.status, 200);
    assert_eq!(post(&client, "images/c.png", "image/png", pixel("png")).await.status, 200);
    assert_eq!(delete(&client, "/object/images/a.png").await.status, 200);
    assert_eq!((service.count_rows().await, service.blobs().len()), (1, 1));
}

#[tokio::test]
async fn a_start_without_the_folder_creates_nothing() {
    let service = with_picture().await;
    let aside = unmount(&service);
    let again = service.work().await;
    assert_eq!(again.ready().await, Err("blobs can't be stored"));
    let client = TestClient::new(again.router()).with_token(person::service_key());
    assert_eq!(post(&client, "images/c.png", "image/png", pixel("png")).await.status, 503);
    mount(&service, &aside);
    assert_eq!(again.ready().await, Ok(()));
    assert_eq!(client.get("/object/public/images/a.png").await.status, 200);
}

#[tokio::test]
async fn blobs_in_a_folder_without_a_marker_are_found() {
    let service = with_picture().await;
    std::fs::remove_file(service.dir.path().join("blobs/.serasi-blobs")).unwrap();
    let again = service.work().await;
    assert_eq!(TestClient::new(again.router()).get("/object/public/images/a.png").await.status, 200);
    assert_eq!(again.ready().await, Ok(()));
}

#[tokio::test]
async fn a_folder_that_another_replica_creates_meanwhile_is_used() {
    let service = Service::start().await;
    service.make_bucket("papers", json!({})).await;
    // The lock stops the check between reading the folder and reading the rows.
    let mut first_object = service.rows.begin().await.unwrap();
    sqlx::query("lock table storage.objects").execute(&mut *first_object).await.unwrap();
    let replica = service.work().await;
    let (readiness, ()) = futures::join!(replica.ready(), async {
        let waiting = "select exists (select from pg_locks where relation = 'storage.objects'::regclass
             and not granted)";
        eventually("the request waits", async || {
            sqlx::query_scalar::<_, bool>(waiting).fetch_one(&service.rows).await.unwrap()
        })
        .await;
        std::fs::create_dir_all(service.dir.path().join("blobs")).unwrap();
        std::fs::write(service.dir.path().join("blobs/.serasi-blobs"), "").unwrap();
        let insert = "insert into storage.objects (bucket_id, name, version) values ('papers', 'a', $1)";
        sqlx::query(insert)
            .bind("00000000-0000-4000-8000-000000000000")
            .execute(&mut *first_object)
            .await
            .unwrap();
        first_object.commit().await.unwrap();
    });
    assert_eq!(readiness, Ok(()));
}
