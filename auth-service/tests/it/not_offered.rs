//! Unsupported ways to sign in.

use axum::body::Body;
use axum::http::Request;
use serde_json::json;

use crate::support::{Auth, refused, says};

#[tokio::test]
async fn unsupported_methods_are_refused_with_gotrues_errors() {
    let auth = Auth::start().await;
    let ana = auth.as_owner(&auth.influencer("ana@demo.serasi.test").await);
    let token = async |grant: &str| {
        let body = json!({ "provider": "google", "id_token": "x", "chain": "solana", "message": "m", "signature": "s" });
        auth.client.post_json(&format!("/token?grant_type={grant}"), &body).await
    };
    let linked = format!("/user/identities/{}", uuid::Uuid::new_v4());
    for (answer, status, code, message) in [
        (
            auth.client.post_json("/sso", &json!({ "domain": "a.co" })).await,
            404,
            "saml_provider_disabled",
            "SAML 2.0 is disabled",
        ),
        (token("web3").await, 422, "web3_provider_disabled", "Web3 provider is disabled"),
        (
            token("id_token").await,
            400,
            "provider_disabled",
            "Provider (issuer \"https://accounts.google.com\") is not enabled",
        ),
        (token("").await, 400, "invalid_credentials", "unsupported_grant_type"),
        (
            auth.client.get("/authorize?provider=google").await,
            400,
            "validation_failed",
            "Unsupported provider: provider is not enabled",
        ),
        (
            auth.client.get("/authorize").await,
            400,
            "validation_failed",
            "Unsupported provider: provider could not be found",
        ),
        (
            ana.get("/user/identities/authorize?provider=google").await,
            404,
            "manual_linking_disabled",
            "Manual linking is disabled",
        ),
        (
            ana.send(Request::delete(&linked), Body::empty()).await,
            404,
            "manual_linking_disabled",
            "Manual linking is disabled",
        ),
        (
            ana.post_json("/factors", &json!({ "factor_type": "totp" })).await,
            422,
            "mfa_totp_enroll_not_enabled",
            "MFA enroll is disabled for TOTP",
        ),
        (
            ana.post_json("/factors", &json!({ "factor_type": "phone" })).await,
            422,
            "mfa_phone_enroll_not_enabled",
            "MFA enroll is disabled for Phone",
        ),
        (
            ana.post_json("/factors/x/challenge", &json!({})).await,
            404,
            "mfa_factor_not_found",
            "Factor not found",
        ),
        (
            ana.post_json("/factors/x/verify", &json!({ "challenge_id": "y", "code": "123456" })).await,
            404,
            "mfa_factor_not_found",
            "Factor not found",
        ),
        (
            ana.send(Request::delete("/factors/x"), Body::empty()).await,
            404,
            "mfa_factor_not_found",
            "Factor not found",
        ),
    ] {
        refused(&answer, status, code);
        says(&answer, message);
    }
    refused(&auth.client.get("/user/identities/authorize").await, 401, "no_authorization");
    // An unsupported grant is refused whatever its body says. Only supported grants read the body.
    for (grant, status, code) in [
        ("else", 400, "invalid_credentials"),
        ("web3", 422, "web3_provider_disabled"),
        ("id_token", 400, "bad_json"),
        ("password", 400, "bad_json"),
    ] {
        let path = format!("/token?grant_type={grant}");
        refused(&auth.client.send(Request::post(path), "{").await, status, code);
    }
    // Authentication comes first, even for endpoints that we do not support.
    for path in ["/factors", "/factors/x/challenge", "/factors/x/verify"] {
        let answer = auth.client.post_json(path, &json!({})).await;
        refused(&answer, 401, "no_authorization");
        says(&answer, "This endpoint requires a valid Bearer token");
    }
    let factors = format!("/admin/users/{}/factors", uuid::Uuid::new_v4());
    refused(&ana.get(&factors).await, 403, "not_admin");
}
