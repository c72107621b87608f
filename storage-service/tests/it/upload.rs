use axum::http::{Request, header};
use serde_json::json;

use crate::support::{Service, assert_refused, pixel, post};

#[tokio::test]
async fn a_raw_body_is_stored_with_its_declared_type() {
    let service = Service::start().await;
    service.make_bucket("papers", json!({ "public": true })).await;
    let request = Request::post("/object/papers/notes/a.txt")
        .header(header::CONTENT_TYPE, "text/plain;charset=UTF-8")
        .header(header::CACHE_CONTROL, "max-age=99")
        .header("x-metadata", "eyJhIjoxfQ==");
    let answer = service.service().send(request, "hello").await;

    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(answer.json()["Key"], "papers/notes/a.txt");
    let info = service.nobody().get("/object/info/public/papers/notes/a.txt").await.json();
    assert_eq!(info["id"], answer.json()["Id"]);
    assert_eq!(info["content_type"], "text/plain;charset=UTF-8");
    assert_eq!(info["cache_control"], "max-age=99");
    assert_eq!(info["size"], 5);
    assert_eq!(info["etag"], "\"5d41402abc4b2a76b9719d911017c592\"");
    assert_eq!(info["metadata"], json!({ "a": 1 }));
    assert_eq!(info["last_modified"], "2026-05-04T03:02:01.987Z");
}

#[tokio::test]
async fn a_form_sets_type_cache_and_metadata() {
    let service = Service::start().await;
    service.make_bucket("papers", json!({ "public": true })).await;
    let form = "--x\r\nContent-Disposition: form-data; name=\"cacheControl\"\r\n\r\n3600\r\n\
        --x\r\nContent-Disposition: form-data; name=\"metadata\"\r\n\r\n{\"title\":\"T\"}\r\n\
        --x\r\nContent-Disposition: form-data; name=\"\"; filename=\"../../evil\"\r\nContent-Type: text/css\r\n\r\nbody{}\r\n\
        --x--\r\n";
    let request =
        Request::post("/object/papers/a.css").header(header::CONTENT_TYPE, "multipart/form-data; boundary=x");
    let answer = service.service().send(request, form).await;

    assert_eq!(answer.status, 200, "{}", answer.text());
    let got = service.nobody().get("/object/public/papers/a.css").await;
    assert_eq!(got.text(), "body{}");
    assert_eq!(got.header("content-type"), Some("text/css"));
    assert_eq!(got.header("cache-control"), Some("max-age=3600"));
    let info = service.nobody().get("/object/info/papers/a.css").await.json();
    assert_eq!(info["metadata"], json!({ "title": "T" }));
}

#[tokio::test]
async fn compressed_bytes_are_stored_and_served_as_sent() {
    let service = Service::start().await;
    service.make_bucket("papers", json!({ "public": true })).await;
    let raw = Request::post("/object/papers/raw").header(header::CONTENT_ENCODING, "gzip");
    assert_eq!(service.service().send(raw, "squeezed").await.status, 200);
    let form = "--x\r\nContent-Disposition: form-data; name=\"contentEncoding\"\r\n\r\ngzip\r\n\
        --x\r\nContent-Disposition: form-data; name=\"\"; filename=\"a\"\r\n\r\nsqueezed\r\n--x--\r\n";
    let request =
        Request::post("/object/papers/form").header(header::CONTENT_TYPE, "multipart/form-data; boundary=x");
    assert_eq!(service.service().send(request, form).await.status, 200);
    for key in ["raw", "form"] {
        let got = service.nobody().get(&format!("/object/public/papers/{key}")).await;
        assert_eq!(
            (got.header("content-encoding"), got.text().as_str()),
            (Some("gzip"), "squeezed"),
            "{key}"
        );
        let info = service.nobody().get(&format!("/object/info/papers/{key}")).await.json();
        assert_eq!(info["content_encoding"], "gzip");
    }
    // An image can't be compressed, or it would not be an image.
    let image = Request::post("/object/images/a.png").header(header::CONTENT_ENCODING, "gzip");
    assert_eq!(service.service().send(image, pixel("png")).await.status, 200);
    let got = service.nobody().get("/object/public/images/a.png").await;
    assert_eq!((got.status.as_u16(), got.header("content-encoding")), (200, None));

    let endless = Request::post("/object/papers/a").header(header::CONTENT_ENCODING, "x".repeat(2000));
    assert_refused(&service.service().send(endless, "a").await, 400, "InvalidRequest");
}

#[tokio::test]
async fn a_form_without_a_file_is_refused() {
    let service = Service::start().await;
    service.make_bucket("papers", json!({})).await;
    let form = "--x\r\nContent-Disposition: form-data; name=\"cacheControl\"\r\n\r\n3600\r\n--x--\r\n";
    let request =
        Request::post("/object/papers/a").header(header::CONTENT_TYPE, "multipart/form-data; boundary=x");
    let answer = service.service().send(request, form).await;
    assert_refused(&answer, 400, "InvalidRequest");
    assert_eq!(service.count_rows().await, 0);
}

#[tokio::test]
async fn an_existing_key_is_refused_without_upsert() {
    let service = Service::start().await;
    service.make_bucket("papers", json!({})).await;
    let first = post(&service.service(), "papers/a", "text/plain", "one").await;
    let again = post(&service.service(), "papers/a", "text/plain", "two").await;
    assert_refused(&again, 409, "KeyAlreadyExists");
    assert_eq!(again.json()["error"], "Duplicate");
    assert_eq!(again.json()["message"], "The resource already exists");

    let upsert = Request::post("/object/papers/a").header("x-upsert", "true");
    let replaced = service.service().send(upsert, "three").await;
    assert_eq!(replaced.json()["Id"], first.json()["Id"], "the object keeps its id");
    assert_eq!(service.service().get("/object/papers/a").await.text(), "three");
    assert_eq!(service.blobs().len(), 1, "the replaced blob is deleted");

    let put = service.service().send(Request::put("/object/papers/a"), "four").await;
    assert_eq!(put.status, 200);
    assert_eq!(service.service().get("/object/papers/a").await.text(), "four");
}

#[tokio::test]
async fn checks_run_in_the_order_that_clients_expect() {
    let service = Service::start().await;
    service
        .make_bucket(
            "papers",
            json!({ "file_size_limit": 3, "allowed_mime_types": ["text/plain", "image/*"] }),
        )
        .await;
    let person = service.person().await.client;

    assert_refused(&post(&person, "nowhere/%C3%A9", "x/y", "long").await, 404, "NoSuchBucket");
    let charset = post(&person, "papers/%C3%A9", "text/csv;charset=UTF-8", "long").await;
    assert_refused(&charset, 415, "InvalidMimeType");
    assert_eq!(charset.json()["message"], "mime type text/csv;charset=UTF-8 is not supported");
    assert_refused(&post(&person, "papers/%C3%A9", "text/plain", "long").await, 413, "EntityTooLarge");
    assert_refused(&post(&person, "papers/%C3%A9", "image/x", "abc").await, 400, "InvalidKey");
    assert_refused(&post(&person, "papers/a", "image/x", "abc").await, 403, "AccessDenied");
    assert_eq!(post(&service.service(), "papers/a", "image/x", "abc").await.status, 200);
}

#[tokio::test]
async fn misleading_keys_are_refused() {
    let service = Service::start().await;
    service.make_bucket("papers", json!({})).await;
    let client = service.service();
    let long = "x".repeat(256);
    for key in [
        "../x",
        "a/../../x",
        "%2e%2e%2fx",
        "%252e%252e/x",
        "..%5C%5Cx",
        "....//",
        "a/./b",
        "/etc/passwd",
        "C:%5Cx",
        "a%00b",
        "a%0D%0Ab",
        "a%7F",
        "%E2%80%AEb",
        "",
        "a/",
        "a%23b",
        "%ff",
        &long,
    ] {
        let answer = post(&client, &format!("papers/{key}"), "text/plain", "x").await;
        assert_refused(&answer, 400, "InvalidKey");
    }
    for key in ["file..name.jpg", "a//b", "a%20b/(1)&$@=;:+,!.txt"] {
        assert_eq!(post(&client, &format!("papers/{key}"), "text/plain", "x").await.status, 200, "{key}");
    }
    let doubled = post(&client, "images/a//b.png", "image/png", pixel("png")).await;
    assert_refused(&doubled, 400, "InvalidKey");
}

#[tokio::test]
async fn empty_bodies_and_folder_markers_are_stored_as_objects() {
    let service = Service::start().await;
    service.make_bucket("papers", json!({ "public": true, "allowed_mime_types": ["image/png"] })).await;
    let client = service.service();
    assert_eq!(post(&client, "papers/a/.emptyFolderPlaceholder", "x/y", "").await.status, 200);
    assert_eq!(post(&client, "images/a/.emptyFolderPlaceholder", "x/y", "").await.status, 200);
    assert_refused(
        &post(&client, "papers/b/.emptyFolderPlaceholder", "x/y", "x").await,
        413,
        "EntityTooLarge",
    );
    assert_eq!(post(&client, "papers/empty.png", "image/png", "").await.status, 200);
    let got = service.nobody().get("/object/public/papers/empty.png").await;
    assert_eq!((got.status.as_u16(), got.header("content-length")), (200, Some("0")));
}

#[tokio::test]
async fn valid_robots_tags_are_stored_and_others_replaced_by_none() {
    let service = Service::start().await;
    service.make_bucket("papers", json!({ "public": true })).await;
    for (key, given, served) in
        [("a", "noindex, nofollow", "noindex, nofollow"), ("b", "as you like", "none")]
    {
        let request = Request::post(format!("/object/papers/{key}")).header("x-robots-tag", given);
        assert_eq!(service.service().send(request, "x").await.status, 200);
        let got = service.nobody().get(&format!("/object/public/papers/{key}")).await;
        assert_eq!(got.header("x-robots-tag"), Some(served));
    }
}
