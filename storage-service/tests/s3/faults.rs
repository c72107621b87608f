//! A faulty S3 server: what clients get, and that nothing is stored partially. docs/reliability.md has the
//! results.

use std::time::{Duration, Instant};

use axum::http::Request;
use serde_json::{Value, json};
use storage_service::Config;
use storage_service::check::{Options, check};
use storage_service::config::S3Config;
use test_support::client::Answer;

use crate::faulty_server::{self, Fault, Faults};
use crate::support::{Service, delete, post};

/// Short, so that requests to an unresponsive server time out soon.
const REQUEST_TIMEOUT: Duration = Duration::from_millis(500);
/// A read is tried twice, a second apart. The rest is a margin for busy machines.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(20);

/// A service whose server has one object, `papers/kept`.
async fn start() -> (Service, Faults) {
    let faults = Faults::default();
    let service = Service::start_with(|config| {
        let s3 = faulty_server::start(&config.dir.join("s3"), &faults);
        Config { s3: Some(S3Config { request_timeout: REQUEST_TIMEOUT, ..s3 }), ..config }
    })
    .await;
    service.make_bucket("papers", json!({ "public": true })).await;
    assert_eq!(post(&service.service(), "papers/kept", "text/plain", kept()).await.status, 200);
    (service, faults)
}

/// Larger than one read from the server.
fn kept() -> Vec<u8> {
    (0..1_500_000_u32).map(|number| number.to_le_bytes()[1]).collect()
}

/// Fails if the request takes too long.
async fn within(request: impl Future<Output = Answer>) -> Answer {
    let began = Instant::now();
    let answer = tokio::time::timeout(ANSWER_TIMEOUT, request).await;
    answer.unwrap_or_else(|_| panic!("no answer after {:?}", began.elapsed()))
}

fn transfer(target: &str) -> Value {
    json!({ "bucketId": "papers", "sourceKey": "kept", "destinationKey": target })
}

#[track_caller]
fn assert_unavailable(answer: &Answer, what: &str) {
    let body = answer.json();
    assert_eq!(
        (answer.status.as_u16(), &body["code"]),
        (503, &json!("ServiceUnavailable")),
        "{what}: {body}"
    );
    assert_eq!(body["message"], "Object storage is unavailable, try again later", "{what}");
    assert_eq!(answer.header("retry-after"), Some("1"), "{what}");
}

/// Whether the object is there, whole.
async fn assert_kept(service: &Service) {
    let got = service.nobody().get("/object/public/papers/kept").await;
    assert_eq!(got.status, 200, "{}", got.text());
    assert!(got.body == kept());
}

/// Every request that needs the server fails, and one after the fault works.
async fn broken(fault: Fault) {
    let (service, faults) = start().await;
    let client = service.service();
    faults.set(fault);
    let upload = within(post(&client, "papers/new", "text/plain", "new")).await;
    assert_unavailable(&upload, "upload");
    let replaced = within(client.send(Request::put("/object/papers/kept"), "other")).await;
    assert_unavailable(&replaced, "replace");
    assert_unavailable(&within(client.post_json("/object/copy", &transfer("copy"))).await, "copy");
    assert_unavailable(&within(client.get("/object/papers/kept")).await, "download");
    assert_unavailable(&within(delete(&client, "/object/papers/kept")).await, "delete");
    assert_eq!(service.work().await.ready().await, Err("blobs can't be stored"));
    assert_eq!(service.count_rows().await, 1, "no row without its bytes");
    assert!(service.half_received().is_empty());
    // A move needs no server: the bytes stay where they are.
    assert_eq!(within(client.post_json("/object/move", &transfer("moved"))).await.status, 200);
    faults.set(Fault::None);
    let back = json!({ "bucketId": "papers", "sourceKey": "moved", "destinationKey": "kept" });
    assert_eq!(client.post_json("/object/move", &back).await.status, 200);
    assert_kept(&service).await;
    assert_eq!(post(&client, "papers/new", "text/plain", "new").await.status, 200);
    assert_eq!(client.post_json("/object/copy", &transfer("copy")).await.status, 200);
    assert_swept(&service).await;
    assert_few_connections(&faults).await;
}

/// The sweeper removes bytes without a row.
async fn assert_swept(service: &Service) {
    let options = Options { remove_blobs: true, remove_rows: false, minimum_age: Duration::ZERO };
    let summary = check(service.config.clone(), options, |_| ()).await.unwrap();
    assert_eq!((summary.objects, summary.missing_blobs), (3, 0));
    assert_eq!(service.blobs().len(), 3);
    assert_kept(service).await;
}

/// Connections on which a request failed are closed.
async fn assert_few_connections(faults: &Faults) {
    let until = Instant::now() + ANSWER_TIMEOUT;
    while faults.connections() > 4 {
        assert!(Instant::now() < until, "{} connections stay open", faults.connections());
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn a_server_that_is_down() {
    broken(Fault::Down).await;
}

#[tokio::test]
async fn a_server_that_never_answers() {
    broken(Fault::Silent).await;
}

#[tokio::test]
async fn a_server_that_is_busy() {
    broken(Fault::Busy).await;
}

#[tokio::test]
async fn a_server_that_cuts_requests() {
    broken(Fault::RequestCut).await;
}

#[tokio::test]
async fn a_server_that_cuts_answers() {
    broken(Fault::AnswerCut).await;
}

#[tokio::test]
async fn a_server_whose_answers_are_lost() {
    broken(Fault::AnswerLost).await;
}

/// The service computes ETags itself, because with some kinds of encryption the server's are not the MD5 of
/// the bytes. The server detects damaged uploads, because each has a `Content-MD5`.
#[tokio::test]
async fn a_wrong_etag_changes_nothing() {
    let (service, faults) = start().await;
    faults.set(Fault::WrongETag);
    let client = service.service();
    assert_eq!(post(&client, "papers/new", "text/plain", "new").await.status, 200);
    let got = client.get("/object/papers/new").await;
    assert_eq!(
        (got.text().as_str(), got.header("etag")),
        ("new", Some("\"22af645d1859cb5ca6da0c484f1f37ea\""))
    );
    assert_eq!(client.post_json("/object/copy", &transfer("copy")).await.status, 200);
    assert_swept(&service).await;
}

/// The headers have already been sent when the second part fails. The client detects the failure by the
/// length.
#[tokio::test]
async fn a_download_that_breaks_off_is_shorter_than_declared() {
    let (service, faults) = start().await;
    let request = Request::get("/object/public/papers/kept").body(axum::body::Body::empty()).unwrap();
    let response = tower::ServiceExt::oneshot(service.app.clone(), request).await.unwrap();
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["content-length"], "1500000");
    faults.set(Fault::Busy);
    let read = axum::body::to_bytes(response.into_body(), usize::MAX).await;
    assert!(read.is_err(), "an error, not an end");
}
