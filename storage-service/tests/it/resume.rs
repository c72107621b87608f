//! Resumed downloads of objects that change meanwhile: a client never gets parts of two versions.

use axum::body::{Body, Bytes};
use axum::http::Request;
use chrono::TimeDelta;
use http_body_util::BodyExt;
use serde_json::json;
use test_support::client::Answer;
use tower::ServiceExt;

use crate::support::{Service, pixel, post};

async fn with_text() -> Service {
    let service = Service::start().await;
    service.make_bucket("papers", json!({ "public": true })).await;
    put(&service, "old version").await;
    service
}

async fn put(service: &Service, text: impl Into<Body>) {
    let request = Request::put("/object/papers/a").header("content-type", "text/plain");
    assert_eq!(service.service().send(request, text).await.status, 200);
}

async fn rest(service: &Service, path: &str, if_range: &str) -> Answer {
    let request = Request::get(path).header("range", "bytes=4-").header("if-range", if_range);
    service.service().send(request, Body::empty()).await
}

#[tokio::test]
async fn a_resumed_download_gets_the_rest_of_its_version_or_the_whole_new_one() {
    let service = with_text().await;
    let signed = service.service().post_json("/object/sign/papers/a", &json!({ "expiresIn": 9999 })).await;
    let signed = signed.json()["signedURL"].as_str().unwrap().to_owned();
    let paths = ["/object/public/papers/a", "/object/papers/a", "/object/authenticated/papers/a", &signed];
    let first = service.nobody().get(paths[0]).await;
    let etag = first.header("etag").unwrap().to_owned();
    let date = first.header("last-modified").unwrap().to_owned();
    let weak = format!("W/{etag}");
    for path in paths {
        let got = rest(&service, path, &etag).await;
        assert_eq!((got.status.as_u16(), got.text().as_str()), (206, "version"), "{path}");
        for other in [weak.as_str(), "\"other\"", "*", "x", "", "Mon, 04 May 2020 03:02:01 GMT", &date] {
            let got = rest(&service, path, other).await;
            assert_eq!((got.status.as_u16(), got.text().as_str()), (200, "old version"), "{path} {other}");
            assert_eq!(got.header("content-range"), None);
        }
    }
    // A date identifies a version only once the second in which it was stored is well past.
    service.clock.advance(TimeDelta::seconds(61));
    assert_eq!(rest(&service, paths[0], &date).await.status, 206);

    put(&service, "new version").await;
    for path in paths {
        for known in [&etag, &date] {
            let got = rest(&service, path, known).await;
            assert_eq!((got.status.as_u16(), got.text().as_str()), (200, "new version"), "{path} {known}");
        }
    }
}

#[tokio::test]
async fn a_resized_picture_ignores_ranges() {
    let service = Service::start().await;
    assert_eq!(post(&service.service(), "images/a.png", "image/png", pixel("png")).await.status, 200);
    let path = "/render/image/public/images/a.png?width=1";
    let whole = service.nobody().get(path).await;
    for known in [whole.header("etag").unwrap(), "\"other\""] {
        let got = rest(&service, path, known).await;
        assert_eq!((got.status.as_u16(), &got.body), (200, &whole.body));
    }
}

#[tokio::test]
async fn a_stream_delivers_one_version_or_breaks_off() {
    let service = with_text().await;
    let (old, new) = (vec![b'o'; 8_000_000], vec![b'n'; 8_000_000]);
    put(&service, old.clone()).await;
    let request = Request::get("/object/public/papers/a").body(Body::empty()).unwrap();
    let mut body = service.app.clone().oneshot(request).await.unwrap().into_body();
    let mut got: Vec<Bytes> = vec![body.frame().await.unwrap().unwrap().into_data().unwrap()];
    put(&service, new).await;
    let ended = loop {
        match body.frame().await {
            Some(Ok(frame)) => got.extend(frame.into_data()),
            Some(Err(_)) => break false,
            None => break true,
        }
    };
    let got = got.concat();
    assert!(old.starts_with(&got), "nothing of the new version");
    assert_eq!(ended, got.len() == old.len());
    assert!(crate::ON_S3 || ended, "an open file is read to its end");
}
