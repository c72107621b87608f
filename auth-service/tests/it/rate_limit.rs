use axum::http::Request;
use futures::future::join_all;

use crate::support::{Auth, PASSWORD, refused, says};

#[tokio::test]
async fn the_thirty_first_attempt_must_wait() {
    let auth = Auth::start_with(&[("AUTH_RATE_LIMITS", "on")]).await;
    // These requests fail before a hash is computed, so that thirty of them take less time than a refill.
    let attempt = async |forwarded: &str| {
        let request = Request::post("/token?grant_type=password").header("x-forwarded-for", forwarded);
        auth.client.send(request, "{}").await
    };

    for host in 0..30 {
        // A forged `X-Forwarded-For` changes nothing, because this peer is not a configured proxy.
        refused(&attempt(&format!("198.51.100.{host}")).await, 400, "validation_failed");
    }
    let limited = attempt("203.0.113.1").await;

    refused(&limited, 429, "over_request_rate_limit");
    says(&limited, "Request rate limit reached");
    assert!((1..=2).contains(&limited.header("retry-after").unwrap().parse::<u32>().unwrap()));
    assert_eq!(auth.client.get("/health").await.status, 200);
    let other_bucket = auth.client.send(Request::post("/signup"), "{}").await;
    refused(&other_bucket, 422, "anonymous_provider_disabled");
    refused(&auth.sign_in("ana@demo.serasi.test", PASSWORD).await, 429, "over_request_rate_limit");
}

#[tokio::test]
async fn mail_requests_and_verifications_have_their_own_limits() {
    let auth = Auth::start_with(&[("AUTH_RATE_LIMITS", "on")]).await;
    for path in ["/recover", "/resend", "/otp", "/magiclink", "/verify"] {
        let attempt = || auth.client.send(Request::post(path), "{}");
        for answer in join_all((0..30).map(|_| attempt())).await {
            refused(&answer, 400, "validation_failed");
        }
        refused(&attempt().await, 429, "over_request_rate_limit");
    }
    refused(&auth.client.get("/verify?type=signup&token=x").await, 429, "over_request_rate_limit");
}

#[tokio::test]
async fn behind_a_trusted_proxy_each_client_has_its_own_limit() {
    let auth = Auth::start_with(&[("AUTH_RATE_LIMITS", "on"), ("TRUSTED_PROXIES", "127.0.0.1")]).await;
    let attempt = async |client: &str| {
        let request = Request::post("/signup").header("x-forwarded-for", format!("6.6.6.6, {client}"));
        auth.client.send(request, "{}").await
    };

    for _ in 0..30 {
        refused(&attempt("198.51.100.1").await, 422, "anonymous_provider_disabled");
    }

    refused(&attempt("198.51.100.1").await, 429, "over_request_rate_limit");
    refused(&attempt("198.51.100.2").await, 422, "anonymous_provider_disabled");
}
