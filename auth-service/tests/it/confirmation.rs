//! Sign-up with an address that must be confirmed, by link or by code.

use futures::future::join_all;
use serde_json::json;

use crate::mailbox::wrong;
use crate::support::{Auth, PASSWORD, claims, refused, says, session};

const VERA: &str = "vera@demo.serasi.test";

async fn vendor(auth: &Auth) {
    assert_eq!(auth.sign_up(VERA, json!({ "user_type": "vendor", "name": "Vera" })).await.status, 200);
}

#[tokio::test]
async fn the_mail_contains_a_code_and_a_link_to_our_own_page() {
    let auth = Auth::start().await;
    vendor(&auth).await;

    let mail = auth.last_mail().await;

    assert_eq!((mail.template.as_str(), mail.recipient.as_str()), ("confirmation", VERA));
    assert_eq!(mail.data["email"], VERA);
    assert!(mail.code().len() == 6 && mail.code().bytes().all(|byte| byte.is_ascii_digit()));
    assert!(mail.link().as_str().starts_with("https://serasi.test/auth/confirm?token_hash="));
    assert_eq!(mail.parameter("type").as_deref(), Some("signup"));
    assert_eq!(mail.parameter("redirect_to"), None);
}

#[tokio::test]
async fn the_database_stores_neither_link_nor_code_in_clear_text() {
    let auth = Auth::start().await;
    vendor(&auth).await;
    let mail = auth.last_mail().await;

    let stored = auth.text("select t::text from auth.one_time_tokens t").await.unwrap();

    assert!(!stored.contains(mail.code()) && !stored.contains(&mail.token_hash()), "{stored}");
    for column in
        ["select token_hash from auth.one_time_tokens", "select code_hash from auth.one_time_tokens"]
    {
        let hash = auth.text(column).await.unwrap();
        refused(&auth.verify_link("signup", &hash).await, 403, "otp_expired");
    }
}

#[tokio::test]
async fn the_link_confirms_and_signs_in_once() {
    let auth = Auth::start().await;
    vendor(&auth).await;
    let link = auth.last_mail().await.token_hash();

    let answer = auth.verify_link("signup", &link).await;

    let vera = session(&answer);
    let user = &answer.json()["user"];
    assert_eq!(
        user["user_metadata"],
        json!({ "user_type": "vendor", "name": "Vera", "email_verified": true })
    );
    assert!(user["email_confirmed_at"].is_string() && user["last_sign_in_at"].is_string());
    assert_eq!(user["confirmed_at"], user["email_confirmed_at"]);
    assert_eq!(user["identities"][0]["identity_data"]["email_verified"], true);
    assert_eq!(claims(&vera.access_token)["amr"][0]["method"], "otp");
    let again = auth.verify_link("signup", &link).await;
    refused(&again, 403, "otp_expired");
    says(&again, "Email link is invalid or has expired");
    session(&auth.sign_in(VERA, PASSWORD).await);
}

#[tokio::test]
async fn the_code_confirms_too() {
    for purpose in ["signup", "email"] {
        let auth = Auth::start().await;
        vendor(&auth).await;
        let code = auth.last_mail().await.code().to_owned();

        let bad = auth.verify_code(purpose, VERA, &wrong(&code)).await;
        refused(&bad, 403, "otp_expired");
        says(&bad, "Token has expired or is invalid");
        refused(&auth.verify_code(purpose, "other@demo.serasi.test", &code).await, 403, "otp_expired");
        refused(&auth.verify_code("recovery", VERA, &code).await, 403, "otp_expired");
        refused(&auth.verify_code("email_change", VERA, &code).await, 403, "otp_expired");

        session(&auth.verify_code(purpose, "VERA@demo.serasi.test", &code).await);
        refused(&auth.verify_code(purpose, VERA, &code).await, 403, "otp_expired");
        session(&auth.sign_in(VERA, PASSWORD).await);
    }
}

#[tokio::test]
async fn concurrent_uses_of_a_link_open_one_session() {
    let auth = Auth::start().await;
    vendor(&auth).await;
    let mail = auth.last_mail().await;
    let (link, code) = (mail.token_hash(), mail.code());

    let by_link = join_all((0..8).map(|_| auth.verify_link("signup", &link)));
    let by_code = join_all((0..8).map(|_| auth.verify_code("signup", VERA, code)));
    let (by_link, by_code) = futures::join!(by_link, by_code);

    let good = by_link.iter().chain(&by_code).filter(|answer| answer.status == 200).count();
    assert_eq!(good, 1);
    assert_eq!(auth.count("select count(*) from auth.sessions").await, 1);
}

/// Influencers and agencies sign in at once. They request the link later.
#[tokio::test]
async fn an_account_that_signed_in_without_it_can_prove_its_address() {
    let auth = Auth::start().await;
    let earlier = auth.influencer(VERA).await;
    let proved = "select count(*) from auth.users where app.is_proved(id)";
    assert_eq!(auth.count(proved).await, 0);

    auth.client.post_json("/resend", &json!({ "type": "signup", "email": VERA })).await;
    session(&auth.verify_link("signup", &auth.last_mail().await.token_hash()).await);

    assert_eq!(auth.count(proved).await, 1);
    assert_eq!(auth.user(&earlier).await.status, 200);
    assert_eq!(auth.sign_in(VERA, PASSWORD).await.status, 200);
}

#[tokio::test]
async fn after_ten_wrong_codes_only_the_link_works() {
    let auth = Auth::start().await;
    vendor(&auth).await;
    let mail = auth.last_mail().await;

    // Sent at the same time, because each of several concurrent guesses must count.
    let guesses =
        join_all((0..10).map(|_| async { auth.verify_code("email", VERA, &wrong(mail.code())).await })).await;

    assert!(guesses.iter().all(|answer| answer.status == 403));
    refused(&auth.verify_code("email", VERA, mail.code()).await, 403, "otp_expired");
    session(&auth.verify_link("signup", &mail.token_hash()).await);
}

#[tokio::test]
async fn the_tenth_guess_still_counts_and_a_new_code_resets_the_limit() {
    let auth = Auth::start().await;
    vendor(&auth).await;
    let first = auth.last_mail().await;
    for _ in 0..9 {
        auth.verify_code("email", VERA, &wrong(first.code())).await;
    }
    auth.wait_a_minute();
    auth.client.post_json("/resend", &json!({ "type": "signup", "email": VERA })).await;
    let second = auth.last_mail().await;
    refused(&auth.verify_link("signup", &first.token_hash()).await, 403, "otp_expired");
    for _ in 0..9 {
        refused(&auth.verify_code("email", VERA, &wrong(second.code())).await, 403, "otp_expired");
    }
    session(&auth.verify_code("email", VERA, second.code()).await);
}

#[tokio::test]
async fn the_lifetime_of_a_link_is_configurable() {
    let auth = Auth::start_with(&[("AUTH_OTP_SECONDS", "3600")]).await;
    vendor(&auth).await;
    let mail = auth.last_mail().await;
    auth.clock.advance(chrono::TimeDelta::seconds(3600));

    refused(&auth.verify_link("signup", &mail.token_hash()).await, 403, "otp_expired");
    refused(&auth.verify_code("signup", VERA, mail.code()).await, 403, "otp_expired");

    auth.client.post_json("/resend", &json!({ "type": "signup", "email": VERA })).await;
    auth.clock.advance(chrono::TimeDelta::seconds(3599));
    session(&auth.verify_link("signup", &auth.last_mail().await.token_hash()).await);
}

#[tokio::test]
async fn a_banned_account_stays_closed_and_its_link_stays_valid() {
    let auth = Auth::start().await;
    vendor(&auth).await;
    let link = auth.last_mail().await.token_hash();
    let id = auth.text("select id::text from auth.users").await.unwrap();
    let ban = async |span: &str| {
        auth.operator().put_json(&format!("/admin/users/{id}"), &json!({ "ban_duration": span })).await
    };
    ban("24h").await;

    let answer = auth.verify_link("signup", &link).await;

    refused(&answer, 403, "user_banned");
    says(&answer, "User is banned");
    ban("none").await;
    session(&auth.verify_link("signup", &link).await);
}

#[tokio::test]
async fn signing_up_with_a_known_address_sends_no_mail() {
    let auth = Auth::start().await;
    auth.influencer("ana@demo.serasi.test").await;

    auth.sign_up("ana@demo.serasi.test", json!({ "user_type": "vendor" })).await;

    assert_eq!(auth.mails().await.len(), 0);
}

#[tokio::test]
async fn a_failure_after_queuing_the_mail_rolls_the_mail_back() {
    let auth = Auth::start().await;
    sqlx::query("revoke update on auth.users from auth_admin").execute(&auth.rows).await.unwrap();

    refused(&auth.sign_up(VERA, json!({ "user_type": "vendor" })).await, 500, "unexpected_failure");

    assert_eq!(auth.mails().await.len(), 0);
    assert_eq!(auth.count("select count(*) from auth.one_time_tokens").await, 0);
}

#[tokio::test]
async fn invalid_requests_are_rejected() {
    let auth = Auth::start().await;
    let neither = "Verify requires either a token or a token hash";
    let alone = "Only the token_hash and type should be provided";
    for (body, message) in [
        (json!({}), "Verify requires a verification type"),
        (json!({ "type": "", "token": "1" }), "Verify requires a verification type"),
        (json!({ "type": "signup" }), neither),
        (json!({ "type": "signup", "token": "", "token_hash": "" }), neither),
        (json!({ "type": "signup", "token": "123456", "token_hash": "x", "email": VERA }), neither),
        (json!({ "type": "signup", "token_hash": "x", "email": VERA }), alone),
        (json!({ "type": "signup", "token_hash": "x", "phone": "+60123" }), alone),
        (json!({ "type": "else", "token_hash": "x" }), "Invalid email verification type"),
        (
            json!({ "type": "signup", "token": "123456" }),
            "Only an email address or phone number should be provided on verify",
        ),
        (
            json!({ "type": "signup", "token": "123456", "email": "nonsense" }),
            "Unable to validate email address: invalid format",
        ),
        (
            json!({ "type": "sms", "token": "123456", "phone": "12x" }),
            "Invalid phone number format (E.164 required)",
        ),
    ] {
        let answer = auth.client.post_json("/verify", &body).await;
        refused(&answer, 400, "validation_failed");
        says(&answer, message);
    }
    for body in [
        json!({ "type": "sms", "token": "123456", "phone": "+60123456789" }),
        json!({ "type": "else", "token": "123456", "email": VERA }),
        json!({ "type": "signup", "token": "123456", "email": VERA }),
        json!({ "type": "signup", "token": "' or 1=1 --", "email": VERA }),
        json!({ "type": "recovery", "token_hash": "x" }),
        json!({ "type": "recovery", "token_hash": "\u{0}" }),
        json!({ "type": "recovery", "token_hash": "x".repeat(100_000) }),
    ] {
        refused(&auth.client.post_json("/verify", &body).await, 403, "otp_expired");
    }
    let wrong_shapes = [json!({ "type": 1 }), json!([])];
    for body in wrong_shapes {
        refused(&auth.client.post_json("/verify", &body).await, 400, "bad_json");
    }
}
