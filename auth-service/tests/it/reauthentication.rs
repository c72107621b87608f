//! Reauthentication: what an old session needs before it may change the password.

use chrono::TimeDelta;
use serde_json::{Value, json};
use test_support::client::Answer;

use crate::mailbox::wrong;
use crate::support::{Auth, PASSWORD, Session, refused, says, session};

const ANA: &str = "ana@demo.serasi.test";

/// A session that began the day before yesterday and whose token is still valid.
async fn old_session(auth: &Auth) -> Session {
    let ana = auth.influencer(ANA).await;
    auth.clock.advance(TimeDelta::hours(25));
    ana
}

async fn change(auth: &Auth, ana: &Session, body: Value) -> Answer {
    auth.as_owner(ana).put_json("/user", &body).await
}

#[tokio::test]
async fn a_mailed_code_proves_the_owner() {
    let auth = Auth::start_with(&[("AUTH_ACCESS_TOKEN_SECONDS", "999999")]).await;
    let ana = old_session(&auth).await;
    let needed = change(&auth, &ana, json!({ "password": "battery staple" })).await;
    refused(&needed, 400, "reauthentication_needed");

    let asked = auth.as_owner(&ana).get("/reauthenticate").await;

    assert_eq!((asked.status.as_u16(), asked.json()), (200, json!({})));
    let mail = auth.last_mail().await;
    assert_eq!((mail.template.as_str(), mail.recipient.as_str()), ("reauthentication", ANA));
    assert_eq!(mail.data.get("link"), None);
    refused(&auth.as_owner(&ana).get("/reauthenticate").await, 429, "over_email_send_rate_limit");
    assert!(auth.user(&ana).await.json()["reauthentication_sent_at"].is_string());
    for purpose in ["email", "signup", "recovery"] {
        refused(&auth.verify_code(purpose, ANA, mail.code()).await, 403, "otp_expired");
    }
    let bad = json!({ "password": "battery staple", "nonce": wrong(mail.code()) });
    refused(&change(&auth, &ana, bad).await, 422, "reauthentication_not_valid");
    let good = json!({ "password": "battery staple", "nonce": mail.code() });
    assert_eq!(change(&auth, &ana, good).await.status, 200);
    let again = json!({ "password": "another staple", "nonce": mail.code() });
    refused(&change(&auth, &ana, again).await, 422, "reauthentication_not_valid");
    session(&auth.sign_in(ANA, "battery staple").await);
}

#[tokio::test]
async fn another_accounts_code_is_rejected() {
    let auth = Auth::start_with(&[("AUTH_ACCESS_TOKEN_SECONDS", "999999")]).await;
    let bo = auth.influencer("bo@demo.serasi.test").await;
    let ana = old_session(&auth).await;
    auth.as_owner(&bo).get("/reauthenticate").await;
    let foreign = auth.last_mail().await;

    let body = json!({ "password": "battery staple", "nonce": foreign.code() });

    refused(&change(&auth, &ana, body).await, 422, "reauthentication_not_valid");
}

#[tokio::test]
async fn reauthentication_can_be_switched_off() {
    let settings = [("AUTH_ACCESS_TOKEN_SECONDS", "999999"), ("AUTH_REQUIRE_REAUTHENTICATION", "off")];
    let auth = Auth::start_with(&settings).await;
    let ana = old_session(&auth).await;
    assert_eq!(change(&auth, &ana, json!({ "password": "battery staple" })).await.status, 200);
}

#[tokio::test]
async fn the_current_password_can_be_required_of_password_sessions() {
    let auth = Auth::start_with(&[("AUTH_REQUIRE_CURRENT_PASSWORD", "on")]).await;
    let ana = auth.influencer(ANA).await;

    let missing = json!({ "password": "battery staple" });
    refused(&change(&auth, &ana, missing.clone()).await, 400, "current_password_required");
    let guessed = json!({ "password": "battery staple", "current_password": "guess" });
    refused(&change(&auth, &ana, guessed).await, 400, "current_password_invalid");
    let known = json!({ "password": "battery staple", "current_password": PASSWORD });
    assert_eq!(change(&auth, &ana, known).await.status, 200);

    auth.recover(ANA).await;
    let recovered = session(&auth.verify_code("recovery", ANA, auth.last_mail().await.code()).await);
    assert_eq!(change(&auth, &recovered, json!({ "password": "third staple" })).await.status, 200);
}

/// Only links that replace the password waive it. A user who has just signed up through a link knows the
/// password.
#[tokio::test]
async fn sessions_of_other_link_types_need_the_current_password() {
    let auth = Auth::start_with(&[("AUTH_REQUIRE_CURRENT_PASSWORD", "on")]).await;
    let ana = auth.influencer(ANA).await;
    let began_by = async |method: &str| {
        sqlx::query(
            "update auth.sessions set amr = jsonb_build_array(jsonb_build_object('method', $1::text))",
        )
        .bind(method)
        .execute(&auth.rows)
        .await
        .unwrap();
        change(&auth, &ana, json!({ "password": format!("since {method}") })).await
    };
    for method in ["email/signup", "email_change", "invite", "password"] {
        refused(&began_by(method).await, 400, "current_password_required");
    }
    for method in ["otp", "magiclink", "recovery"] {
        assert_eq!(began_by(method).await.status, 200, "{method}");
    }
}

#[tokio::test]
async fn reauthentication_needs_a_confirmed_address() {
    let auth = Auth::start().await;
    let ana = auth.influencer(ANA).await;
    let ask = async || auth.as_owner(&ana).get("/reauthenticate").await;

    sqlx::query("update auth.users set email_confirmed_at = null").execute(&auth.rows).await.unwrap();
    refused(&ask().await, 422, "email_not_confirmed");
    sqlx::query("update auth.users set email = null").execute(&auth.rows).await.unwrap();
    let nowhere = ask().await;
    refused(&nowhere, 400, "validation_failed");
    says(&nowhere, "Reauthentication requires the user to have an email or a phone number");
    refused(&auth.client.get("/reauthenticate").await, 401, "no_authorization");
}
