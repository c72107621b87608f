use axum::http::{Request, header};
use chrono::TimeDelta;
use serde_json::{Value, json};
use test_support::person::{anon_key, keys, service_key};

use crate::support::{Auth, PASSWORD, claims, refused, says, session};

#[tokio::test]
async fn the_owner_sees_the_account() {
    let auth = Auth::start().await;
    let ana = auth.influencer("ana@demo.serasi.test").await;

    let answer = auth.user(&ana).await;

    let user = answer.json();
    assert_eq!((&user["id"], &user["email"]), (&json!(ana.user_id), &json!("ana@demo.serasi.test")));
    assert_eq!(user["identities"].as_array().unwrap().len(), 1);
    assert!(!answer.text().contains("argon2"));
}

#[tokio::test]
async fn each_token_error_is_reported() {
    let auth = Auth::start().await;
    let ana = auth.influencer("ana@demo.serasi.test").await;
    let with = |changes: Value| changed(&ana.access_token, &changes);
    let stranger = uuid::Uuid::new_v4();
    let none = "eyJhbGciOiJub25lIn0.eyJyb2xlIjoic2VydmljZV9yb2xlIn0.".to_owned();
    let mut tampered = ana.access_token.clone();
    tampered.replace_range(60..61, if &tampered[60..61] == "A" { "B" } else { "A" });
    for (token, status, code, message) in [
        (tampered, 403, "bad_jwt", "invalid JWT: unable to parse or verify signature"),
        (none, 403, "bad_jwt", "invalid JWT: unable to parse or verify signature"),
        ("garbage".to_owned(), 403, "bad_jwt", "invalid JWT: unable to parse or verify signature"),
        (anon_key(), 403, "bad_jwt", "invalid claim: missing sub claim"),
        (service_key(), 403, "bad_jwt", "invalid claim: missing sub claim"),
        (with(json!({ "sub": "me" })), 400, "bad_jwt", "invalid claim: sub claim must be a UUID"),
        (
            with(json!({ "sub": stranger })),
            403,
            "user_not_found",
            "User from sub claim in JWT does not exist",
        ),
        (
            with(json!({ "session_id": stranger })),
            403,
            "session_not_found",
            "Session from session_id claim in JWT does not exist",
        ),
        (
            with(json!({ "session_id": "x" })),
            403,
            "session_not_found",
            "Session from session_id claim in JWT does not exist",
        ),
    ] {
        let answer = auth.client.with_token(&token).get("/user").await;

        refused(&answer, status, code);
        assert!(answer.json()["msg"].as_str().unwrap().starts_with(message), "{}", answer.text());
    }
}

#[tokio::test]
async fn timestamps_are_checked_with_tolerance_and_the_audience_exactly() {
    let auth = Auth::start().await;
    let ana = auth.influencer("ana@demo.serasi.test").await;
    let now = auth.clock.now().timestamp();
    for bad in [
        json!({ "exp": now - 31 }),
        json!({ "nbf": now + 40 }),
        json!({ "iat": now + 40 }),
        json!({ "aud": "others" }),
        json!({ "aud": ["others"] }),
    ] {
        let answer = auth.client.with_token(changed(&ana.access_token, &bad)).get("/user").await;
        refused(&answer, 403, "bad_jwt");
        assert!(answer.json()["msg"].as_str().unwrap().starts_with("invalid JWT: "), "{}", answer.text());
    }
    for good in
        [json!({ "exp": now - 29 }), json!({ "nbf": now + 20 }), json!({ "aud": ["x", "authenticated"] })]
    {
        let token = changed(&ana.access_token, &good);
        assert_eq!(auth.client.with_token(token).get("/user").await.status, 200);
    }
}

/// A token with these claims changed, and our signature.
fn changed(token: &str, changes: &Value) -> String {
    let mut claims = claims(token);
    for (name, value) in changes.as_object().unwrap() {
        claims[name] = value.clone();
    }
    keys().sign(&claims).unwrap()
}

#[tokio::test]
async fn requests_without_a_bearer_token_are_refused() {
    let auth = Auth::start().await;
    let ana = auth.influencer("ana@demo.serasi.test").await;
    for value in ["", "Basic YTpi", "Bearer", "Bearer ", "Bearer a b", &ana.access_token] {
        let answer = auth.client.send(Request::get("/user").header(header::AUTHORIZATION, value), "").await;
        refused(&answer, 401, "no_authorization");
        says(&answer, "This endpoint requires a valid Bearer token");
    }
    let in_address = auth.client.get(&format!("/user?access_token={}", ana.access_token)).await;
    refused(&in_address, 401, "no_authorization");
    let lower_case = format!("bearer {}", ana.access_token);
    assert_eq!(
        auth.client.send(Request::get("/user").header(header::AUTHORIZATION, lower_case), "").await.status,
        200
    );
}

#[tokio::test]
async fn another_audience_may_be_requested() {
    let auth = Auth::start().await;
    let ana = auth.influencer("ana@demo.serasi.test").await;
    let asked = async |audience: &str| {
        auth.as_owner(&ana).send(Request::get("/user").header("x-jwt-aud", audience), "").await
    };
    assert_eq!(asked("authenticated").await.status, 200);
    refused(&asked("others").await, 400, "validation_failed");
}

#[tokio::test]
async fn metadata_is_merged_and_grants_no_rights() {
    let auth = Auth::start().await;
    let ana = auth.influencer("ana@demo.serasi.test").await;
    let data = json!({ "data": { "user_type": "admin", "role": "superadmin", "approved": true, "a": 1 } });
    assert_eq!(auth.as_owner(&ana).put_json("/user", &data).await.status, 200);

    let answer = auth.as_owner(&ana).put_json("/user", &json!({ "data": { "a": null, "b": 2 } })).await;

    let metadata = &answer.json()["user_metadata"];
    assert_eq!((&metadata["b"], metadata.get("a")), (&json!(2), None));
    assert_eq!(
        auth.text("select string_agg(role::text, ',') from app.user_roles").await.as_deref(),
        Some("influencer")
    );
    let next = session(&auth.refresh(&ana.refresh_token).await);
    assert_eq!(claims(&next.access_token)["role"], "authenticated");
}

#[tokio::test]
async fn owners_cannot_change_operator_fields() {
    let auth = Auth::start().await;
    let ana = auth.influencer("ana@demo.serasi.test").await;
    let before = auth.user(&ana).await.json();

    let app_metadata = json!({ "app_metadata": { "marketplace_role": "admin" } });
    refused(&auth.as_owner(&ana).put_json("/user", &app_metadata).await, 403, "not_admin");
    let rest = json!({ "role": "service_role", "aud": "x", "id": "y", "email_confirmed_at": null, "banned_until": null });
    assert_eq!(auth.as_owner(&ana).put_json("/user", &rest).await.status, 200);

    let mut after = auth.user(&ana).await.json();
    after["updated_at"] = before["updated_at"].clone();
    assert_eq!(before, after);
}

#[tokio::test]
async fn a_new_password_ends_all_other_sessions() {
    let auth = Auth::start().await;
    let ana = auth.influencer("ana@demo.serasi.test").await;
    let thief = session(&auth.sign_in("ana@demo.serasi.test", PASSWORD).await);
    let change =
        async |password: &str| auth.as_owner(&ana).put_json("/user", &json!({ "password": password })).await;

    refused(&change(PASSWORD).await, 422, "same_password");
    refused(&change("short").await, 422, "weak_password");
    refused(&change("").await, 422, "weak_password");
    assert_eq!(change("battery staple").await.status, 200);

    assert_eq!(auth.user(&ana).await.status, 200);
    refused(&auth.user(&thief).await, 403, "session_not_found");
    refused(&auth.refresh(&thief.refresh_token).await, 400, "refresh_token_not_found");
    refused(&auth.sign_in("ana@demo.serasi.test", PASSWORD).await, 400, "invalid_credentials");
    session(&auth.sign_in("ana@demo.serasi.test", "battery staple").await);
}

#[tokio::test]
async fn an_old_session_cannot_change_the_password_without_reauthentication() {
    let auth = Auth::start_with(&[("AUTH_ACCESS_TOKEN_SECONDS", "999999")]).await;
    let ana = auth.influencer("ana@demo.serasi.test").await;
    auth.clock.advance(TimeDelta::hours(25));
    let change = async |body: Value| auth.as_owner(&ana).put_json("/user", &body).await;

    refused(&change(json!({ "password": "battery staple" })).await, 400, "reauthentication_needed");
    refused(
        &change(json!({ "password": "battery staple", "nonce": "123456" })).await,
        422,
        "reauthentication_not_valid",
    );
    // The current password is not enough either, because somebody else may have seen it.
    let known = json!({ "password": "battery staple", "current_password": PASSWORD });
    refused(&change(known).await, 400, "reauthentication_needed");
}

#[tokio::test]
async fn the_current_password_is_ignored_unless_required() {
    let auth = Auth::start().await;
    let ana = auth.influencer("ana@demo.serasi.test").await;
    let body = json!({ "password": "battery staple", "current_password": "guess" });
    assert_eq!(auth.as_owner(&ana).put_json("/user", &body).await.status, 200);
}

#[tokio::test]
async fn a_new_address_waits_for_its_confirmation() {
    let auth = Auth::start().await;
    let ana = auth.influencer("ana@demo.serasi.test").await;
    auth.influencer("taken@demo.serasi.test").await;
    let change = async |email: &str| auth.as_owner(&ana).put_json("/user", &json!({ "email": email })).await;

    refused(&change("taken@demo.serasi.test").await, 422, "email_exists");
    refused(&change("nonsense").await, 400, "validation_failed");
    let answer = change("New@demo.serasi.test").await.json();

    assert_eq!(
        (&answer["email"], &answer["new_email"]),
        (&json!("ana@demo.serasi.test"), &json!("new@demo.serasi.test"))
    );
    assert!(answer["email_change_sent_at"].is_string());
    assert_eq!(change("ana@demo.serasi.test").await.status, 200);
    session(&auth.sign_in("ana@demo.serasi.test", PASSWORD).await);
}

#[tokio::test]
async fn a_ban_takes_effect_immediately() {
    let auth = Auth::start().await;
    let ana = auth.influencer("ana@demo.serasi.test").await;
    auth.operator()
        .put_json(&format!("/admin/users/{}", ana.user_id), &json!({ "ban_duration": "24h" }))
        .await;

    refused(&auth.user(&ana).await, 403, "user_banned");
    refused(&auth.sign_in("ana@demo.serasi.test", PASSWORD).await, 400, "user_banned");

    auth.clock.advance(TimeDelta::hours(24));
    session(&auth.sign_in("ana@demo.serasi.test", PASSWORD).await);
}
