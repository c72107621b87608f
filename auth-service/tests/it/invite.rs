//! `POST /invite`

use serde_json::{Value, json};

use crate::support::{Auth, refused, says, session};

const BO: &str = "bo@demo.serasi.test";

#[tokio::test]
async fn an_invited_user_confirms_and_chooses_a_password() {
    let auth = Auth::start().await;
    let invite = async |body: Value| {
        auth.operator().post_json("/invite?redirect_to=https://serasi.test/hello", &body).await
    };

    let answer = invite(json!({ "email": "BO@demo.serasi.test", "data": { "user_type": "vendor" } })).await;

    assert_eq!(answer.status, 200, "{}", answer.text());
    let user = answer.json();
    assert!(user["invited_at"].is_string() && user["confirmation_sent_at"].is_string());
    assert_eq!((&user["email"], user.get("email_confirmed_at")), (&json!(BO), None));
    assert_eq!(user["user_metadata"], json!({ "user_type": "vendor" }));
    let mail = auth.last_mail().await;
    assert_eq!((mail.template.as_str(), mail.parameter("type").as_deref()), ("invite", Some("invite")));
    assert_eq!(mail.parameter("redirect_to").as_deref(), Some("https://serasi.test/hello"));
    let bo = session(&auth.verify_link("invite", &mail.token_hash()).await);
    let change = auth.as_owner(&bo).put_json("/user", &json!({ "password": "battery staple" })).await;
    assert_eq!(change.status, 200, "{}", change.text());
    session(&auth.sign_in(BO, "battery staple").await);

    let confirmed = invite(json!({ "email": BO })).await;
    refused(&confirmed, 422, "email_exists");
    says(&confirmed, "A user with this email address has already been registered");
}

#[tokio::test]
async fn an_invitation_can_be_repeated_immediately() {
    let auth = Auth::start().await;
    let first = auth.operator().post_json("/invite", &json!({ "email": BO })).await.json();
    let link = auth.last_mail().await.token_hash();

    let again =
        auth.operator().post_json("/invite", &json!({ "email": BO, "data": { "a": 1 } })).await.json();

    assert_eq!((&again["id"], &again["user_metadata"]), (&first["id"], &json!({})));
    refused(&auth.verify_link("invite", &link).await, 403, "otp_expired");
    session(&auth.verify_code("invite", BO, auth.last_mail().await.code()).await);
}

#[tokio::test]
async fn only_operators_can_invite_and_only_valid_addresses() {
    let auth = Auth::start().await;
    let ana = auth.influencer("ana@demo.serasi.test").await;
    let body = json!({ "email": BO });
    refused(&auth.client.post_json("/invite", &body).await, 401, "no_authorization");
    refused(&auth.as_owner(&ana).post_json("/invite", &body).await, 403, "not_admin");
    for (body, status, code) in [
        (json!({}), 400, "validation_failed"),
        (json!({ "email": "nonsense" }), 400, "validation_failed"),
        (json!({ "email": BO, "data": [] }), 400, "bad_json"),
        (json!({ "email": BO, "data": { "user_type": "admin" } }), 422, "validation_failed"),
    ] {
        refused(&auth.operator().post_json("/invite", &body).await, status, code);
    }
    assert_eq!(auth.mails().await.len(), 0);
    assert_eq!(auth.count("select count(*) from auth.users").await, 1);
}

/// Knowing the address must not be enough to see what operators stored about its owner.
#[tokio::test]
async fn signing_up_at_an_invited_address_does_not_show_the_invitation() {
    let auth = Auth::start().await;
    let invited = json!({ "email": "ana@demo.serasi.test", "data": { "note": "pays late" } });
    let id = auth.operator().post_json("/invite", &invited).await.json()["id"].clone();
    auth.wait_a_minute();

    let answer = auth.sign_up("ana@demo.serasi.test", json!({ "mine": 1 })).await;

    let user = answer.json();
    assert_eq!((answer.status.as_u16(), &user["user_metadata"]), (200, &json!({ "mine": 1 })), "{}", answer.text());
    assert_ne!(user["id"], id, "as a new account");
    let kept = auth.operator().get(&format!("/admin/users/{}", id.as_str().unwrap())).await.json();
    assert_eq!(
        (&kept["user_metadata"]["note"], kept["identities"].as_array().unwrap().len()),
        (&json!("pays late"), 1)
    );
}
