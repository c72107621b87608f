use axum::body::Body;
use axum::http::{Request, header};
use serde_json::json;

use crate::support::{Service, assert_refused, pixel, post};

const TEXT: &str = "0123456789";

async fn with_text() -> Service {
    let service = Service::start().await;
    service.make_bucket("papers", json!({ "public": true })).await;
    service.make_bucket("secrets", json!({ "public": false })).await;
    for bucket in ["papers", "secrets"] {
        assert_eq!(
            post(&service.service(), &format!("{bucket}/a.txt"), "text/plain", TEXT).await.status,
            200
        );
    }
    service
}

#[tokio::test]
async fn a_public_object_comes_with_its_headers() {
    let service = Service::start().await;
    post(&service.service(), "images/a.png", "image/png", pixel("png")).await;
    let got = service.nobody().get("/object/public/images/a.png").await;
    let etag = got.header("etag").unwrap();

    assert_eq!(got.status, 200);
    assert!(etag.starts_with('"') && etag.ends_with('"') && etag.len() == 34, "{etag}");
    for (name, value) in [
        ("accept-ranges", "bytes"),
        ("cache-control", "no-cache"),
        ("content-length", &got.body.len().to_string()),
        ("content-security-policy", "default-src 'none'; sandbox"),
        ("content-type", "image/png"),
        ("last-modified", "Mon, 04 May 2026 03:02:01 GMT"),
        ("x-content-type-options", "nosniff"),
        ("x-robots-tag", "none"),
    ] {
        assert_eq!(got.header(name), Some(value), "{name}");
    }
}

#[tokio::test]
async fn head_of_the_info_has_the_headers_of_the_object() {
    let service = with_text().await;
    for form in ["", "public/", "authenticated/"] {
        let path = format!("/object/info/{form}papers/a.txt");
        let head = service.service().send(Request::head(&path), Body::empty()).await;
        assert_eq!((head.status.as_u16(), head.header("content-length")), (200, Some("10")), "{path}");
        assert!(head.header("etag").is_some() && head.body.is_empty(), "{path}");
        let none = service.service().send(Request::head(format!("{path}.none")), Body::empty()).await;
        assert_eq!((none.status.as_u16(), none.body.len()), (400, 0), "{path}");
    }
    let secret = Request::head("/object/info/secrets/a.txt");
    assert_eq!(service.nobody().send(secret, Body::empty()).await.status, 400);
}

#[tokio::test]
async fn the_service_names_its_version() {
    let service = Service::start().await;
    for path in ["/status", "/statusz", "/version"] {
        let answer = service.nobody().get(path).await;
        assert!(answer.status == 200 && !answer.body.is_empty(), "{path}");
    }
}

#[tokio::test]
async fn html_is_never_served_as_html() {
    let service = with_text().await;
    post(&service.service(), "papers/a.html", "text/HTML; charset=utf-8", "<script>").await;
    let got = service.nobody().get("/object/public/papers/a.html").await;
    assert_eq!(got.header("content-type"), Some("text/plain"));
    assert_eq!(got.header("content-disposition"), Some("attachment"));
}

#[tokio::test]
async fn a_range_returns_that_part_of_the_object() {
    let service = with_text().await;
    for (range, part, content_range) in [
        ("bytes=2-4", "234", "bytes 2-4/10"),
        ("bytes=7-99", "789", "bytes 7-9/10"),
        ("bytes=8-", "89", "bytes 8-9/10"),
        ("bytes=-3", "789", "bytes 7-9/10"),
    ] {
        let request = Request::get("/object/public/papers/a.txt").header(header::RANGE, range);
        let got = service.nobody().send(request, Body::empty()).await;
        assert_eq!((got.status.as_u16(), got.text().as_str()), (206, part));
        assert_eq!(got.header("content-range"), Some(content_range));
        assert_eq!(got.header("content-length"), Some(part.len().to_string().as_str()));
    }
    let get = async |range: &str| {
        let request = Request::get("/object/public/papers/a.txt").header(header::RANGE, range);
        service.nobody().send(request, Body::empty()).await
    };
    let beyond = get("bytes=10-").await;
    assert_eq!((beyond.status.as_u16(), &beyond.json()["code"]), (416, &json!("InvalidRange")));
    for range in ["bytes=0-1,3-4", "lines=1-2"] {
        let whole = get(range).await;
        assert_eq!((whole.status.as_u16(), whole.text().as_str()), (200, TEXT), "{range}");
        assert_eq!(whole.header("content-range"), None);
    }
}

#[tokio::test]
async fn a_large_object_is_streamed_whole_and_in_parts() {
    let service = with_text().await;
    let large: Vec<u8> = (0..1_000_000_u32).map(|number| number.to_le_bytes()[1]).collect();
    post(&service.service(), "papers/large", "x/y", large.clone()).await;
    assert!(service.nobody().get("/object/public/papers/large").await.body == large);
    let request = Request::get("/object/public/papers/large").header(header::RANGE, "bytes=100000-899999");
    let part = service.nobody().send(request, Body::empty()).await;
    assert!(part.body == large[100_000..900_000]);
}

#[tokio::test]
async fn a_client_with_the_current_version_gets_304() {
    let service = with_text().await;
    let etag = service.nobody().get("/object/public/papers/a.txt").await.header("etag").unwrap().to_owned();
    let asked = async |name: &str, value: &str| {
        let request = Request::get("/object/public/papers/a.txt").header(name, value);
        let got = service.nobody().send(request, Body::empty()).await;
        assert_eq!(got.body.is_empty(), got.status == 304);
        got.status.as_u16()
    };
    assert_eq!(asked("if-none-match", &etag).await, 304);
    assert_eq!(asked("if-none-match", &format!("\"x\", W/{etag}")).await, 304);
    assert_eq!(asked("if-none-match", "\"x\"").await, 200);
    assert_eq!(asked("if-modified-since", "Mon, 04 May 2026 03:02:01 GMT").await, 304);
    assert_eq!(asked("if-modified-since", "Mon, 04 May 2026 03:02:00 GMT").await, 200);

    let both = Request::get("/object/public/papers/a.txt")
        .header("if-none-match", "\"x\"")
        .header("if-modified-since", "Mon, 04 May 2026 03:02:01 GMT");
    assert_eq!(service.nobody().send(both, Body::empty()).await.status, 200, "the ETag takes precedence");
}

#[tokio::test]
async fn a_download_can_set_the_file_name() {
    let service = with_text().await;
    let disposition = async |query: &str| {
        let got = service.nobody().get(&format!("/object/public/papers/a.txt{query}")).await;
        got.header("content-disposition").map(str::to_owned)
    };
    assert_eq!(disposition("?download").await.as_deref(), Some("attachment;"));
    assert_eq!(
        disposition("?download=x%20y.txt").await.as_deref(),
        Some("attachment; filename=x%20y.txt; filename*=UTF-8''x%20y.txt")
    );
    let reserved = disposition("?download=O'Neill%20%28*%29.txt").await;
    let encoded = "O%27Neill%20%28%2A%29.txt";
    assert_eq!(reserved, Some(format!("attachment; filename={encoded}; filename*=UTF-8''{encoded}")));
    let injected = disposition("?download=a%0D%0Aset-cookie:x;y%22").await.unwrap();
    assert_eq!(
        injected,
        "attachment; filename=a%0D%0Aset-cookie%3Ax%3By%22; filename*=UTF-8''a%0D%0Aset-cookie%3Ax%3By%22"
    );
}

#[tokio::test]
async fn head_answers_like_get_without_a_body() {
    let service = with_text().await;
    for path in ["/object/public/papers/a.txt", "/object/papers/a.txt"] {
        let got = service.nobody().send(Request::head(path), Body::empty()).await;
        assert_eq!((got.status.as_u16(), got.header("content-length"), got.body.len()), (200, Some("10"), 0));
    }
    let missing = service.nobody().send(Request::head("/object/public/papers/b"), Body::empty()).await;
    assert_eq!((missing.status.as_u16(), missing.body.len()), (400, 0));
}

#[tokio::test]
async fn a_private_bucket_is_not_readable_through_public_urls() {
    let service = with_text().await;
    assert_refused(&service.nobody().get("/object/public/secrets/a.txt").await, 404, "NoSuchBucket");
    assert_refused(&service.nobody().get("/object/secrets/a.txt").await, 404, "NoSuchBucket");
    assert_refused(&service.visitor().get("/object/secrets/a.txt").await, 404, "NoSuchKey");
    assert_refused(
        &service.person().await.client.get("/object/authenticated/secrets/a.txt").await,
        404,
        "NoSuchKey",
    );
    assert_eq!(service.service().get("/object/authenticated/secrets/a.txt").await.text(), TEXT);

    service.open_to_all("secrets").await;
    let person = service.person().await.client;
    assert_eq!(person.get("/object/authenticated/secrets/a.txt").await.text(), TEXT);
    assert_eq!(person.get("/object/secrets/a.txt").await.text(), TEXT);
    assert_eq!(person.get("/object/info/authenticated/secrets/a.txt").await.json()["name"], "a.txt");
}

#[tokio::test]
async fn an_invalid_token_does_not_block_a_public_bucket() {
    let service = with_text().await;
    let client = service.nobody().with_token("not.a.token");
    assert_eq!(client.get("/object/papers/a.txt").await.text(), TEXT);
    assert_eq!(client.get("/object/public/papers/a.txt").await.text(), TEXT);
}
