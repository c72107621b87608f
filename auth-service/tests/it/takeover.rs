//! Account pre-hijacking: a stranger signs up with someone else's address. Once the owner proves the
//! address, the stranger has no access.

use serde_json::json;

use crate::support::{Auth, PASSWORD, refused, session};

const OWNER: &str = "owner@demo.serasi.test";
const OTHER: &str = "another one";

/// The stranger's sign-up, with [`PASSWORD`].
async fn stranger(auth: &Auth, user_type: &str) {
    assert_eq!(auth.sign_up(OWNER, json!({ "user_type": user_type })).await.status, 200);
}

async fn sign_up_again(auth: &Auth, password: &str) -> u16 {
    let body = json!({ "email": OWNER, "password": password, "data": { "user_type": "vendor" } });
    auth.client.post_json("/signup", &body).await.status.as_u16()
}

#[tokio::test]
async fn proving_an_unconfirmed_address_by_another_mail_voids_the_password() {
    for path in ["/recover", "/otp", "/magiclink"] {
        let auth = Auth::start().await;
        stranger(&auth, "vendor").await;
        assert_eq!(auth.client.post_json(path, &json!({ "email": OWNER })).await.status, 200);
        let mail = auth.last_mail().await;
        let purpose = mail.parameter("type").unwrap();

        let owner = session(&auth.verify_link(&purpose, &mail.token_hash()).await);

        refused(&auth.sign_in(OWNER, PASSWORD).await, 400, "invalid_credentials");
        let change = json!({ "password": OTHER });
        assert_eq!(auth.as_owner(&owner).put_json("/user", &change).await.status, 200, "{path}");
        session(&auth.sign_in(OWNER, OTHER).await);
        // Only the first proof voids the password. From now on the password is the owner's.
        auth.wait_a_minute();
        assert_eq!(auth.client.post_json("/otp", &json!({ "email": OWNER })).await.status, 200);
        session(&auth.verify_code("email", OWNER, auth.last_mail().await.code()).await);
        session(&auth.sign_in(OWNER, OTHER).await);
    }
}

#[tokio::test]
async fn sessions_from_before_the_proof_end() {
    for path in ["/recover", "/otp"] {
        let auth = Auth::start().await;
        let stranger = auth.influencer(OWNER).await;
        let change = json!({ "email": "stranger@demo.serasi.test" });
        assert_eq!(auth.as_owner(&stranger).put_json("/user", &change).await.status, 200);
        let change = auth.mail_to("stranger@demo.serasi.test").await;
        auth.client.post_json(path, &json!({ "email": OWNER })).await;
        let mail = auth.mails().await.into_iter().find(|mail| mail.template != "email_change").unwrap();

        let owner = session(&auth.verify_link(&mail.parameter("type").unwrap(), &mail.token_hash()).await);

        refused(&auth.user(&stranger).await, 403, "session_not_found");
        refused(&auth.refresh(&stranger.refresh_token).await, 400, "refresh_token_not_found");
        refused(&auth.sign_in(OWNER, PASSWORD).await, 400, "invalid_credentials");
        refused(&auth.verify_link("email_change", &change.token_hash()).await, 403, "otp_expired");
        let answer = auth.user(&owner).await.json();
        assert_eq!(answer.get("new_email"), None, "{path}");
        assert_eq!(answer["identities"][0]["identity_data"]["email_verified"], true, "{path}");
    }
}

#[tokio::test]
async fn the_mail_of_the_same_sign_up_keeps_the_password() {
    let auth = Auth::start().await;
    stranger(&auth, "vendor").await;
    auth.wait_a_minute();
    // The user signs up again because the mail seems lost.
    assert_eq!(sign_up_again(&auth, PASSWORD).await, 200);
    session(&auth.verify_link("signup", &auth.last_mail().await.token_hash()).await);
    session(&auth.sign_in(OWNER, PASSWORD).await);
}

#[tokio::test]
async fn two_sign_ups_with_different_passwords_void_both_passwords() {
    // At first the interval forbids a second mail; after a minute a second mail goes out.
    for (wait, status) in [(0, 429), (60, 200)] {
        let auth = Auth::start().await;
        stranger(&auth, "vendor").await;
        auth.clock.advance(chrono::TimeDelta::seconds(wait));
        assert_eq!(sign_up_again(&auth, OTHER).await, status);

        let owner = session(&auth.verify_link("signup", &auth.last_mail().await.token_hash()).await);

        for password in [PASSWORD, OTHER] {
            refused(&auth.sign_in(OWNER, password).await, 400, "invalid_credentials");
        }
        let change = json!({ "password": OTHER });
        assert_eq!(auth.as_owner(&owner).put_json("/user", &change).await.status, 200);
        session(&auth.sign_in(OWNER, OTHER).await);
    }
}

#[tokio::test]
async fn an_invitation_voids_a_strangers_password() {
    for path in ["/invite", "/admin/generate_link"] {
        let auth = Auth::start().await;
        stranger(&auth, "vendor").await;
        let answer = auth.operator().post_json(path, &json!({ "type": "invite", "email": OWNER })).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let link = match answer.json()["hashed_token"].as_str() {
            Some(token) => token.to_owned(),
            None => {
                auth.mails().await.into_iter().find(|mail| mail.template == "invite").unwrap().token_hash()
            }
        };

        session(&auth.verify_link("invite", &link).await);

        refused(&auth.sign_in(OWNER, PASSWORD).await, 400, "invalid_credentials");
    }
}

#[tokio::test]
async fn a_password_that_an_operator_vouched_for_stays() {
    let auth = Auth::start().await;
    for (email, change) in [
        ("one@demo.serasi.test", json!({ "email_confirm": true })),
        ("two@demo.serasi.test", json!({ "password": PASSWORD })),
    ] {
        let signed_up = auth.influencer(email).await;
        let path = format!("/admin/users/{}", signed_up.user_id);
        assert_eq!(auth.operator().put_json(&path, &change).await.status, 200);
        assert_eq!(auth.client.post_json("/otp", &json!({ "email": email })).await.status, 200);
        session(&auth.verify_code("email", email, auth.mail_to(email).await.code()).await);
        session(&auth.sign_in(email, PASSWORD).await);
    }
    let made = json!({ "email": OWNER, "password": PASSWORD, "email_confirm": true });
    assert_eq!(auth.operator().post_json("/admin/users", &made).await.status, 200);
    auth.recover(OWNER).await;
    session(&auth.verify_code("recovery", OWNER, auth.mail_to(OWNER).await.code()).await);
    session(&auth.sign_in(OWNER, PASSWORD).await);
}
