//! Changes of address: the reader of the new address proves it, and the reader of the old one agrees.

use serde_json::{Value, json};
use test_support::client::Answer;

use crate::mailbox::{location, parameters, wrong};
use crate::support::{Auth, PASSWORD, Session, refused, says, session};

const OLD: &str = "ana@demo.serasi.test";
const NEW: &str = "new@demo.serasi.test";
const FIRST_HALF: &str = "Confirmation link accepted. Please proceed to confirm link sent to the other email";

async fn change(auth: &Auth, ana: &Session, email: &str) -> Answer {
    auth.as_owner(ana).put_json("/user", &json!({ "email": email })).await
}

/// An account that has asked for a new address.
async fn changing(auth: &Auth) -> Session {
    let ana = auth.influencer(OLD).await;
    let answer = change(auth, &ana, NEW).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    ana
}

async fn address(auth: &Auth) -> Option<String> {
    auth.text("select email from app.profiles").await
}

#[tokio::test]
async fn both_addresses_are_mailed_and_nothing_changes_yet() {
    let auth = Auth::start().await;
    let ana = auth.influencer(OLD).await;

    let answer = change(&auth, &ana, "New@demo.serasi.test").await.json();

    assert_eq!((&answer["email"], &answer["new_email"]), (&json!(OLD), &json!(NEW)));
    assert!(answer["email_change_sent_at"].is_string());
    let (old, new) = (auth.mail_to(OLD).await, auth.mail_to(NEW).await);
    for mail in [&old, &new] {
        assert_eq!(
            (mail.template.as_str(), mail.parameter("type").as_deref()),
            ("email_change", Some("email_change"))
        );
        assert_eq!((&mail.data["email"], &mail.data["new_email"]), (&json!(OLD), &json!(NEW)));
    }
    assert_ne!(old.token_hash(), new.token_hash());
    assert_eq!(address(&auth).await.as_deref(), Some(OLD));
    session(&auth.sign_in(OLD, PASSWORD).await);
    refused(&auth.sign_in(NEW, PASSWORD).await, 400, "invalid_credentials");
}

#[tokio::test]
async fn both_confirmations_work_in_either_order_by_link_or_code() {
    for old_first in [true, false] {
        for by_code in [true, false] {
            let auth = Auth::start().await;
            changing(&auth).await;
            let mut mails = [auth.mail_to(OLD).await, auth.mail_to(NEW).await];
            if !old_first {
                mails.reverse();
            }
            let redeem = async |half: usize| {
                let mail = &mails[half];
                if by_code {
                    auth.verify_code("email_change", &mail.recipient, mail.code()).await
                } else {
                    auth.verify_link("email_change", &mail.token_hash()).await
                }
            };

            let first = redeem(0).await;
            assert_eq!(
                (first.status.as_u16(), first.json()),
                (200, json!({ "msg": FIRST_HALF, "code": "200" }))
            );
            refused(&redeem(0).await, 403, "otp_expired");
            assert_eq!(address(&auth).await.as_deref(), Some(OLD));

            let second = redeem(1).await;
            let ana = session(&second);
            let user = &second.json()["user"];
            assert_eq!((&user["email"], user.get("new_email")), (&json!(NEW), None));
            assert_eq!(user["identities"][0]["email"], NEW);
            assert_eq!(user["identities"][0]["identity_data"]["email_verified"], true);
            refused(&redeem(1).await, 403, "otp_expired");
            assert_eq!(address(&auth).await.as_deref(), Some(NEW));
            assert_eq!(auth.user(&ana).await.json()["email"], NEW);
            session(&auth.sign_in(NEW, PASSWORD).await);
            refused(&auth.sign_in(OLD, PASSWORD).await, 400, "invalid_credentials");
            auth.influencer(OLD).await;
        }
    }
}

#[tokio::test]
async fn confirming_one_address_twice_does_not_change_it() {
    let auth = Auth::start().await;
    let ana = changing(&auth).await;
    auth.verify_link("email_change", &auth.mail_to(NEW).await.token_hash()).await;
    auth.wait_a_minute();
    change(&auth, &ana, NEW).await;

    let again = auth.verify_link("email_change", &auth.mail_to(NEW).await.token_hash()).await;

    assert_eq!(again.json()["msg"], FIRST_HALF);
    assert_eq!(address(&auth).await.as_deref(), Some(OLD));
}

#[tokio::test]
async fn a_code_proves_the_address_it_was_sent_to() {
    let auth = Auth::start().await;
    changing(&auth).await;
    let (old, new) = (auth.mail_to(OLD).await, auth.mail_to(NEW).await);

    refused(&auth.verify_code("email_change", OLD, &wrong(old.code())).await, 403, "otp_expired");
    if old.code() != new.code() {
        refused(&auth.verify_code("email_change", NEW, old.code()).await, 403, "otp_expired");
    }
    for purpose in ["signup", "recovery", "magiclink", "email"] {
        refused(&auth.verify_code(purpose, OLD, old.code()).await, 403, "otp_expired");
        refused(&auth.verify_link(purpose, &old.token_hash()).await, 403, "otp_expired");
    }
    assert_eq!(auth.verify_code("email_change", OLD, old.code()).await.status, 200);
}

#[tokio::test]
async fn followed_links_report_the_progress() {
    let auth = Auth::start().await;
    changing(&auth).await;
    let follow = async |recipient: &str| {
        let token = auth.mail_to(recipient).await.token_hash();
        location(&auth.client.get(&format!("/verify?token={token}&type=email_change")).await)
    };

    let first = follow(OLD).await;
    let second = follow(NEW).await;

    let fragment = parameters(first.strip_prefix("https://serasi.test#").unwrap());
    assert_eq!(fragment, json!({ "message": FIRST_HALF, "sb": "" }));
    assert!(second.contains("access_token=") && second.ends_with("&type=email_change"), "{second}");
    assert_eq!(address(&auth).await.as_deref(), Some(NEW));
}

#[tokio::test]
async fn one_confirmation_is_enough_when_confirmations_are_off() {
    let auth = Auth::start_with(&[("AUTH_CONFIRM_EMAIL", "none")]).await;
    changing(&auth).await;

    session(&auth.verify_link("email_change", &auth.mail_to(NEW).await.token_hash()).await);

    assert_eq!(address(&auth).await.as_deref(), Some(NEW));
    let old = auth.mail_to(OLD).await;
    refused(&auth.verify_link("email_change", &old.token_hash()).await, 403, "otp_expired");
}

#[tokio::test]
async fn a_taken_address_is_rejected() {
    let auth = Auth::start().await;
    let ana = auth.influencer(OLD).await;
    auth.influencer("taken@demo.serasi.test").await;

    let taken = change(&auth, &ana, "TAKEN@demo.serasi.test").await;
    refused(&taken, 422, "email_exists");
    says(&taken, "A user with this email address has already been registered");
    refused(&change(&auth, &ana, "nonsense").await, 400, "validation_failed");
    assert_eq!(change(&auth, &ana, OLD).await.status, 200);
    assert_eq!(auth.mails().await.len(), 0);

    // Another account takes the address between the request and the confirmation.
    change(&auth, &ana, NEW).await;
    auth.verify_link("email_change", &auth.mail_to(OLD).await.token_hash()).await;
    auth.influencer(NEW).await;
    let last = auth.mail_to(NEW).await.token_hash();
    refused(&auth.verify_link("email_change", &last).await, 422, "email_exists");
    assert_eq!(auth.user(&ana).await.json()["email"], OLD);
}

#[tokio::test]
async fn address_changes_are_limited_to_one_mail_per_minute() {
    let auth = Auth::start().await;
    let ana = changing(&auth).await;
    let resend = json!({ "type": "email_change", "email": OLD });

    refused(&change(&auth, &ana, "third@demo.serasi.test").await, 429, "over_email_send_rate_limit");
    refused(&auth.client.post_json("/resend", &resend).await, 429, "over_email_send_rate_limit");
    auth.wait_a_minute();
    assert_eq!(auth.client.post_json("/resend", &resend).await.json(), json!({}));

    assert_eq!(auth.mails().await.len(), 4);
    assert_eq!(auth.user(&ana).await.json()["new_email"], NEW);
}

#[tokio::test]
async fn a_later_change_or_an_operators_change_voids_the_earlier_one() {
    let auth = Auth::start().await;
    let ana = changing(&auth).await;
    let first = (auth.mail_to(OLD).await.token_hash(), auth.mail_to(NEW).await.token_hash());
    auth.wait_a_minute();
    change(&auth, &ana, "third@demo.serasi.test").await;
    for link in [&first.0, &first.1] {
        refused(&auth.verify_link("email_change", link).await, 403, "otp_expired");
    }

    let body: Value = json!({ "email": "fourth@demo.serasi.test" });
    auth.operator().put_json(&format!("/admin/users/{}", ana.user_id), &body).await;
    for recipient in [OLD, "third@demo.serasi.test"] {
        let link = auth.mail_to(recipient).await.token_hash();
        refused(&auth.verify_link("email_change", &link).await, 403, "otp_expired");
    }
    assert_eq!(address(&auth).await.as_deref(), Some("fourth@demo.serasi.test"));
}
