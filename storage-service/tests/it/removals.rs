//! Deleting a profile also removes its pictures: real rows and real files.

use std::path::{Path, PathBuf};
use std::time::Duration;

use axum::http::Request;
use sqlx::ConnectOptions;
use tokio::process::Command;

use crate::support::{Person, Service, pixel, post};

const SOON: Duration = Duration::from_millis(50);

async fn influencer(service: &Service) -> Person {
    let person = service.person().await;
    let id = person.id;
    sqlx::query("insert into app.user_roles (user_id, role) values ($1, 'influencer')")
        .bind(id)
        .execute(&service.rows)
        .await
        .unwrap();
    make_profile(service, &person).await;
    person
}

async fn make_profile(service: &Service, person: &Person) {
    sqlx::query(
        "insert into app.influencers (user_id, name, username, category) values ($1, 'Aina', $1, 'Travel')",
    )
    .bind(person.id)
    .execute(&service.rows)
    .await
    .unwrap();
}

async fn delete_profile(service: &Service, person: &Person) {
    let deleted = sqlx::query("delete from app.influencers where user_id = $1")
        .bind(person.id)
        .execute(&service.rows)
        .await
        .unwrap();
    assert_eq!(deleted.rows_affected(), 1);
}

async fn upload(person: &Person, file: &str) -> String {
    let path = format!("images/{}/{file}", person.id);
    let stored = post(&person.client, &path, "image/png", pixel("png")).await;
    assert_eq!(stored.status, 200, "{}", stored.text());
    path
}

async fn status(service: &Service, path: &str) -> u16 {
    service.nobody().get(&format!("/object/public/{path}")).await.status.as_u16()
}

async fn queued(service: &Service) -> i64 {
    sqlx::query_scalar("select count(*) from storage.removals").fetch_one(&service.rows).await.unwrap()
}

async fn until(mut condition: impl AsyncFnMut() -> bool) {
    let met = async {
        while !condition().await {
            tokio::time::sleep(SOON).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), met).await.unwrap();
}

fn only_blob(service: &Service) -> PathBuf {
    let [blob] = <[PathBuf; 1]>::try_from(service.blobs()).unwrap();
    blob
}

/// Replaces the blob with something that cannot be removed as a file, not even by root.
fn obstruct(blob: &Path) {
    std::fs::remove_file(blob).unwrap();
    std::fs::create_dir(blob).unwrap();
}

#[tokio::test]
async fn deleting_a_profile_removes_only_its_own_pictures() {
    let service =
        Service::start_with(|config| storage_service::Config { removal_interval: SOON, ..config }).await;
    let _replicas = (service.work().await, service.work().await);
    let (person, other) = (influencer(&service).await, influencer(&service).await);
    let mut doomed = Vec::new();
    for file in ["cover-1.png", "profile-1.png", "content-1-1.png"] {
        doomed.push(upload(&person, file).await);
    }
    let kept = [
        upload(&person, "logo-1.png").await,
        upload(&other, "cover-1.png").await,
        upload(&other, "profile-1.png").await,
    ];
    for path in doomed.iter().chain(&kept) {
        let resized = service.nobody().get(&format!("/render/image/public/{path}?width=1")).await;
        assert_eq!(resized.status, 200, "{path}");
    }
    assert_eq!((service.count_rows().await, service.blobs().len(), service.variants().len()), (6, 6, 6));

    delete_profile(&service, &person).await;
    until(async || queued(&service).await == 0).await;
    for path in &doomed {
        assert_eq!(status(&service, path).await, 400, "{path}");
        let answer = service.nobody().get(&format!("/object/public/{path}")).await;
        assert_eq!(answer.json()["statusCode"], "404", "{path}");
    }
    for path in &kept {
        assert_eq!(status(&service, path).await, 200, "{path}");
    }
    assert_eq!((service.count_rows().await, service.blobs().len(), service.variants().len()), (3, 3, 3));
}

#[tokio::test]
async fn a_file_that_cannot_be_removed_is_retried() {
    let service =
        Service::start_with(|config| storage_service::Config { removal_interval: SOON, ..config }).await;
    let person = influencer(&service).await;
    upload(&person, "cover-1.png").await;
    let blob = only_blob(&service);
    obstruct(&blob);
    delete_profile(&service, &person).await;
    let _working = service.work().await;
    let attempts = "select coalesce(max(attempts), 0) from storage.removals";
    until(async || sqlx::query_scalar::<_, i32>(attempts).fetch_one(&service.rows).await.unwrap() >= 3).await;
    assert_eq!(service.count_rows().await, 1);

    std::fs::remove_dir(&blob).unwrap();
    std::fs::write(&blob, "the bytes").unwrap();
    until(async || queued(&service).await == 0).await;
    assert_eq!((service.count_rows().await, service.blobs().len()), (0, 0));
}

#[tokio::test]
async fn a_picture_uploaded_again_is_kept() {
    let service = Service::start().await;
    let person = influencer(&service).await;
    let (replaced, removed_and_new) =
        (upload(&person, "cover-1.png").await, upload(&person, "profile-1.png").await);
    delete_profile(&service, &person).await;
    assert_eq!(queued(&service).await, 2);

    make_profile(&service, &person).await;
    let request = Request::put(format!("/object/{replaced}")).header("content-type", "image/jpeg");
    assert_eq!(person.client.send(request, pixel("jpg")).await.status, 200);
    let deleted = crate::support::delete(&person.client, &format!("/object/{removed_and_new}")).await;
    assert_eq!(deleted.status, 200);
    upload(&person, "profile-1.png").await;

    let _working = service.work().await;
    until(async || queued(&service).await == 0).await;
    assert_eq!(status(&service, &replaced).await, 200);
    assert_eq!(status(&service, &removed_and_new).await, 200);
    assert_eq!((service.count_rows().await, service.blobs().len()), (2, 2));
}

#[tokio::test]
async fn the_queue_is_processed_at_start_and_no_more_after_stop() {
    // Only a check at the start can process the queue; the next check comes in an hour.
    let hour = Duration::from_secs(3600);
    let service =
        Service::start_with(|config| storage_service::Config { removal_interval: hour, ..config }).await;
    let person = influencer(&service).await;
    upload(&person, "cover-1.png").await;
    delete_profile(&service, &person).await;
    let working = service.work().await;
    until(async || queued(&service).await == 0).await;
    drop(working);

    let service =
        Service::start_with(|config| storage_service::Config { removal_interval: SOON, ..config }).await;
    let working = service.work().await;
    let person = influencer(&service).await;
    upload(&person, "cover-1.png").await;
    drop(working);
    tokio::time::sleep(SOON).await;
    delete_profile(&service, &person).await;
    tokio::time::sleep(SOON * 10).await;
    assert_eq!((queued(&service).await, service.blobs().len()), (1, 1));
}

#[tokio::test]
async fn the_program_also_processes_the_queue() {
    let service = Service::start().await;
    let person = influencer(&service).await;
    upload(&person, "cover-1.png").await;
    delete_profile(&service, &person).await;
    let mut program = Command::new(env!("CARGO_BIN_EXE_storage-service"));
    program
        .env("DATABASE_URL", service.config.database.pooled.host(0).to_url_lossy().as_str())
        .env("JWT_SECRET", "a-secret-that-only-this-test-may-use")
        .env("STORAGE_DIR", service.dir.path())
        .env("PORT", "0")
        .kill_on_drop(true);
    if let Some(s3) = &service.config.s3 {
        program
            .env("S3_ENDPOINT", s3.endpoint.as_str())
            .env("S3_REGION", &s3.region)
            .env("S3_BUCKET", &s3.bucket)
            .env("S3_ACCESS_KEY_ID", &s3.access_key_id)
            .env("S3_SECRET_ACCESS_KEY", s3.secret_access_key.expose());
    }
    let mut program = program.spawn().unwrap();
    until(async || queued(&service).await == 0).await;
    program.kill().await.unwrap();
    assert_eq!((service.count_rows().await, service.blobs().len()), (0, 0));
}
