//! Phone numbers: operators can store one with an account, but nobody signs in with one.

use axum::http::Request;
use futures::future::join_all;
use serde_json::{Value, json};
use test_support::client::Answer;

use crate::support::{Auth, PASSWORD, refused, says, session};

const ANA: &str = "ana@demo.serasi.test";

async fn create(auth: &Auth, body: Value) -> Answer {
    auth.operator().post_json("/admin/users", &body).await
}

async fn made(auth: &Auth, body: Value) -> Value {
    let answer = create(auth, body).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()
}

async fn change(auth: &Auth, user: &Value, body: Value) -> Answer {
    auth.operator().put_json(&format!("/admin/users/{}", user["id"].as_str().unwrap()), &body).await
}

/// The data of the identity of this provider, which must exist.
fn identity<'a>(user: &'a Value, provider: &str) -> &'a Value {
    let mut identities = user["identities"].as_array().unwrap().iter();
    let found = identities.find(|identity| identity["provider"] == provider).unwrap();
    assert_eq!((&found["id"], &found["user_id"]), (&user["id"], &user["id"]));
    &found["identity_data"]
}

#[tokio::test]
async fn an_account_may_have_a_phone_number_and_no_email() {
    let auth = Auth::start().await;

    let user = made(&auth, json!({ "phone": "+60 12 345 6789", "password": PASSWORD })).await;

    assert_eq!((&user["phone"], &user["email"]), (&json!("60123456789"), &json!("")));
    assert_eq!(user["app_metadata"], json!({ "provider": "phone", "providers": ["phone"] }));
    assert_eq!((user.get("phone_confirmed_at"), user.get("confirmed_at")), (None, None));
    assert_eq!(user["identities"].as_array().unwrap().len(), 1);
    let known = json!({ "sub": user["id"], "phone": "60123456789", "email_verified": false, "phone_verified": false });
    assert_eq!(identity(&user, "phone"), &known);
    let shown = auth.operator().get(&format!("/admin/users/{}", user["id"].as_str().unwrap())).await;
    assert_eq!(shown.json(), user);
    assert_eq!(auth.count("select count(*) from app.profiles where email is null").await, 1);
    let by_phone = json!({ "phone": "60123456789", "password": PASSWORD });
    let sign_in = auth.client.post_json("/token?grant_type=password", &by_phone).await;
    refused(&sign_in, 400, "phone_provider_disabled");
}

#[tokio::test]
async fn a_confirmed_phone_confirms_the_account_but_not_the_email() {
    let auth = Auth::start().await;

    let user = made(
        &auth,
        json!({ "phone": "60123456789", "phone_confirm": true, "email_confirm": true, "app_metadata": { "marketplace_role": "admin" } }),
    )
    .await;

    assert!(user["phone_confirmed_at"].is_string());
    assert_eq!((&user["confirmed_at"], user.get("email_confirmed_at")), (&user["phone_confirmed_at"], None));
    assert_eq!(
        (&user["user_metadata"], &identity(&user, "phone")["phone_verified"]),
        (&json!({}), &json!(true))
    );
    assert_eq!(auth.text("select role from app.user_roles").await.as_deref(), Some("admin"));
}

#[tokio::test]
async fn an_email_and_a_phone_number_are_two_identities() {
    let auth = Auth::start().await;
    let body = json!({ "email": ANA, "phone": "60123456789", "password": PASSWORD, "email_confirm": true });

    let user = made(&auth, body).await;

    assert_eq!((&user["email"], &user["phone"]), (&json!(ANA), &json!("60123456789")));
    assert_eq!(user["app_metadata"], json!({ "provider": "email", "providers": ["email", "phone"] }));
    assert_eq!((&user["confirmed_at"], user.get("phone_confirmed_at")), (&user["email_confirmed_at"], None));
    assert_eq!(identity(&user, "email")["email"], ANA);
    assert_eq!(identity(&user, "phone")["phone_verified"], false);
    auth.clock.advance(chrono::TimeDelta::seconds(1));
    let later = change(&auth, &user, json!({ "phone_confirm": true })).await.json();
    assert!(later["phone_confirmed_at"].as_str() > later["email_confirmed_at"].as_str());
    assert_eq!(later["confirmed_at"], user["confirmed_at"], "the earlier timestamp stays");
    let ana = auth.as_owner(&session(&auth.sign_in(ANA, PASSWORD).await));
    assert_eq!(ana.get("/user").await.json()["phone"], "60123456789");
}

#[tokio::test]
async fn a_phone_number_is_added_changed_and_left_unchanged() {
    let auth = Auth::start().await;
    let user = made(&auth, json!({ "email": ANA, "app_metadata": { "plan": "pro" } })).await;

    let added = change(&auth, &user, json!({ "phone": "+60123456789" })).await.json();
    let changed = change(&auth, &user, json!({ "phone": "60198765432", "phone_confirm": true })).await.json();
    let left = change(&auth, &user, json!({ "phone": "", "phone_confirm": false })).await.json();
    let unproved = change(&auth, &user, json!({ "phone": "60111111111" })).await.json();

    let providers = json!({ "provider": "email", "providers": ["email", "phone"], "plan": "pro" });
    assert_eq!((&added["phone"], &added["app_metadata"]), (&json!("60123456789"), &providers));
    assert_eq!(
        (added.get("phone_confirmed_at"), &identity(&added, "phone")["phone_verified"]),
        (None, &json!(false))
    );
    assert_eq!((&changed["phone"], &changed["app_metadata"]), (&json!("60198765432"), &providers));
    assert_eq!(changed["identities"].as_array().unwrap().len(), 2);
    assert!(changed["phone_confirmed_at"].is_string());
    assert_eq!(identity(&changed, "phone")["phone"], "60198765432");
    assert_eq!(identity(&changed, "phone")["phone_verified"], true);
    assert_eq!((&left["phone"], identity(&left, "phone")), (&changed["phone"], identity(&changed, "phone")));
    assert_eq!(identity(&unproved, "phone")["phone_verified"], false);
}

#[tokio::test]
async fn an_account_with_a_phone_number_can_get_an_email_later() {
    let auth = Auth::start().await;
    let user = made(&auth, json!({ "phone": "60123456789", "password": PASSWORD })).await;
    let marked = change(&auth, &user, json!({ "email_confirm": true })).await.json();
    assert_eq!(
        (marked.get("email_confirmed_at"), &marked["user_metadata"]),
        (None, &json!({})),
        "there is none to confirm"
    );

    let named = change(&auth, &user, json!({ "email": ANA, "email_confirm": true })).await.json();

    assert_eq!(named["app_metadata"], json!({ "provider": "phone", "providers": ["phone", "email"] }));
    let known = json!({ "sub": user["id"], "email": ANA, "email_verified": true, "phone_verified": false });
    assert_eq!(identity(&named, "email"), &known);
    assert_eq!(auth.text("select email from app.profiles").await.as_deref(), Some(ANA));
    session(&auth.sign_in(ANA, PASSWORD).await);
}

#[tokio::test]
async fn a_phone_number_belongs_to_one_account() {
    let auth = Auth::start().await;
    made(&auth, json!({ "phone": "60123456789" })).await;
    let bo = made(&auth, json!({ "email": "bo@demo.serasi.test" })).await;
    for answer in [
        create(&auth, json!({ "email": ANA, "phone": "+60 123456789" })).await,
        change(&auth, &bo, json!({ "phone": "+60123456789" })).await,
    ] {
        refused(&answer, 422, "phone_exists");
        says(&answer, "Phone number already registered by another user");
    }
    for malformed in [
        create(&auth, json!({ "email": ANA, "phone": "nonsense" })).await,
        change(&auth, &bo, json!({ "phone": "+0123" })).await,
    ] {
        refused(&malformed, 400, "validation_failed");
        says(&malformed, "Invalid phone number format (E.164 required)");
    }
    for neither in [json!({ "phone_confirm": true }), json!({ "email": "", "phone": "" })] {
        let refusal = create(&auth, neither).await;
        refused(&refusal, 400, "validation_failed");
        says(&refusal, "Cannot create a user without either an email or phone");
    }
    assert_eq!(auth.count("select count(*) from auth.users").await, 2);
    assert_eq!(auth.count("select count(*) from auth.identities").await, 2);
}

#[tokio::test]
async fn concurrent_creates_give_the_phone_number_to_one_account() {
    let auth = Auth::start().await;
    let answers = join_all((0..6).map(|_| create(&auth, json!({ "phone": "60123456789" })))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
    let others = answers.iter().filter(|answer| answer.status != 200);
    others.for_each(|answer| refused(answer, 422, "phone_exists"));
}

#[tokio::test]
async fn a_soft_delete_frees_the_phone_number() {
    let auth = Auth::start().await;
    let user = made(&auth, json!({ "phone": "60123456789" })).await;
    let path = format!("/admin/users/{}", user["id"].as_str().unwrap());
    let softly = r#"{"should_soft_delete":true}"#;
    assert_eq!(auth.operator().send(Request::delete(&path), softly).await.status, 200);
    assert_eq!(auth.operator().get(&path).await.json()["phone"], "");
    made(&auth, json!({ "phone": "60123456789" })).await;
}
