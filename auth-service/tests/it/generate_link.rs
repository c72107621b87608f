//! `POST /admin/generate_link`

use serde_json::{Value, json};
use sha2::{Digest, Sha224};
use test_support::client::Answer;

use crate::mailbox::location;
use crate::support::{Auth, PASSWORD, refused, says, session};

const ANA: &str = "ana@demo.serasi.test";
const NEW: &str = "new@demo.serasi.test";

async fn generate(auth: &Auth, body: Value) -> Answer {
    auth.operator().post_json("/admin/generate_link", &body).await
}

#[track_caller]
fn link(answer: &Answer) -> Value {
    assert_eq!(answer.status.as_u16(), 200, "{}", answer.text());
    answer.json()
}

/// The token hash as GoTrue derives it.
fn derived(address: &str, code: &Value) -> String {
    Sha224::digest(format!("{address}{}", code.as_str().unwrap()))
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[tokio::test]
async fn a_sign_up_link_creates_the_account() {
    let auth = Auth::start().await;
    let body = json!({ "type": "signup", "email": "Ana@demo.serasi.test", "password": PASSWORD, "data": { "a": 1 }, "redirect_to": "https://serasi.test/x" });

    let made = link(&generate(&auth, body).await);

    assert_eq!((&made["email"], &made["user_metadata"]), (&json!(ANA), &json!({ "a": 1 })));
    assert!(
        made["id"].is_string() && made["identities"].is_array() && made["confirmation_sent_at"].is_string()
    );
    assert_eq!(
        (&made["verification_type"], &made["redirect_to"]),
        (&json!("signup"), &json!("https://serasi.test/x"))
    );
    assert_eq!(made["hashed_token"], derived(ANA, &made["email_otp"]));
    let hash = made["hashed_token"].as_str().unwrap();
    let action = format!(
        "https://serasi.test/auth/v1/verify?token={hash}&type=signup&redirect_to=https://serasi.test/x"
    );
    assert_eq!(made["action_link"], action);
    assert_eq!(auth.mails().await.len(), 0, "operators deliver it themselves");
    let place = location(&auth.client.get(action.strip_prefix("https://serasi.test/auth/v1").unwrap()).await);
    assert!(place.starts_with("https://serasi.test/x#access_token="), "{place}");
    session(&auth.sign_in(ANA, PASSWORD).await);
}

#[tokio::test]
async fn each_link_type_is_redeemed_as_that_type() {
    let auth = Auth::start().await;
    auth.influencer(ANA).await;
    for purpose in ["magiclink", "recovery"] {
        let made = link(&generate(&auth, json!({ "type": purpose, "email": ANA })).await);
        assert_eq!(
            (&made["verification_type"], &made["redirect_to"]),
            (&json!(purpose), &json!("https://serasi.test"))
        );
        session(&auth.verify_link(purpose, made["hashed_token"].as_str().unwrap()).await);
        let made = link(&generate(&auth, json!({ "type": purpose, "email": ANA })).await);
        session(&auth.verify_code(purpose, ANA, made["email_otp"].as_str().unwrap()).await);
    }
    let invited = link(&generate(&auth, json!({ "type": "invite", "email": NEW, "data": { "b": 2 } })).await);
    assert!(invited["invited_at"].is_string());
    assert_eq!(invited["user_metadata"], json!({ "b": 2 }));
    session(&auth.verify_link("invite", invited["hashed_token"].as_str().unwrap()).await);
}

#[tokio::test]
async fn a_magic_link_for_an_unknown_address_is_a_sign_up() {
    let auth = Auth::start().await;

    let made = link(&generate(&auth, json!({ "type": "magiclink", "email": ANA })).await);

    assert_eq!(made["verification_type"], "signup");
    session(&auth.verify_link("signup", made["hashed_token"].as_str().unwrap()).await);
}

#[tokio::test]
async fn a_change_of_address_needs_both_links() {
    let auth = Auth::start().await;
    let ana = auth.influencer(ANA).await;
    let mut made = Vec::new();
    for purpose in ["email_change_current", "email_change_new"] {
        let half = link(&generate(&auth, json!({ "type": purpose, "email": ANA, "new_email": NEW })).await);
        assert_eq!((&half["verification_type"], &half["new_email"]), (&json!(purpose), &json!(NEW)));
        assert!(half["action_link"].as_str().unwrap().contains("&type=email_change&"));
        made.push(half);
    }
    for half in &made {
        assert_eq!(half["hashed_token"], derived(ANA, &half["email_otp"]));
        assert!(half["action_link"].as_str().unwrap().contains(half["hashed_token"].as_str().unwrap()));
    }

    let first = auth.verify_link("email_change", made[0]["hashed_token"].as_str().unwrap()).await;
    assert_eq!(first.json()["code"], "200");
    session(&auth.verify_code("email_change", NEW, made[1]["email_otp"].as_str().unwrap()).await);

    assert_eq!(auth.user(&ana).await.json()["email"], NEW);
}

#[tokio::test]
async fn a_pending_sign_up_gets_a_new_link_and_keeps_its_password() {
    let auth = Auth::start().await;
    auth.sign_up(ANA, json!({ "user_type": "vendor" })).await;

    let body = json!({ "type": "signup", "email": ANA, "password": "another one", "data": { "a": 1 } });
    let made = link(&generate(&auth, body).await);

    assert_eq!(made["user_metadata"], json!({ "user_type": "vendor", "a": 1 }));
    session(&auth.verify_link("signup", made["hashed_token"].as_str().unwrap()).await);
    session(&auth.sign_in(ANA, PASSWORD).await);
}

#[tokio::test]
async fn invalid_link_requests_are_rejected() {
    let auth = Auth::start().await;
    let ana = auth.influencer(ANA).await;
    for (body, status, code) in [
        (json!({}), 400, "validation_failed"),
        (json!({ "type": "else", "email": ANA }), 400, "validation_failed"),
        (json!({ "type": "recovery" }), 400, "validation_failed"),
        (json!({ "type": "recovery", "email": "nonsense" }), 400, "validation_failed"),
        (json!({ "type": "recovery", "email": NEW }), 404, "user_not_found"),
        (json!({ "type": "email_change_new", "email": NEW, "new_email": "x@y.co" }), 404, "user_not_found"),
        (
            json!({ "type": "email_change_current", "email": NEW, "new_email": "x@y.co" }),
            404,
            "user_not_found",
        ),
        (json!({ "type": "email_change_new", "email": ANA }), 400, "validation_failed"),
        (json!({ "type": "email_change_new", "email": ANA, "new_email": ANA }), 422, "email_exists"),
        (json!({ "type": "signup", "email": ANA, "password": PASSWORD }), 422, "email_exists"),
        (json!({ "type": "invite", "email": ANA }), 422, "email_exists"),
        (json!({ "type": "signup", "email": NEW }), 400, "validation_failed"),
        (json!({ "type": "signup", "email": NEW, "password": "12345" }), 422, "weak_password"),
        (
            json!({ "type": "signup", "email": NEW, "password": PASSWORD, "data": { "user_type": "x" } }),
            422,
            "validation_failed",
        ),
    ] {
        refused(&generate(&auth, body).await, status, code);
    }
    says(
        &generate(&auth, json!({ "type": "recovery", "email": NEW })).await,
        "User with this email not found",
    );
    let body = json!({ "type": "recovery", "email": ANA, "redirect_to": "https://evil.test" });
    assert_eq!(link(&generate(&auth, body.clone()).await)["redirect_to"], "https://serasi.test");
    refused(&auth.as_owner(&ana).post_json("/admin/generate_link", &body).await, 403, "not_admin");
    refused(&auth.client.post_json("/admin/generate_link", &body).await, 401, "no_authorization");
    assert_eq!(auth.count("select count(*) from auth.users").await, 1);
}
