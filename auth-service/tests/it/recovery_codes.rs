//! `/factors/recovery-codes`, the API of auth-js's `mfa.recoveryCodes`.

use axum::body::Body;
use axum::http::Request;
use chrono::TimeDelta;
use serde_json::json;
use test_support::client::{Answer, TestClient};

use crate::authenticator::{protected, recovery_codes, unenroll, verify};
use crate::support::{Auth, PASSWORD, claims, refused, says, session};

const ANA: &str = "ana@demo.serasi.test";
const PATH: &str = "/factors/recovery-codes";

async fn first_step(auth: &Auth) -> TestClient {
    auth.as_owner(&session(&auth.sign_in(ANA, PASSWORD).await))
}

async fn redeem(client: &TestClient, code: &str) -> Answer {
    client.post_json(&format!("{PATH}/verify"), &json!({ "code": code })).await
}

#[track_caller]
fn wrong(answer: &Answer) {
    refused(answer, 422, "mfa_verification_failed");
    says(answer, "Invalid recovery code entered");
}

#[tokio::test]
async fn a_code_is_redeemed_once_without_a_challenge() {
    let auth = Auth::start().await;
    let (app, owner) = protected(&auth, ANA).await;
    let codes = recovery_codes(&auth.as_owner(&owner)).await;
    let unpunctuated = codes[0].to_uppercase().replace('-', " ");

    let owner = session(&redeem(&first_step(&auth).await, &unpunctuated).await);

    let granted = claims(&owner.access_token);
    assert_eq!((&granted["aal"], &granted["amr"][0]["method"]), (&json!("aal2"), &json!("recovery_code")));
    wrong(&redeem(&first_step(&auth).await, &codes[0]).await);
    let owner = auth.as_owner(&owner);
    let status = owner.get(PATH).await.json();
    assert_eq!(
        (&status["type"], &status["total"], &status["remaining"]),
        (&json!("recovery_code"), &json!(10), &json!(9))
    );
    // The session ends with the app that the code replaced, as after a code of the app.
    assert_eq!(unenroll(&owner, &app.factor).await.status, 200);
    assert_eq!(owner.get(PATH).await.json()["remaining"], 0);
    assert_eq!(auth.count("select count(*) from auth.sessions where aal = 'aal2'").await, 0);
}

#[tokio::test]
async fn attempts_count_with_those_of_the_app() {
    let auth = Auth::start().await;
    let (app, owner) = protected(&auth, ANA).await;
    let codes = recovery_codes(&auth.as_owner(&owner)).await;
    let client = first_step(&auth).await;
    for code in ["", "- -"] {
        refused(&redeem(&client, code).await, 400, "validation_failed");
    }
    for attempt in 0..5 {
        match attempt % 2 {
            0 => wrong(&redeem(&client, "aaaa-bbbb-cccc-dddd").await),
            _ => refused(
                &verify(&client, &app.factor, &app.wrong_code(&auth)).await,
                422,
                "mfa_verification_failed",
            ),
        }
    }
    let refusal = redeem(&client, &codes[0]).await;
    refused(&refusal, 429, "over_request_rate_limit");
    assert_eq!(refusal.header("retry-after"), Some("300"));
    auth.clock.advance(TimeDelta::minutes(5));
    session(&redeem(&client, &codes[0]).await);
    assert_eq!(auth.count("select count(*) from auth.mfa_failures").await, 0);
}

#[tokio::test]
async fn codes_are_the_accounts_own() {
    let auth = Auth::start().await;
    let (_, ana) = protected(&auth, ANA).await;
    let anas = recovery_codes(&auth.as_owner(&ana)).await;
    protected(&auth, "bo@demo.serasi.test").await;
    let bo = auth.as_owner(&session(&auth.sign_in("bo@demo.serasi.test", PASSWORD).await));
    wrong(&redeem(&bo, &anas[0]).await);
    // An account without an app gets the same response.
    wrong(&redeem(&auth.as_owner(&auth.influencer("cy@demo.serasi.test").await), &anas[0]).await);
    refused(&redeem(&auth.client, &anas[0]).await, 401, "no_authorization");
    assert_eq!(auth.count("select count(*) from auth.mfa_recovery_codes").await, 10);
}

#[tokio::test]
async fn codes_are_regenerated_and_deleted_after_a_recent_second_step() {
    let auth = Auth::start().await;
    let (_, ana) = protected(&auth, ANA).await;
    let owner = auth.as_owner(&ana);
    let delete = async |client: &TestClient| client.send(Request::delete(PATH), Body::empty()).await;
    refused(&delete(&owner).await, 404, "mfa_factor_not_found");
    let made = owner.post_json(PATH, &json!({ "friendly_name": "Codes" })).await.json();
    assert_eq!((&made["type"], &made["total"]), (&json!("recovery_code"), &json!(10)));

    let regenerate = format!("{PATH}/regenerate");
    let newer = owner.post_json(&regenerate, &json!({})).await.json();
    assert_eq!(newer["id"], made["id"]);
    assert_ne!(newer["codes"], made["codes"]);
    wrong(&redeem(&first_step(&auth).await, made["codes"][0].as_str().unwrap()).await);

    refused(&delete(&first_step(&auth).await).await, 403, "insufficient_aal");
    assert_eq!(delete(&owner).await.json(), json!({ "id": made["id"] }));
    assert_eq!(owner.get(PATH).await.json()["total"], 0);
    auth.clock.advance(TimeDelta::minutes(15));
    refused(&delete(&owner).await, 403, "insufficient_aal");
    refused(&owner.post_json(&regenerate, &json!({})).await, 403, "insufficient_aal");
}
