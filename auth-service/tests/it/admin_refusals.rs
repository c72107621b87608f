//! Invalid operator requests, and the order in which they are checked.

use axum::http::Request;
use serde_json::{Value, json};
use test_support::client::Answer;
use uuid::Uuid;

use crate::support::{Auth, PASSWORD, refused, says, session};

async fn create(auth: &Auth, body: &Value) -> Answer {
    auth.operator().post_json("/admin/users", body).await
}

#[tokio::test]
async fn values_that_the_database_cannot_store_are_rejected() {
    let auth = Auth::start().await;
    let ana = auth.influencer("ana@demo.serasi.test").await;
    let argon2 = auth.text("select encrypted_password from auth.users").await.unwrap();
    let bcrypt = "$2b$04$abcdefghijklmnopqrstuuyaTp1a.0VI4ljv81NKv5yRQHrROVLpG";
    for (field, value) in [
        ("role", json!("a\0")),
        ("aud", json!("\0")),
        ("email", json!("a\0@b.co")),
        ("phone", json!("+60123456789\0")),
        ("user_metadata", json!({ "a\0": 1 })),
        ("user_metadata", json!({ "a": ["\0"] })),
        ("app_metadata", json!({ "a": { "\0": 1 } })),
        ("app_metadata", json!({ "marketplace_role": "\0" })),
        ("ban_duration", json!("1h\0")),
        ("password_hash", json!(format!("{argon2}\0"))),
        ("password_hash", json!(format!("{}\0", &bcrypt[..59]))),
    ] {
        let mut body = json!({ "email": "bo@demo.serasi.test" });
        body[field] = value.clone();
        refused(&create(&auth, &body).await, 400, "validation_failed");
        let change = json!({ field: value });
        let path = format!("/admin/users/{}", ana.user_id);
        refused(&auth.operator().put_json(&path, &change).await, 400, "validation_failed");
    }
    assert_eq!(auth.count("select count(*) from auth.users").await, 1);
    assert_eq!(auth.user(&ana).await.json()["role"], "authenticated");
}

#[tokio::test]
async fn a_filter_that_the_database_cannot_store_matches_nobody() {
    let auth = Auth::start().await;
    auth.influencer("ana@demo.serasi.test").await;

    let answer = auth.operator().get("/admin/users?filter=%00").await;

    assert_eq!((answer.status.as_u16(), answer.json()["users"].clone()), (200, json!([])));
    assert_eq!(answer.header("x-total-count"), Some("0"));
}

#[tokio::test]
async fn an_empty_password_is_weak_and_null_is_ignored() {
    let auth = Auth::start().await;
    let ana = auth.influencer("ana@demo.serasi.test").await;
    let path = format!("/admin/users/{}", ana.user_id);

    let refusal = auth.operator().put_json(&path, &json!({ "password": "" })).await;

    refused(&refusal, 422, "weak_password");
    assert_eq!(refusal.json()["weak_password"]["reasons"], json!(["length"]));
    assert_eq!(auth.operator().put_json(&path, &json!({ "password": null })).await.status, 200);
    assert_eq!(auth.user(&ana).await.status, 200);
    session(&auth.sign_in("ana@demo.serasi.test", PASSWORD).await);
}

#[tokio::test]
async fn the_account_is_looked_up_before_the_body_is_checked() {
    let auth = Auth::start().await;
    let ana = auth.influencer("ana@demo.serasi.test").await;
    let unknown = Uuid::new_v4().to_string();
    for (id, code, message) in [
        ("me", "validation_failed", "user_id must be an UUID"),
        ("%ff", "validation_failed", "user_id must be an UUID"),
        (&unknown, "user_not_found", "User not found"),
    ] {
        let path = format!("/admin/users/{id}");
        for body in ["", "{", "[]", r#"{"password":"short"}"#, r#"{"role":"\u0000"}"#] {
            for request in [Request::put(&path), Request::delete(&path)] {
                let answer = auth.operator().send(request, body).await;
                refused(&answer, 404, code);
                says(&answer, message);
            }
        }
        let answer = auth.as_owner(&ana).send(Request::put(&path), "{").await;
        refused(&answer, 403, "not_admin");
    }
    let path = format!("/admin/users/{}", ana.user_id);
    refused(&auth.operator().send(Request::put(&path), "{").await, 400, "bad_json");
    refused(&auth.operator().send(Request::delete(&path), "{").await, 400, "bad_json");
}

#[tokio::test]
async fn factors_require_an_existing_account() {
    let auth = Auth::start().await;
    let ana = auth.influencer("ana@demo.serasi.test").await;
    let factors = |id: &str| format!("/admin/users/{id}/factors");
    for (id, code, message) in [
        ("me", "validation_failed", "user_id must be an UUID"),
        (Uuid::new_v4().to_string().as_str(), "user_not_found", "User not found"),
    ] {
        let factor = format!("{}/x", factors(id));
        for answer in [
            auth.operator().get(&factors(id)).await,
            auth.operator().send(Request::delete(&factor), "").await,
            auth.operator().put_json(&factor, &json!({})).await,
        ] {
            refused(&answer, 404, code);
            says(&answer, message);
        }
        refused(&auth.as_owner(&ana).get(&factors(id)).await, 403, "not_admin");
    }
    assert_eq!(auth.operator().get(&factors(&ana.user_id)).await.json(), json!([]));
    let factor = format!("{}/{}", factors(&ana.user_id), Uuid::new_v4());
    refused(&auth.operator().send(Request::delete(&factor), "").await, 404, "mfa_factor_not_found");
}

#[tokio::test]
async fn an_empty_id_is_generated() {
    let auth = Auth::start().await;
    let made = create(&auth, &json!({ "id": "", "email": "a@demo.serasi.test" })).await;
    assert_eq!(made.status, 200, "{}", made.text());
    assert!(Uuid::parse_str(made.json()["id"].as_str().unwrap()).is_ok());
}

#[tokio::test]
async fn only_known_sort_orders_are_accepted_in_any_letter_case() {
    let auth = Auth::start().await;
    for name in ["a", "b"] {
        auth.influencer(&format!("{name}@demo.serasi.test")).await;
        auth.clock.advance(chrono::TimeDelta::seconds(1));
    }
    let sorted = async |by: &str| auth.operator().get(&format!("/admin/users?sort={by}")).await;
    for (by, first) in [
        ("", "b"),
        ("created_at", "b"),
        ("created_at%20desc", "b"),
        ("Created_At%20DESC", "b"),
        ("created_at%20ASC", "a"),
        ("CREATED_AT+Asc", "a"),
    ] {
        let answer = sorted(by).await;
        assert_eq!(answer.json()["users"][0]["email"], format!("{first}@demo.serasi.test"), "{by}");
    }
    for by in ["email", "email%20asc", "created_at%20up", "created_at%20asc%20x", "%00", "created_at,id"] {
        let answer = sorted(by).await;
        refused(&answer, 400, "validation_failed");
        assert!(answer.json()["msg"].as_str().unwrap().starts_with("Bad Sort Parameters: "), "{by}");
    }
}

#[tokio::test]
async fn the_operator_decides_whether_an_email_is_confirmed() {
    let auth = Auth::start().await;
    let made = create(&auth, &json!({ "email": "a@demo.serasi.test", "email_confirm": true })).await.json();
    let path = format!("/admin/users/{}", made["id"].as_str().unwrap());
    let change = async |body: Value| {
        let user = auth.operator().put_json(&path, &body).await.json();
        user["identities"][0]["identity_data"]["email_verified"].clone()
    };

    assert_eq!(change(json!({ "email": "b@demo.serasi.test", "email_confirm": true })).await, true);
    assert_eq!(change(json!({ "email": "B@demo.serasi.test" })).await, true, "the same address");
    assert_eq!(change(json!({ "email": "c@demo.serasi.test" })).await, false);
    assert_eq!(change(json!({ "email_confirm": true, "email": "c@demo.serasi.test" })).await, true);
    assert_eq!(change(json!({ "email": "d@demo.serasi.test", "email_confirm": false })).await, false);
}
