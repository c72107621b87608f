//! Password recovery, resent mails, and sign-in without a password.

use chrono::TimeDelta;
use serde_json::{Value, json};

use crate::support::{Auth, PASSWORD, claims, refused, says, session};

const ANA: &str = "ana@demo.serasi.test";

#[tokio::test]
async fn a_recovered_account_gets_a_new_password() {
    let auth = Auth::start().await;
    auth.influencer(ANA).await;

    let answer = auth.recover("ANA@demo.serasi.test").await;

    assert_eq!((answer.status.as_u16(), answer.json()), (200, json!({})));
    let mail = auth.last_mail().await;
    assert_eq!((mail.template.as_str(), mail.recipient.as_str()), ("recovery", ANA));
    assert_eq!(mail.parameter("type").as_deref(), Some("recovery"));
    let recovered = session(&auth.verify_code("recovery", ANA, mail.code()).await);
    refused(&auth.verify_link("recovery", &mail.token_hash()).await, 403, "otp_expired");
    let change = auth.as_owner(&recovered).put_json("/user", &json!({ "password": "battery staple" })).await;
    assert_eq!(change.status, 200, "{}", change.text());
    refused(&auth.sign_in(ANA, PASSWORD).await, 400, "invalid_credentials");
    session(&auth.sign_in(ANA, "battery staple").await);
}

#[tokio::test]
async fn answers_do_not_reveal_whether_an_account_exists() {
    let auth = Auth::start().await;
    auth.influencer(ANA).await;
    let resend = json!({ "type": "signup", "email": "nobody@demo.serasi.test" });

    for (path, body) in [("/recover", json!({ "email": "nobody@demo.serasi.test" })), ("/resend", resend)] {
        let answer = auth.client.post_json(path, &body).await;
        assert_eq!((answer.status.as_u16(), answer.json()), (200, json!({})), "{path}");
    }
    assert_eq!(auth.mails().await.len(), 0);
    assert_eq!(auth.recover(ANA).await.json(), json!({}));
}

#[tokio::test]
async fn response_times_do_not_reveal_whether_an_account_exists() {
    let auth = Auth::start().await;
    auth.influencer(ANA).await;
    for email in [ANA, "nobody@demo.serasi.test"] {
        let began = std::time::Instant::now();
        assert_eq!(auth.recover(email).await.status, 200);
        assert!(began.elapsed() >= std::time::Duration::from_millis(100), "{email}: {:?}", began.elapsed());
    }
}

#[tokio::test]
async fn a_new_password_voids_earlier_mails() {
    let auth = Auth::start().await;
    let ana = auth.influencer(ANA).await;
    auth.recover(ANA).await;
    let mail = auth.last_mail().await;

    auth.as_owner(&ana).put_json("/user", &json!({ "password": "battery staple" })).await;

    refused(&auth.verify_link("recovery", &mail.token_hash()).await, 403, "otp_expired");
    refused(&auth.verify_code("recovery", ANA, mail.code()).await, 403, "otp_expired");
}

#[tokio::test]
async fn a_recovery_confirms_the_address_too() {
    let auth = Auth::start().await;
    auth.sign_up(ANA, json!({ "user_type": "vendor" })).await;
    let confirmation = auth.last_mail().await;
    auth.recover(ANA).await;

    let answer = auth.verify_link("recovery", &auth.last_mail().await.token_hash()).await;

    session(&answer);
    assert_eq!(answer.json()["user"]["user_metadata"]["email_verified"], true);
    refused(&auth.verify_link("signup", &confirmation.token_hash()).await, 403, "otp_expired");
}

#[tokio::test]
async fn requests_without_a_valid_address_are_refused() {
    let auth = Auth::start().await;
    for (path, body, message) in [
        ("/recover", json!({}), "Password recovery requires an email"),
        ("/recover", json!({ "email": "nonsense" }), "Unable to validate email address: invalid format"),
        ("/otp", json!({}), "One of email or phone must be set"),
        ("/otp", json!({ "email": "nonsense" }), "Unable to validate email address: invalid format"),
        (
            "/otp",
            json!({ "email": ANA, "phone": "+60123" }),
            "Only an email address or phone number should be provided",
        ),
        ("/resend", json!({}), "Missing one of these types: signup, email_change, sms, phone_change"),
        (
            "/resend",
            json!({ "type": "recovery", "email": ANA }),
            "Missing one of these types: signup, email_change, sms, phone_change",
        ),
        ("/resend", json!({ "type": "signup" }), "Type provided requires an email address"),
        ("/resend", json!({ "type": "sms", "email": ANA }), "Type provided requires a phone number"),
        ("/resend", json!({ "type": "email_change" }), "Missing email or phone"),
        (
            "/resend",
            json!({ "type": "signup", "email": ANA, "phone": "+60123" }),
            "Only an email address or phone number should be provided.",
        ),
        (
            "/recover",
            json!({ "email": ANA, "code_challenge": "x".repeat(43) }),
            "PKCE flow requires code_challenge_method and code_challenge",
        ),
        (
            "/otp",
            json!({ "email": ANA, "code_challenge_method": "s256" }),
            "PKCE flow requires code_challenge_method and code_challenge",
        ),
    ] {
        let answer = auth.client.post_json(path, &body).await;
        refused(&answer, 400, "validation_failed");
        says(&answer, message);
    }
}

#[tokio::test]
async fn phone_numbers_are_refused_without_revealing_accounts() {
    let auth = Auth::start().await;
    let phone = auth.client.post_json("/otp", &json!({ "phone": "+60123456789" })).await;
    refused(&phone, 400, "phone_provider_disabled");
    says(&phone, "Unsupported phone provider");
    // No account can sign in by phone, and the answer must not reveal whether an account exists.
    for purpose in ["sms", "phone_change"] {
        let phone = json!({ "type": purpose, "phone": "+60123456789" });
        let answer = auth.client.post_json("/resend", &phone).await;
        assert_eq!((answer.status.as_u16(), answer.json()), (200, json!({})));
    }
}

#[tokio::test]
async fn a_confirmation_is_resent_while_it_is_pending() {
    let auth = Auth::start().await;
    auth.sign_up(ANA, json!({ "user_type": "vendor" })).await;
    let first = auth.last_mail().await;
    let resend = async |purpose: &str| {
        auth.client.post_json("/resend", &json!({ "type": purpose, "email": ANA })).await
    };

    refused(&resend("signup").await, 429, "over_email_send_rate_limit");
    auth.wait_a_minute();
    assert_eq!(resend("signup").await.json(), json!({}));
    assert_eq!(resend("email_change").await.json(), json!({}), "there is nothing to change");

    assert_eq!(auth.mails().await.len(), 2);
    refused(&auth.verify_code("signup", ANA, first.code()).await, 403, "otp_expired");
    session(&auth.verify_link("signup", &auth.last_mail().await.token_hash()).await);
    auth.wait_a_minute();
    assert_eq!(resend("signup").await.json(), json!({}));
    assert_eq!(auth.mails().await.len(), 2, "nothing is resent once confirmed");
}

#[tokio::test]
async fn a_magic_link_signs_in() {
    for path in ["/otp", "/magiclink"] {
        for purpose in ["magiclink", "email"] {
            let auth = Auth::start().await;
            auth.influencer(ANA).await;

            let answer = auth.client.post_json(path, &json!({ "email": ANA, "create_user": false })).await;

            assert_eq!((answer.status.as_u16(), answer.json()), (200, json!({})));
            let mail = auth.last_mail().await;
            assert_eq!(
                (mail.template.as_str(), mail.parameter("type").as_deref()),
                ("magic_link", Some("magiclink"))
            );
            let ana = session(&auth.verify_code(purpose, ANA, mail.code()).await);
            assert_eq!(claims(&ana.access_token)["amr"][0]["method"], "otp");
        }
    }
}

#[tokio::test]
async fn a_magic_link_creates_an_account_unless_create_user_is_false() {
    let auth = Auth::start().await;
    let ask = async |body: Value| auth.client.post_json("/otp", &body).await;

    let closed = ask(json!({ "email": ANA, "create_user": false })).await;
    assert_eq!((closed.status.as_u16(), closed.json()), (200, json!({})), "as for an address that is known");
    assert_eq!(auth.count("select count(*) from auth.users").await, 0);
    auth.wait_a_minute();
    let data = json!({ "user_type": "influencer" });
    assert_eq!(ask(json!({ "email": ANA, "data": data })).await.json(), json!({}));

    let mail = auth.last_mail().await;
    assert_eq!(mail.template, "magic_link");
    let answer = auth.verify_link("magiclink", &mail.token_hash()).await;
    session(&answer);
    assert_eq!(answer.json()["user"]["user_metadata"]["user_type"], "influencer");
    assert_eq!(auth.text("select role::text from app.user_roles").await.as_deref(), Some("influencer"));
    refused(&auth.sign_in(ANA, "").await, 400, "invalid_credentials");
}

#[tokio::test]
async fn a_vendor_without_a_password_confirms_first() {
    let auth = Auth::start().await;
    let body = json!({ "email": ANA, "data": { "user_type": "vendor" } });

    assert_eq!(auth.client.post_json("/otp", &body).await.json(), json!({}));

    let mail = auth.last_mail().await;
    assert_eq!((mail.template.as_str(), mail.parameter("type").as_deref()), ("confirmation", Some("signup")));
    assert_eq!(auth.count("select count(*) from auth.users where email_confirmed_at is null").await, 1);
    session(&auth.verify_code("email", ANA, mail.code()).await);
    let wrong_type = json!({ "email": "b@demo.serasi.test", "data": { "user_type": "admin" } });
    refused(&auth.client.post_json("/otp", &wrong_type).await, 422, "validation_failed");
}

#[tokio::test]
async fn no_accounts_are_created_while_sign_ups_are_off() {
    let auth = Auth::start_with(&[("AUTH_SIGNUPS", "off")]).await;
    let sign_up = auth.sign_up(ANA, json!({})).await;
    refused(&sign_up, 422, "signup_disabled");
    says(&sign_up, "Signups not allowed for this instance");
    assert_eq!(auth.client.post_json("/otp", &json!({ "email": ANA })).await.json(), json!({}));
    assert_eq!(auth.count("select count(*) from auth.users").await, 0);
    assert_eq!(auth.client.get("/settings").await.json()["disable_signup"], true);
    assert_eq!(auth.operator().post_json("/invite", &json!({ "email": ANA })).await.status, 200);
}

#[tokio::test]
async fn each_purpose_has_its_own_mail_interval() {
    let auth = Auth::start().await;
    auth.influencer(ANA).await;
    assert_eq!(auth.recover(ANA).await.status, 200);

    let at_once = auth.recover(ANA).await;
    refused(&at_once, 429, "over_email_send_rate_limit");
    says(&at_once, "For security purposes, you can only request this after 60 seconds.");
    assert_eq!(at_once.header("retry-after"), Some("60"));
    auth.clock.advance(TimeDelta::milliseconds(59_500));
    says(&auth.recover(ANA).await, "For security purposes, you can only request this after 1 seconds.");
    auth.clock.advance(TimeDelta::milliseconds(500));
    assert_eq!(auth.recover(ANA).await.status, 200);

    assert_eq!(auth.mails().await.len(), 2);
}

#[tokio::test]
async fn the_mail_interval_is_configurable() {
    let auth = Auth::start_with(&[("AUTH_MAIL_INTERVAL_SECONDS", "0")]).await;
    auth.influencer(ANA).await;
    for _ in 0..3 {
        assert_eq!(auth.recover(ANA).await.status, 200);
    }
    assert_eq!(auth.mails().await.len(), 3);
}

#[tokio::test]
async fn the_hourly_mail_limit_applies_unless_confirmations_are_off() {
    let limited =
        [("AUTH_RATE_LIMITS", "on"), ("AUTH_MAILS_PER_HOUR", "2"), ("AUTH_MAIL_INTERVAL_SECONDS", "0")];
    let auth = Auth::start_with(&limited).await;
    auth.influencer(ANA).await;
    for _ in 0..2 {
        assert_eq!(auth.recover(ANA).await.status, 200);
    }
    let over = auth.recover(ANA).await;
    refused(&over, 429, "over_email_send_rate_limit");
    says(&over, "email rate limit exceeded");
    assert!((1..=1800).contains(&over.header("retry-after").unwrap().parse::<u32>().unwrap()));
    assert_eq!(auth.mails().await.len(), 2);
    refused(&auth.recover("nobody@demo.serasi.test").await, 429, "over_email_send_rate_limit");

    let auth = Auth::start_with(&[limited[0], limited[1], limited[2], ("AUTH_CONFIRM_EMAIL", "none")]).await;
    auth.influencer(ANA).await;
    for _ in 0..3 {
        assert_eq!(auth.recover(ANA).await.status, 200);
    }
}

#[tokio::test]
async fn requests_with_a_phone_number_send_no_mail() {
    let auth = Auth::start().await;
    let ana = auth.influencer("ana@demo.serasi.test").await;
    auth.as_owner(&ana).put_json("/user", &json!({ "email": "new@demo.serasi.test" })).await;
    let before = auth.mails().await.len();
    auth.wait_a_minute();
    let resend = async |purpose: &str| {
        let body = json!({ "type": purpose, "email": "ana@demo.serasi.test" });
        auth.client.post_json("/resend", &body).await
    };

    let phone_change = resend("phone_change").await;
    assert_eq!((phone_change.status.as_u16(), phone_change.json()), (200, json!({})));
    refused(&resend("sms").await, 400, "validation_failed");
    assert_eq!(auth.mails().await.len(), before);
    resend("email_change").await;
    assert!(auth.mails().await.len() > before);
}
