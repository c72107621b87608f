//! Limits on what one request may ask for.

use axum::http::Request;
use serde_json::{Value, json};

use crate::support::{Service, assert_refused, post};

#[tokio::test]
async fn a_request_may_name_at_most_a_thousand_keys() {
    let service = Service::start().await;
    service.make_bucket("papers", json!({})).await;
    for (count, allowed) in [(1000, true), (1001, false)] {
        let keys: Vec<String> = (0..count).map(|number| number.to_string()).collect();
        let signed = json!({ "expiresIn": 60, "paths": keys });
        let removed = Request::delete("/object/papers").header("content-type", "application/json");
        for answer in [
            service.service().post_json("/object/sign/papers", &signed).await,
            service.service().send(removed, json!({ "prefixes": keys }).to_string()).await,
        ] {
            if allowed {
                assert_eq!(answer.status, 200, "{}", answer.text());
            } else {
                assert_refused(&answer, 400, "InvalidRequest");
                assert!(answer.json()["message"].as_str().unwrap().ends_with("more than 1000 items"));
            }
        }
    }
}

#[tokio::test]
async fn extreme_limits_and_nesting_are_handled() {
    let service = Service::start().await;
    service.make_bucket("papers", json!({})).await;
    let client = service.service();
    for limit in [i64::MAX, 10_001] {
        let body = json!({ "prefix": "", "limit": limit, "offset": i64::MAX });
        assert_eq!(client.post_json("/object/list/papers", &body).await.status, 200);
        assert_eq!(client.post_json("/object/list-v2/papers", &json!({ "limit": limit })).await.status, 200);
        assert_eq!(client.get(&format!("/bucket?limit={limit}")).await.status, 200);
    }
    let deep = (0..200).fold(json!(1), |inner, _| json!([inner]));
    let answer = client.post_json("/object/list/papers", &json!({ "prefix": "", "search": deep })).await;
    assert_refused(&answer, 400, "InvalidRequest");

    // Unreadable metadata is ignored and does not fail the upload.
    let form = format!(
        "--x\r\nContent-Disposition: form-data; name=\"metadata\"\r\n\r\n{deep}\r\n\
         --x\r\nContent-Disposition: form-data; name=\"\"; filename=\"a\"\r\n\r\nx\r\n--x--\r\n"
    );
    let request = Request::post("/object/papers/a").header("content-type", "multipart/form-data; boundary=x");
    assert_eq!(client.send(request, form).await.status, 200);
    assert_eq!(client.get("/object/info/papers/a").await.json()["metadata"], json!({}));
}

#[tokio::test]
async fn stored_headers_have_a_length_limit() {
    let service = Service::start().await;
    service.make_bucket("papers", json!({})).await;
    let client = service.service();
    let long = format!("text/{}", "x".repeat(2000));
    assert_refused(&post(&client, "papers/a", &long, "x").await, 400, "InvalidRequest");
    assert_eq!(post(&client, "papers/a", "text/plain", "x").await.status, 200);
    let copy = |metadata: Value| json!({ "bucketId": "papers", "sourceKey": "a", "destinationKey": "b", "metadata": metadata });
    let answer = client.post_json("/object/copy", &copy(json!({ "cacheControl": long }))).await;
    assert_refused(&answer, 400, "InvalidRequest");
}
