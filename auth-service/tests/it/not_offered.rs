//! Unsupported ways to sign in.

use axum::body::Body;
use axum::http::Request;
use serde_json::json;

use crate::support::{Auth, refused, says};

#[tokio::test]
async fn unsupported_grants_are_refused_with_gotrues_errors() {
    let auth = Auth::start().await;
    let body =
        json!({ "provider": "google", "id_token": "x", "chain": "solana", "message": "m", "signature": "s" });
    let google = "Provider (issuer \"https://accounts.google.com\") is not enabled";
    for (grant, status, code, message) in [
        ("web3", 422, "web3_provider_disabled", "Web3 provider is disabled"),
        ("id_token", 400, "provider_disabled", google),
        ("", 400, "invalid_credentials", "unsupported_grant_type"),
    ] {
        let answer = auth.client.post_json(&format!("/token?grant_type={grant}"), &body).await;
        refused(&answer, status, code);
        says(&answer, message);
    }
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
}

#[tokio::test]
async fn single_sign_on_and_providers_are_refused_with_gotrues_errors() {
    let auth = Auth::start().await;
    let sso = auth.client.post_json("/sso", &json!({ "domain": "a.co" })).await;
    refused(&sso, 404, "saml_provider_disabled");
    says(&sso, "SAML 2.0 is disabled");
    for (query, message) in [
        ("?provider=google", "Unsupported provider: provider is not enabled"),
        ("", "Unsupported provider: provider could not be found"),
    ] {
        let answer = auth.client.get(&format!("/authorize{query}")).await;
        refused(&answer, 400, "validation_failed");
        says(&answer, message);
    }
}

#[tokio::test]
async fn linked_identities_are_refused_with_gotrues_errors() {
    let auth = Auth::start().await;
    let ana = auth.as_owner(&auth.influencer("ana@demo.serasi.test").await);
    let linked = format!("/user/identities/{}", uuid::Uuid::new_v4());
    for answer in [
        ana.get("/user/identities/authorize?provider=google").await,
        ana.send(Request::delete(&linked), Body::empty()).await,
    ] {
        refused(&answer, 404, "manual_linking_disabled");
        says(&answer, "Manual linking is disabled");
    }
    refused(&auth.client.get("/user/identities/authorize").await, 401, "no_authorization");
}

#[tokio::test]
async fn passkeys_and_oauth_apps_are_refused_with_gotrues_errors() {
    let auth = Auth::start().await;
    let ana = auth.as_owner(&auth.influencer("ana@demo.serasi.test").await);
    let operator = auth.operator();
    for (client, path, code) in [
        (&auth.client, "/passkeys", "passkey_disabled"),
        (&auth.client, "/passkeys/authentication/options", "passkey_disabled"),
        (&auth.client, "/oauth/authorize", "feature_disabled"),
        (&ana, "/user/oauth/grants", "feature_disabled"),
        (&operator, "/admin/oauth/clients", "feature_disabled"),
        (&operator, "/admin/custom-providers", "feature_disabled"),
    ] {
        refused(&client.get(path).await, 404, code);
        refused(&client.post_json(path, &json!({})).await, 404, code);
    }
    refused(&auth.client.get("/user/oauth/grants").await, 401, "no_authorization");
    for path in ["/admin/oauth/clients", "/admin/custom-providers/x"] {
        refused(&ana.get(path).await, 403, "not_admin");
    }
}
