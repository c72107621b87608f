use axum::http::Request;
use chrono::TimeDelta;
use serde_json::json;

use crate::support::{Service, assert_refused, jpeg_with_gps, post};

async fn with_secret() -> Service {
    let service = Service::start().await;
    service.make_bucket("secrets", json!({})).await;
    post(&service.service(), "secrets/my%20folder/a.txt", "text/plain", "hidden").await;
    service
}

async fn signed(service: &Service) -> String {
    let answer = service
        .service()
        .post_json("/object/sign/secrets/my%20folder/a.txt", &json!({ "expiresIn": 60 }))
        .await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let url = answer.json()["signedURL"].as_str().unwrap().to_owned();
    assert!(url.starts_with("/object/sign/secrets/my folder/a.txt?token="), "{url}");
    url.replace(' ', "%20")
}

#[tokio::test]
async fn a_signed_url_opens_one_object_until_it_expires() {
    let service = with_secret().await;
    let url = signed(&service).await;
    let got = service.nobody().get(&format!("{url}&download=b.txt")).await;
    assert_eq!((got.status.as_u16(), got.text().as_str()), (200, "hidden"));
    assert_eq!(got.header("expires"), Some("Mon, 04 May 2026 03:03:01 GMT"));
    assert_eq!(got.header("cache-control"), None);
    assert!(got.header("content-disposition").unwrap().starts_with("attachment; filename=b.txt"));

    let elsewhere = service.nobody().get(&url.replace("a.txt", "b.txt")).await;
    assert_refused(&elsewhere, 400, "InvalidSignature");
    service.clock.advance(TimeDelta::seconds(60));
    let late = service.nobody().get(&url).await;
    assert_refused(&late, 400, "InvalidJWT");
    assert_eq!(late.json()["message"], "\"exp\" claim timestamp check failed");
}

/// Supabase's Python client sends the seconds as a string.
#[tokio::test]
async fn numbers_and_booleans_may_be_strings() {
    let service = with_secret().await;
    let client = service.service();
    for body in [json!({ "expiresIn": "60" }), json!({ "expiresIn": "60", "paths": ["my folder/a.txt"] })] {
        let path = if body["paths"].is_null() { "/my%20folder/a.txt" } else { "" };
        let answer = client.post_json(&format!("/object/sign/secrets{path}"), &body).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
    let listed =
        client.post_json("/object/list/secrets", &json!({ "prefix": "", "limit": "1", "offset": "0" })).await;
    assert_eq!(listed.json()[0]["name"], "my folder");
    let body = json!({ "limit": "1", "with_delimiter": "true" });
    let listed = client.post_json("/object/list-v2/secrets", &body).await;
    assert_eq!(listed.json()["folders"][0]["key"], "my folder");
    let seconds = json!({ "expiresIn": "soon" });
    assert_refused(&client.post_json("/object/sign/secrets/a", &seconds).await, 400, "InvalidRequest");
}

#[tokio::test]
async fn tokens_work_only_for_their_purpose() {
    let service = with_secret().await;
    let url = signed(&service).await;
    let (path, download) = url.split_once("?token=").unwrap();
    let upload = service.service().post_json("/object/upload/sign/secrets/new.txt", &json!({})).await.json();
    let upload = upload["token"].as_str().unwrap().to_owned();

    let swapped = format!("{}.{}", download.rsplit_once('.').unwrap().0, upload.rsplit_once('.').unwrap().1);
    let open = async |token: &str| service.nobody().get(&format!("{path}?token={token}")).await;
    for (token, code, message) in [
        (upload.as_str(), "InvalidSignature", "Token is not scoped for download"),
        (&service.token(uuid::Uuid::new_v4()), "InvalidSignature", "Token is not scoped for download"),
        (&swapped, "InvalidJWT", "signature verification failed"),
        ("x", "InvalidJWT", "Invalid Compact JWS"),
    ] {
        let answer = open(token).await;
        assert_refused(&answer, 400, code);
        assert_eq!(answer.json()["message"], message);
    }
    assert_refused(&service.nobody().get(path).await, 400, "InvalidRequest");
    let as_upload = service
        .nobody()
        .send(Request::put(format!("/object/upload/sign/secrets/new.txt?token={download}")), "x")
        .await;
    assert_eq!(as_upload.json()["message"], "Token is not scoped for upload");
    for token in [download, &upload] {
        let as_person = service.nobody().with_token(token).get("/bucket").await;
        assert_eq!(as_person.json()["message"], "Access denied: Invalid role");
    }
}

#[tokio::test]
async fn callers_can_sign_only_objects_that_they_can_read() {
    let service = with_secret().await;
    let person = service.person().await.client;
    assert_refused(
        &person.post_json("/object/sign/secrets/my%20folder/a.txt", &json!({ "expiresIn": 60 })).await,
        404,
        "NoSuchKey",
    );
    assert_refused(
        &service.service().post_json("/object/sign/secrets/none", &json!({ "expiresIn": 60 })).await,
        404,
        "NoSuchKey",
    );
    assert_refused(
        &service.service().post_json("/object/sign/secrets/none", &json!({ "expiresIn": 0 })).await,
        400,
        "InvalidRequest",
    );

    let many = json!({ "expiresIn": 60, "paths": ["my folder/a.txt", "none"] });
    let answer = service.service().post_json("/object/sign/secrets", &many).await.json();
    assert_eq!(answer[0]["error"], json!(null));
    assert!(
        answer[0]["signedURL"].as_str().unwrap().starts_with("/object/sign/secrets/my folder/a.txt?token=")
    );
    let missing = json!({ "error": "Either the object does not exist or you do not have access to it", "path": "none", "signedURL": null });
    assert_eq!(answer[1], missing);
    assert_eq!(person.post_json("/object/sign/secrets", &many).await.json()[0]["signedURL"], json!(null));
}

#[tokio::test]
async fn the_signer_owns_a_signed_upload() {
    let service = Service::start().await;
    let ada = service.person().await;
    let sign = format!("/object/upload/sign/images/{}/a.jpg", ada.id);
    let url = ada.client.post_json(&sign, &json!({})).await.json()["url"].as_str().unwrap().to_owned();

    let stored = service.nobody().send(Request::put(&url), jpeg_with_gps()).await;
    assert_eq!(stored.json(), json!({ "Key": format!("images/{}/a.jpg", ada.id) }), "{}", stored.text());
    let owner: String =
        sqlx::query_scalar("select owner_id from storage.objects").fetch_one(&service.rows).await.unwrap();
    assert_eq!(owner, ada.id.to_string());
    assert_refused(
        &service.nobody().send(Request::put(&url), jpeg_with_gps()).await,
        409,
        "KeyAlreadyExists",
    );
    // The request can't grant itself more than the token allows.
    let upsert = Request::put(&url).header("x-upsert", "true");
    assert_refused(&service.nobody().send(upsert, jpeg_with_gps()).await, 409, "KeyAlreadyExists");

    let request = Request::post(&sign).header("x-upsert", "true");
    let url = ada.client.send(request, "{}").await.json()["url"].as_str().unwrap().to_owned();
    assert_eq!(service.nobody().send(Request::put(&url), jpeg_with_gps()).await.status, 200);
    service.clock.advance(TimeDelta::hours(2));
    assert_refused(&service.nobody().send(Request::put(&url), jpeg_with_gps()).await, 400, "InvalidJWT");
}

#[tokio::test]
async fn a_signed_url_is_valid_for_at_most_a_year() {
    let service = with_secret().await;
    let year = 365 * 24 * 3600;
    for (expires_in, allowed) in [
        (json!(year), true),
        (json!(year + 1), false),
        (json!(i64::MAX), false),
        (json!(1e30), false),
        (json!(0), false),
        (json!(-1), false),
        (json!(i64::MIN), false),
    ] {
        let one = json!({ "expiresIn": expires_in });
        let many = json!({ "expiresIn": expires_in, "paths": ["my folder/a.txt"] });
        for answer in [
            service.service().post_json("/object/sign/secrets/my%20folder/a.txt", &one).await,
            service.service().post_json("/object/sign/secrets", &many).await,
        ] {
            if allowed {
                assert_eq!(answer.status, 200, "{expires_in}: {}", answer.text());
            } else {
                assert_refused(&answer, 400, "InvalidRequest");
                assert!(answer.json()["message"].as_str().unwrap().contains("body"), "{}", answer.text());
            }
        }
    }
    let refused = json!({ "expiresIn": year + 1 });
    let answer = service.service().post_json("/object/sign/secrets/my%20folder/a.txt", &refused).await;
    assert_eq!(answer.json()["message"], "body/expiresIn must be <= 31536000 (one year)");
}

#[tokio::test]
async fn a_url_signed_for_more_than_a_year_is_refused() {
    let service = with_secret().await;
    let now = service.clock.now().timestamp();
    let claims = json!({
        "url": "secrets/my folder/a.txt", "scope": "download", "iat": now, "exp": now + 1_000_000_000_000_i64,
    });
    let token = test_support::person::keys().sign(&claims).unwrap();
    let got = service.nobody().get(&format!("/object/sign/secrets/my%20folder/a.txt?token={token}")).await;
    assert_refused(&got, 400, "InvalidJWT");
}
