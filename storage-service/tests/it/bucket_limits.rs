//! The limits of a bucket apply to every kind of upload: objects that are too large or of another type are
//! rejected, and nothing is kept.

use axum::body::Body;
use axum::http::{Request, header};
use serde_json::{Value, json};
use test_support::client::Answer;

use crate::support::{Service, assert_refused, post};

const WAYS: [&str; 9] =
    ["upload", "update", "upsert", "form", "stream", "signed upload", "signed upsert", "copy", "move"];

/// A bucket `small` for texts of up to 5 bytes, and one without limits.
async fn start() -> Service {
    let service = Service::start().await;
    service.make_bucket("small", json!({ "file_size_limit": 5, "allowed_mime_types": ["text/plain"] })).await;
    service.make_bucket("large", json!({})).await;
    service
}

async fn transferred(service: &Service, act: &str, mime_type: &str, text: &str) -> Answer {
    let source = post(&service.service(), "large/source", mime_type, text.to_owned()).await;
    assert_eq!(source.status, 200);
    let body = json!({ "bucketId": "large", "sourceKey": "source", "destinationBucket": "small", "destinationKey": "a" });
    let answer = service.service().post_json(&format!("/object/{act}"), &body).await;
    if act == "copy" || answer.status != 200 {
        let removed = service.service().send(Request::delete("/object/large/source"), Body::empty()).await;
        assert_eq!(removed.status, 200, "the source is still there");
    }
    answer
}

async fn sent(service: &Service, way: &str, mime_type: &str, text: &str) -> Answer {
    let (client, body) = (service.service(), text.to_owned());
    let typed = |request: axum::http::request::Builder| request.header(header::CONTENT_TYPE, mime_type);
    match way {
        "upload" => post(&client, "small/a", mime_type, body).await,
        "update" => client.send(typed(Request::put("/object/small/a")), body).await,
        "upsert" => {
            client.send(typed(Request::post("/object/small/a")).header("x-upsert", "true"), body).await
        }
        "form" => {
            let form = format!(
                "--x\r\nContent-Disposition: form-data; name=\"\"; filename=\"a\"\r\nContent-Type: {mime_type}\r\n\r\n{text}\r\n--x--\r\n"
            );
            post(&client, "small/a", "multipart/form-data; boundary=x", form).await
        }
        "stream" => {
            let chunks = text.as_bytes().chunks(2).map(|part| Ok::<_, std::io::Error>(part.to_vec()));
            let chunks: Vec<_> = chunks.collect();
            post(&client, "small/a", mime_type, Body::from_stream(futures::stream::iter(chunks))).await
        }
        "signed upload" | "signed upsert" => {
            let upsert = if way == "signed upsert" { "true" } else { "false" };
            let sign = Request::post("/object/upload/sign/small/a").header("x-upsert", upsert);
            let url = client.send(sign, Body::empty()).await.json();
            client.send(typed(Request::put(url["url"].as_str().unwrap())), body).await
        }
        act => transferred(service, act, mime_type, text).await,
    }
}

#[tokio::test]
async fn every_way_in_keeps_the_limits() {
    let service = start().await;
    for way in WAYS {
        for (mime_type, text, refusal) in [
            ("text/plain", "123456", Some((413, "EntityTooLarge"))),
            ("text/html", "12345", Some((415, "InvalidMimeType"))),
            ("text/csv; charset=utf-8", "12345", Some((415, "InvalidMimeType"))),
            ("text/plain;charset=UTF-8", "12345", None),
        ] {
            let answer = sent(&service, way, mime_type, text).await;
            let case = format!("{way} of {mime_type} {text}: {}", answer.text());
            let Some((status, code)) = refusal else {
                assert_eq!(answer.status, 200, "{case}");
                assert_eq!(service.service().get("/object/small/a").await.text(), text, "{case}");
                continue;
            };
            assert_refused(&answer, status, code);
            assert_eq!((service.count_rows().await, service.blobs().len()), (0, 0), "{case}");
            assert!(service.half_received().is_empty(), "{case}");
        }
        service.service().send(Request::delete("/object/small/a"), Body::empty()).await;
    }
}

/// A copy is written again, even within a bucket; a move within a bucket does not change the object.
#[tokio::test]
async fn a_copy_within_a_bucket_keeps_its_limits() {
    let service = start().await;
    let client = service.service();
    assert_eq!(post(&client, "small/a", "text/plain", "12345").await.status, 200);
    let transfer = |target: &str| json!({ "bucketId": "small", "sourceKey": "a", "destinationKey": target });
    let mut disguised = transfer("b");
    disguised["metadata"] = json!({ "mimetype": "text/html" });
    assert_refused(&client.post_json("/object/copy", &disguised).await, 415, "InvalidMimeType");
    let lower = json!({ "file_size_limit": 2 });
    assert_eq!(client.put_json("/bucket/small", &lower).await.status, 200);
    assert_refused(&client.post_json("/object/copy", &transfer("b")).await, 413, "EntityTooLarge");
    let marker = transfer("c/.emptyFolderPlaceholder");
    for act in ["copy", "move"] {
        assert_refused(&client.post_json(&format!("/object/{act}"), &marker).await, 413, "EntityTooLarge");
    }
    assert_eq!(client.post_json("/object/move", &transfer("b")).await.status, 200);
    assert_eq!((service.count_rows().await, service.blobs().len()), (1, 1));
}

#[tokio::test]
async fn the_servers_limit_holds_without_a_buckets_own() {
    let service =
        Service::start_with(|config| storage_service::Config { max_object_bytes: 10, ..config }).await;
    service.make_bucket("papers", json!({ "file_size_limit": null })).await;
    assert_refused(&post(&service.service(), "papers/a", "x/y", "12345678901").await, 413, "EntityTooLarge");
    assert_eq!(post(&service.service(), "papers/a", "x/y", "1234567890").await.status, 200);
    // A limit that was set by SQL, above the server's.
    sqlx::query("update storage.buckets set file_size_limit = 100 where id = 'papers'")
        .execute(&service.rows)
        .await
        .unwrap();
    assert_refused(&post(&service.service(), "papers/b", "x/y", "12345678901").await, 413, "EntityTooLarge");
    let larger: Value = json!({ "file_size_limit": 11 });
    assert_refused(&service.service().put_json("/bucket/papers", &larger).await, 413, "EntityTooLarge");
}
