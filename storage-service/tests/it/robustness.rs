//! Bodies with a wrong length or an early end, blobs that disappear, and routes that don't exist.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{Request, header};
use futures::{StreamExt, stream};
use serde_json::json;

use crate::support::{Service, assert_refused, pixel, post};

/// A body far over the limit that does not declare its length.
fn lengthless() -> Body {
    let chunks = stream::repeat_with(|| Ok::<_, io::Error>(Bytes::from(vec![b'x'; 64 * 1024])));
    Body::from_stream(chunks.take(200))
}

#[tokio::test]
async fn a_body_without_a_length_stops_at_the_limit() {
    let service =
        Service::start_with(|config| storage_service::Config { max_object_bytes: 1_000_000, ..config }).await;
    service.make_bucket("papers", json!({})).await;
    assert_refused(
        &post(&service.service(), "papers/a", "text/plain", lengthless()).await,
        413,
        "EntityTooLarge",
    );

    let head = "--x\r\nContent-Disposition: form-data; name=\"\"; filename=\"a\"\r\n\r\n";
    let form = stream::once(async move { Ok::<_, io::Error>(Bytes::from(head)) })
        .chain(lengthless().into_data_stream().map(|chunk| chunk.map_err(io::Error::other)));
    let request =
        Request::post("/object/papers/a").header(header::CONTENT_TYPE, "multipart/form-data; boundary=x");
    assert_refused(&service.service().send(request, Body::from_stream(form)).await, 413, "EntityTooLarge");

    let fields = format!(
        "--x\r\nContent-Disposition: form-data; name=\"metadata\"\r\n\r\n{}\r\n--x--\r\n",
        "x".repeat(100_000)
    );
    let request =
        Request::post("/object/papers/a").header(header::CONTENT_TYPE, "multipart/form-data; boundary=x");
    assert_refused(&service.service().send(request, fields).await, 413, "EntityTooLarge");

    assert_eq!(service.count_rows().await, 0);
    assert!(service.blobs().is_empty() && service.half_received().is_empty());
}

/// The parser of forms holds all header lines of a field in memory.
#[tokio::test]
async fn endless_header_lines_of_a_form_are_not_read() {
    let service = Service::start().await;
    let read = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&read);
    let lines = stream::repeat_with(move || {
        count.fetch_add(1, Ordering::SeqCst);
        Ok::<_, io::Error>(Bytes::from("X: y\r\n".repeat(2000)))
    });
    let head = "--x\r\nContent-Disposition: form-data; name=\"\"; filename=\"a\"\r\n";
    let form = stream::once(async move { Ok(Bytes::from(head)) }).chain(lines.take(1000));
    let request =
        Request::post("/object/images/a").header(header::CONTENT_TYPE, "multipart/form-data; boundary=x");
    let answer = service.visitor().send(request, Body::from_stream(form)).await;
    assert_refused(&answer, 413, "EntityTooLarge");
    let read = read.load(Ordering::SeqCst);
    assert!(read < 100, "{read} of 1000 parts were read");
}

#[tokio::test]
async fn a_stream_of_unknown_length_is_stored() {
    let service = Service::start().await;
    service.make_bucket("papers", json!({ "public": true })).await;
    let chunks = stream::iter(["hel", "lo"]).map(|chunk| Ok::<_, io::Error>(Bytes::from(chunk)));
    assert_eq!(
        post(&service.service(), "papers/a", "text/plain", Body::from_stream(chunks)).await.status,
        200
    );
    assert_eq!(service.nobody().get("/object/public/papers/a").await.text(), "hello");
}

#[tokio::test]
async fn an_interrupted_upload_leaves_nothing_behind() {
    let service = Service::start().await;
    service.make_bucket("papers", json!({})).await;
    let start = stream::iter([Ok(Bytes::from("hel")), Err(io::Error::other("gone"))]);
    assert_refused(
        &post(&service.service(), "papers/a", "text/plain", Body::from_stream(start)).await,
        400,
        "InvalidRequest",
    );

    // A client that goes away: the request's future is dropped in the middle of the body.
    let hanging = stream::iter([Ok::<_, io::Error>(Bytes::from("hel"))]).chain(stream::pending());
    let client = service.service();
    let upload = post(&client, "papers/a", "text/plain", Body::from_stream(hanging));
    assert!(tokio::time::timeout(Duration::from_millis(500), upload).await.is_err());

    assert_eq!(service.count_rows().await, 0);
    assert!(service.blobs().is_empty() && service.half_received().is_empty());
}

#[tokio::test]
async fn a_refused_row_removes_its_blob() {
    let service = Service::start().await;
    // The trigger refuses the row only once the blob exists: the trial insert is rolled back before deferred
    // triggers fire.
    sqlx::raw_sql(
        "create function storage.test_refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
         create constraint trigger test_refuse after insert on storage.objects deferrable initially deferred
         for each row execute function storage.test_refuse();",
    )
    .execute(&service.rows)
    .await
    .unwrap();
    let answer = post(&service.service(), "images/a.png", "image/png", pixel("png")).await;
    assert_eq!(
        (answer.status.as_u16(), answer.json()["message"].as_str()),
        (500, Some("database error, code: P0001"))
    );
    assert_eq!(service.count_rows().await, 0);
    assert!(service.blobs().is_empty() && service.half_received().is_empty());
}

#[tokio::test]
async fn concurrent_uploads_of_one_key_leave_one_object_and_one_blob() {
    let service = Service::start().await;
    service.make_bucket("papers", json!({ "public": true })).await;
    let client = service.service();
    let put = |number: u32| {
        let client = client.clone();
        async move { client.send(Request::put("/object/papers/a"), number.to_string()).await }
    };
    for answer in futures::future::join_all((0..16).map(put)).await {
        assert_eq!(answer.status.as_u16(), 200, "{}", answer.text());
    }
    assert_eq!((service.count_rows().await, service.blobs().len()), (1, 1));
    assert_eq!(service.nobody().get("/object/public/papers/a").await.status, 200);
}

/// What a crash leaves behind: bytes whose row was never written, and an unfinished upload.
#[tokio::test]
async fn leftovers_of_a_crash_are_not_visible() {
    let service = Service::start().await;
    service.make_bucket("papers", json!({ "public": true })).await;
    assert_eq!(post(&service.service(), "papers/a", "text/plain", "x").await.status, 200);
    let blob = service.blobs().remove(0);
    let orphan = blob.with_file_name(format!("{}0", blob.file_name().unwrap().to_str().unwrap()));
    std::fs::copy(&blob, &orphan).unwrap();
    std::fs::write(service.dir.path().join("incoming/upload-half"), "hel").unwrap();
    let again = storage_service::app(service.config.clone()).await.unwrap();
    let client = test_support::client::TestClient::new(again).with_token(test_support::person::service_key());
    let listed = client.post_json("/object/list/papers", &json!({ "prefix": "" })).await.json();
    assert_eq!(listed.as_array().unwrap().len(), 1);
    assert_eq!(client.get("/object/papers/a").await.text(), "x");
    assert_eq!(post(&client, "papers/b", "text/plain", "y").await.status, 200);
}

#[tokio::test]
async fn uploads_work_after_the_incoming_folder_vanishes() {
    let service = Service::start().await;
    service.make_bucket("papers", json!({})).await;
    for key in ["a", "b"] {
        assert_eq!(post(&service.service(), &format!("papers/{key}"), "text/plain", "x").await.status, 200);
        std::fs::remove_dir_all(service.dir.path().join("incoming")).unwrap();
    }
    assert_eq!((service.count_rows().await, service.blobs().len()), (2, 2));
}

#[tokio::test]
async fn an_object_without_its_blob_is_not_found() {
    let service = Service::start().await;
    post(&service.service(), "images/a.png", "image/png", pixel("png")).await;
    std::fs::remove_file(&service.blobs()[0]).unwrap();
    assert_refused(&service.nobody().get("/object/public/images/a.png").await, 404, "NoSuchKey");
}

#[tokio::test]
async fn errors_name_unknown_routes() {
    let service = Service::start().await;
    let answer = service.nobody().get("/x").await;
    let expected = json!({ "statusCode": "404", "error": "Not Found", "message": "Route GET:/x not found", "code": "InvalidRequest" });
    assert_eq!((answer.status.as_u16(), answer.json()), (404, expected));
    let method = service.nobody().send(Request::patch("/bucket"), Body::empty()).await;
    assert_eq!(method.json()["message"], "Route PATCH:/bucket not found");
}

#[tokio::test]
async fn only_the_site_may_read_cross_origin() {
    let service = Service::start().await;
    let asked = async |origin: &str| {
        let request = Request::builder()
            .method("OPTIONS")
            .uri("/object/images/a.png")
            .header("origin", origin)
            .header("access-control-request-method", "POST")
            .header("access-control-request-headers", "x-upsert,authorization,apikey");
        service.nobody().send(request, Body::empty()).await
    };
    let allowed = asked("https://site.test").await;
    assert_eq!(allowed.header("access-control-allow-origin"), Some("https://site.test"));
    assert_eq!(allowed.header("access-control-allow-headers"), Some("x-upsert,authorization,apikey"));
    for origin in ["https://evil.test", "null", "http://site.test", "https://site.test.evil.test"] {
        assert_eq!(asked(origin).await.header("access-control-allow-origin"), None, "{origin}");
    }
}

#[tokio::test]
async fn an_unusable_directory_stops_the_start() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let env = platform::env::Env::from_iter([
        ("DATABASE_URL", "postgres://storage_admin@localhost/x"),
        ("JWT_SECRET", "a-secret-that-only-tests-may-use"),
        ("STORAGE_DIR", file.path().to_str().unwrap()),
    ]);
    let config = storage_service::Config::from_env(&env).unwrap();
    assert_eq!(storage_service::app(config).await.unwrap_err().variable, "STORAGE_DIR");
    for (variable, value) in [
        ("DATABASE_URL", "mysql:/x"),
        ("SITE_URL", "here"),
        ("JWT_SECRET", "short"),
        ("STORAGE_DIR", ""),
        ("STORAGE_QUOTA_MB", "much"),
    ] {
        let fault = storage_service::Config::from_env(&env.clone().with(variable, value)).err().unwrap();
        assert_eq!(fault.variable, variable);
    }
}

#[tokio::test]
async fn the_service_answers_the_same_under_a_prefix() {
    let service = Service::start().await;
    let nested = axum::Router::new().nest("/storage/v1", service.app.clone());
    let client = test_support::client::TestClient::new(nested);
    post(&service.service(), "images/a/b.png", "image/png", pixel("png")).await;
    assert_eq!(
        client.get("/storage/v1/object/public/images/a/b.png").await.body,
        pixel_stored(&service).await
    );
    let missing = client.get("/storage/v1/x").await;
    assert_eq!(
        (missing.status.as_u16(), missing.json()["message"].as_str()),
        (404, Some("Route GET:/x not found"))
    );
}

async fn pixel_stored(service: &Service) -> Bytes {
    service.nobody().get("/object/public/images/a/b.png").await.body
}
