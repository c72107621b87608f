//! Telephone numbers: noted by operators, and no way to sign in.

use platform::testing::client::Answer;
use serde_json::{Value, json};

use crate::support::{Auth, PASSWORD, refused, says};

async fn create(auth: &Auth, body: Value) -> Answer {
    auth.operator().post_json("/admin/users", &body).await
}

async fn change(auth: &Auth, user: &Value, body: Value) -> Answer {
    auth.operator().put_json(&format!("/admin/users/{}", user["id"].as_str().unwrap()), &body).await
}

fn identity<'a>(user: &'a Value, provider: &str) -> &'a Value {
    let mut identities = user["identities"].as_array().unwrap().iter();
    &identities.find(|identity| identity["provider"] == provider).unwrap()["identity_data"]
}

#[tokio::test]
async fn an_account_may_have_a_number_and_nothing_else() {
    let auth = Auth::start().await;

    let answer =
        create(&auth, json!({ "phone": "+60 123456789", "password": PASSWORD, "phone_confirm": true })).await;

    let user = answer.json();
    assert_eq!(
        (answer.status.as_u16(), &user["phone"], &user["email"]),
        (200, &json!("60123456789"), &json!("")),
        "{}",
        answer.text()
    );
    assert_eq!(user["app_metadata"], json!({ "provider": "phone", "providers": ["phone"] }));
    assert_eq!(user["user_metadata"], json!({}));
    assert!(user["phone_confirmed_at"].is_string());
    assert_eq!((&user["confirmed_at"], user.get("email_confirmed_at")), (&user["phone_confirmed_at"], None));
    let known =
        json!({ "sub": user["id"], "phone": "60123456789", "phone_verified": true, "email_verified": false });
    assert_eq!(identity(&user, "phone"), &known);
    let sign_in = json!({ "phone": "60123456789", "password": PASSWORD });
    let refusal = auth.client.post_json("/token?grant_type=password", &sign_in).await;
    refused(&refusal, 400, "phone_provider_disabled");
}

#[tokio::test]
async fn an_address_and_a_number_are_two_identities() {
    let auth = Auth::start().await;
    let both = json!({ "email": "ana@demo.serasi.test", "phone": "60123456789", "email_confirm": true });
    let user = create(&auth, both).await.json();

    assert_eq!(user["app_metadata"], json!({ "provider": "email", "providers": ["email", "phone"] }));
    assert_eq!((user["identities"].as_array().unwrap().len(), user.get("phone_confirmed_at")), (2, None));
    assert_eq!(identity(&user, "email")["email"], "ana@demo.serasi.test");
    assert_eq!(identity(&user, "phone")["phone_verified"], false);
}

#[tokio::test]
async fn a_number_can_be_added_changed_and_confirmed() {
    let auth = Auth::start().await;
    let user = create(&auth, json!({ "email": "ana@demo.serasi.test" })).await.json();

    let added = change(&auth, &user, json!({ "phone": "+60123456789" })).await.json();
    assert_eq!((&added["phone"], added.get("phone_confirmed_at")), (&json!("60123456789"), None));
    assert_eq!(added["app_metadata"], json!({ "provider": "email", "providers": ["email", "phone"] }));
    let confirmed =
        change(&auth, &user, json!({ "phone": "60198765432", "phone_confirm": true })).await.json();
    assert_eq!(identity(&confirmed, "phone")["phone"], "60198765432");
    assert_eq!(identity(&confirmed, "phone")["phone_verified"], true);
    assert!(confirmed["phone_confirmed_at"].is_string());
    assert_eq!(confirmed["identities"].as_array().unwrap().len(), 2);
    let left = change(&auth, &user, json!({ "phone": "" })).await.json();
    assert_eq!(left["phone"], "60198765432");
}

#[tokio::test]
async fn an_address_comes_to_a_number() {
    let auth = Auth::start().await;
    let user = create(&auth, json!({ "phone": "60123456789", "password": PASSWORD })).await.json();
    let body = json!({ "email": "ana@demo.serasi.test", "email_confirm": true });
    let named = change(&auth, &user, body).await.json();
    assert_eq!(named["app_metadata"], json!({ "provider": "phone", "providers": ["phone", "email"] }));
    assert_eq!(identity(&named, "email")["email_verified"], true);
    assert_eq!(auth.sign_in("ana@demo.serasi.test", PASSWORD).await.status, 200);
    let copied = auth.text("select email from app.profiles").await;
    assert_eq!(copied.as_deref(), Some("ana@demo.serasi.test"));
}

#[tokio::test]
async fn a_number_belongs_to_one_account() {
    let auth = Auth::start().await;
    create(&auth, json!({ "phone": "60123456789" })).await;
    let other = create(&auth, json!({ "email": "bo@demo.serasi.test" })).await.json();
    for answer in [
        create(&auth, json!({ "email": "ana@demo.serasi.test", "phone": "+60 123456789" })).await,
        change(&auth, &other, json!({ "phone": "60123456789" })).await,
    ] {
        refused(&answer, 422, "phone_exists");
        says(&answer, "A user with this phone number has already been registered");
    }
    let malformed = change(&auth, &other, json!({ "phone": "012" })).await;
    refused(&malformed, 400, "validation_failed");
    says(&malformed, "Invalid phone number format (E.164 required)");
    assert_eq!(auth.count("select count(*) from auth.users").await, 2);
}

#[tokio::test]
async fn a_soft_delete_sets_the_number_free() {
    let auth = Auth::start().await;
    let user = create(&auth, json!({ "phone": "60123456789" })).await.json();
    let request = axum::http::Request::delete(format!("/admin/users/{}", user["id"].as_str().unwrap()));
    assert_eq!(auth.operator().send(request, r#"{"should_soft_delete":true}"#).await.status, 200);
    assert_eq!(create(&auth, json!({ "phone": "60123456789" })).await.status, 200);
}
