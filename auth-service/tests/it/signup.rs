use axum::http::StatusCode;
use futures::future::join_all;
use serde_json::{Value, json};

use crate::support::{Auth, PASSWORD, claims, refused, says, session};

#[tokio::test]
async fn an_influencer_is_signed_in_immediately() {
    let auth = Auth::start().await;

    let answer =
        auth.sign_up("Ana@Demo.Serasi.Test", json!({ "user_type": "influencer", "full_name": "Ana" })).await;

    let signed_up = session(&answer);
    let body = answer.json();
    assert_eq!((&body["token_type"], &body["expires_in"]), (&json!("bearer"), &json!(3600)));
    assert_eq!(body["expires_at"], auth.clock.now().timestamp() + 3600);
    let user = &body["user"];
    assert_eq!(user["email"], "ana@demo.serasi.test");
    assert_eq!(
        user["user_metadata"],
        json!({ "user_type": "influencer", "full_name": "Ana", "email_verified": true })
    );
    assert_eq!(user["app_metadata"], json!({ "provider": "email", "providers": ["email"] }));
    assert_eq!((&user["phone"], &user["is_anonymous"]), (&json!(""), &json!(false)));
    assert_eq!(user["confirmed_at"], user["email_confirmed_at"]);
    let identity = &user["identities"][0];
    assert_eq!((&identity["provider"], &identity["id"]), (&json!("email"), &json!(signed_up.user_id)));
    assert_eq!(identity["identity_data"]["full_name"], "Ana");
    assert_eq!(identity["identity_data"]["email_verified"], false);
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    assert_eq!(auth.text("select role::text from app.user_roles").await.as_deref(), Some("influencer"));
    assert_eq!(auth.text("select email from app.profiles").await.as_deref(), Some("ana@demo.serasi.test"));
}

#[tokio::test]
async fn the_access_token_contains_the_claims_that_services_need() {
    let auth = Auth::start().await;
    let session = auth.influencer("ana@demo.serasi.test").await;

    let claims = claims(&session.access_token);

    let now = auth.clock.now().timestamp();
    let expected = [
        ("iss", json!("https://serasi.test/auth/v1")),
        ("sub", json!(session.user_id)),
        ("aud", json!("authenticated")),
        ("role", json!("authenticated")),
        ("email", json!("ana@demo.serasi.test")),
        ("phone", json!("")),
        ("aal", json!("aal1")),
        ("amr", json!([{ "method": "password", "timestamp": now }])),
        ("iat", json!(now)),
        ("exp", json!(now + 3600)),
        ("is_anonymous", json!(false)),
        ("user_metadata", json!({ "user_type": "influencer", "email_verified": true })),
    ];
    for (name, value) in expected {
        assert_eq!(claims[name], value, "{name}");
    }
    assert_eq!(
        auth.text("select id::text from auth.sessions").await.as_deref(),
        claims["session_id"].as_str()
    );
}

#[tokio::test]
async fn a_vendor_confirms_the_address_first() {
    let auth = Auth::start().await;

    let answer = auth.sign_up("vera@demo.serasi.test", json!({ "user_type": "vendor" })).await;

    assert_eq!(answer.status, StatusCode::OK);
    let user = answer.json();
    assert_eq!(user["email"], "vera@demo.serasi.test");
    assert!(user["confirmation_sent_at"].is_string() && user["identities"].as_array().unwrap().len() == 1);
    for absent in ["access_token", "user", "email_confirmed_at", "confirmed_at", "last_sign_in_at"] {
        assert_eq!(user[absent], Value::Null, "{absent}");
    }
    assert_eq!(user["user_metadata"], json!({ "user_type": "vendor" }));
    assert_eq!(auth.count("select count(*) from auth.sessions").await, 0);
    refused(&auth.sign_in("vera@demo.serasi.test", PASSWORD).await, 400, "email_not_confirmed");
    refused(&auth.sign_in("vera@demo.serasi.test", "wrong horse").await, 400, "invalid_credentials");
}

#[tokio::test]
async fn the_setting_decides_who_must_confirm() {
    let auth = Auth::start_with(&[("AUTH_CONFIRM_EMAIL", "influencer")]).await;

    let influencer = auth.sign_up("ana@demo.serasi.test", json!({ "user_type": "influencer" })).await;
    let vendor = auth.sign_up("vera@demo.serasi.test", json!({ "user_type": "vendor" })).await;

    assert_eq!(influencer.json()["access_token"], Value::Null);
    session(&vendor);
}

#[tokio::test]
async fn a_sign_up_without_a_user_type_gets_no_role() {
    let auth = Auth::start().await;

    session(
        &auth
            .client
            .post_json("/signup", &json!({ "email": "x@demo.serasi.test", "password": PASSWORD }))
            .await,
    );

    assert_eq!(auth.count("select count(*) from auth.users").await, 1);
    assert_eq!(auth.count("select count(*) from app.user_roles").await, 0);
}

#[tokio::test]
async fn an_unknown_user_type_is_rejected() {
    let auth = Auth::start().await;

    for user_type in
        [json!("admin"), json!("superadmin"), json!("Influencer"), json!(""), json!(7), json!(["vendor"])]
    {
        let answer = auth.sign_up("eve@demo.serasi.test", json!({ "user_type": user_type })).await;

        refused(&answer, 422, "validation_failed");
        says(&answer, "user_type must be influencer, agency or vendor");
    }
    assert_eq!(auth.count("select count(*) from auth.users").await, 0);
}

#[tokio::test]
async fn an_unknown_user_type_is_rejected_for_a_known_address_too() {
    let auth = Auth::start().await;
    auth.sign_up("vera@demo.serasi.test", json!({ "user_type": "vendor" })).await;

    let body = json!({ "email": "vera@demo.serasi.test", "password": "another one", "data": { "user_type": "root" } });
    let answer = auth.client.post_json("/signup", &body).await;

    refused(&answer, 422, "validation_failed");
    says(&answer, "user_type must be influencer, agency or vendor");
    assert_eq!(auth.count("select count(*) from auth.users where password_contested").await, 0);
    assert_eq!(auth.count("select count(*) from auth.users").await, 1);
}

/// A trigger as in most Supabase projects.
#[tokio::test]
async fn data_is_checked_with_an_address_in_requests_that_create_no_account() {
    let auth = Auth::start().await;
    let people = "create table auth.people (id uuid primary key, email text not null);
        create function auth.add_person() returns trigger language plpgsql security definer as $$ begin
          insert into auth.people values (new.id, new.email); return new; end $$;
        create trigger add_person after insert on auth.users for each row execute function auth.add_person()";
    sqlx::raw_sql(people).execute(&auth.rows).await.unwrap();
    let data = json!({ "user_type": "vendor" });
    auth.sign_up("vera@demo.serasi.test", data.clone()).await;
    // Past the limit of mails to one mailbox.
    auth.clock.advance(chrono::TimeDelta::hours(2));

    let again = json!({ "email": "vera@demo.serasi.test", "password": "another one", "data": data });
    assert_eq!(auth.client.post_json("/signup", &again).await.status, 200);
    for email in ["vera@demo.serasi.test", "venus@demo.serasi.test"] {
        auth.clock.advance(chrono::TimeDelta::hours(2));
        let code = json!({ "email": email, "data": data });
        assert_eq!(auth.client.post_json("/otp", &code).await.status, 200, "{email}");
    }
    assert_eq!(auth.count("select count(*) from auth.people").await, 2);
}

#[tokio::test]
async fn only_a_template_that_shows_the_data_puts_it_into_the_outbox() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("confirmation.subject"), "Welcome, {{ .Data.name }}").unwrap();
    let auth = Auth::start().await;
    let data = json!({ "user_type": "vendor", "name": "Vera" });
    let stored = "select count(*) from serasi.mail_outbox where data -> 'data' ->> 'name' = 'Vera'";

    auth.sign_up("vera@demo.serasi.test", data.clone()).await;
    assert_eq!(auth.count(stored).await, 0);

    let auth = auth.with_settings(&[("MAIL_TEMPLATES", folder.path().to_str().unwrap())]).await;
    auth.sign_up("venus@demo.serasi.test", data).await;
    assert_eq!(auth.count(stored).await, 1);
}

#[tokio::test]
async fn a_sign_up_cannot_grant_itself_rights() {
    let auth = Auth::start().await;
    let body = json!({
        "email": "eve@demo.serasi.test", "password": PASSWORD, "id": "11111111-1111-4111-8111-111111111111",
        "role": "service_role", "aud": "admin", "email_confirmed_at": "2020-01-01T00:00:00Z", "is_super_admin": true,
        "app_metadata": { "marketplace_role": "superadmin" }, "raw_app_meta_data": { "marketplace_role": "admin" },
        "data": { "user_type": "influencer", "role": "admin", "marketplace_role": "superadmin", "sub": "x", "email": "y" },
    });

    let eve = session(&auth.client.post_json("/signup", &body).await);

    assert_ne!(eve.user_id, "11111111-1111-4111-8111-111111111111");
    let claims = claims(&eve.access_token);
    assert_eq!((&claims["role"], &claims["aud"]), (&json!("authenticated"), &json!("authenticated")));
    assert_eq!(claims["app_metadata"], json!({ "provider": "email", "providers": ["email"] }));
    assert_eq!(
        auth.text("select string_agg(role::text, ',') from app.user_roles").await.as_deref(),
        Some("influencer")
    );
    let identity = auth.user(&eve).await.json()["identities"][0]["identity_data"].clone();
    assert_eq!((&identity["sub"], &identity["email"]), (&json!(eve.user_id), &json!("eve@demo.serasi.test")));
}

#[tokio::test]
async fn an_address_can_have_only_one_account() {
    let auth = Auth::start().await;
    let ana = auth.influencer("ana@demo.serasi.test").await;

    let again = auth.sign_up("ANA@demo.serasi.test", json!({ "user_type": "agency" })).await;

    refused(&again, 422, "user_already_exists");
    says(&again, "User already registered");
    assert_eq!(auth.user(&ana).await.json()["user_metadata"]["user_type"], "influencer");
    assert_eq!(auth.count("select count(*) from auth.users").await, 1);
}

#[tokio::test]
async fn with_confirmations_the_answer_does_not_reveal_an_account() {
    let auth = Auth::start().await;
    auth.influencer("ana@demo.serasi.test").await;

    let known = auth.sign_up("ana@demo.serasi.test", json!({ "user_type": "vendor", "a": 1 })).await;
    let fresh = auth.sign_up("new@demo.serasi.test", json!({ "user_type": "vendor", "a": 1 })).await;

    assert_eq!((known.status, fresh.status), (StatusCode::OK, StatusCode::OK));
    let names = |answer: &Value| answer.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&known.json()), names(&fresh.json()));
    assert_eq!(known.json()["identities"], json!([]));
    assert_eq!(known.json()["user_metadata"], json!({ "user_type": "vendor", "a": 1 }));
    assert_eq!(auth.count("select count(*) from auth.users").await, 2);
}

/// A stranger who knows the address of an unconfirmed account learns nothing about it.
#[tokio::test]
async fn signing_up_again_before_confirming_looks_like_a_new_account_and_changes_nothing() {
    let auth = Auth::start().await;
    let data = json!({ "user_type": "vendor", "name": "Vera", "phone": "+60123456789" });
    let first = auth.sign_up("vera@demo.serasi.test", data.clone()).await.json();
    let (ids, now) = (["id", "identity_id", "sub", "user_id"], auth.clock.now().to_rfc3339());
    // The shape of an answer, without random ids and times.
    let shape = |answer: &Value| {
        let mut text = answer.to_string();
        let identity = &answer["identities"][0];
        for id in
            ids.iter().flat_map(|name| [&answer[name], &identity[name], &identity["identity_data"][name]])
        {
            text = id.as_str().map_or(text.clone(), |id| text.replace(id, "id"));
        }
        text
    };

    for user_type in ["vendor", "influencer"] {
        auth.clock.advance(chrono::TimeDelta::seconds(60));
        let data = json!({ "user_type": user_type, "name": "Eve" });
        let body = json!({ "email": "vera@demo.serasi.test", "password": "another one", "data": data });
        let again = auth.client.post_json("/signup", &body).await;

        assert_eq!(again.status, StatusCode::OK);
        for secret in [first["id"].as_str().unwrap(), "Vera", "+60123456789", &now[..19]] {
            assert!(!again.text().contains(secret), "{secret}: {}", again.text());
        }
        assert_eq!(again.json()["access_token"], Value::Null);
        let fresh = auth
            .sign_up(
                &format!("{user_type}@demo.serasi.test"),
                json!({ "user_type": "vendor", "name": "Eve" }),
            )
            .await;
        let fresh = shape(&fresh.json()).replace(&format!("{user_type}@demo"), "vera@demo");
        assert_eq!(shape(&again.json()).replace(user_type, "vendor"), fresh.replace(user_type, "vendor"));
    }
    refused(&auth.sign_in("vera@demo.serasi.test", "another one").await, 400, "invalid_credentials");
    refused(&auth.sign_in("vera@demo.serasi.test", PASSWORD).await, 400, "email_not_confirmed");
}

#[tokio::test]
async fn concurrent_sign_ups_create_one_account() {
    let auth = Auth::start().await;

    let answers =
        join_all((0..12).map(|_| auth.sign_up("ana@demo.serasi.test", json!({ "user_type": "influencer" }))))
            .await;

    let winners = answers.iter().filter(|answer| answer.status == StatusCode::OK).count();
    assert_eq!(winners, 1);
    answers
        .iter()
        .filter(|answer| answer.status != StatusCode::OK)
        .for_each(|answer| refused(answer, 422, "user_already_exists"));
    for table in [
        "select count(*) from auth.users",
        "select count(*) from auth.identities",
        "select count(*) from auth.sessions",
        "select count(*) from auth.refresh_tokens",
        "select count(*) from app.profiles",
        "select count(*) from app.user_roles",
    ] {
        assert_eq!(auth.count(table).await, 1, "{table}");
    }
}

#[tokio::test]
async fn a_failed_sign_up_leaves_nothing_behind() {
    let auth = Auth::start().await;
    sqlx::query("revoke insert on auth.refresh_tokens from auth_admin").execute(&auth.rows).await.unwrap();

    let answer = auth.sign_up("ana@demo.serasi.test", json!({ "user_type": "influencer" })).await;

    refused(&answer, 500, "unexpected_failure");
    assert!(!answer.text().contains("permission"), "{}", answer.text());
    assert_eq!(auth.count("select count(*) from auth.users").await, 0);
    assert_eq!(auth.count("select count(*) from app.profiles").await, 0);
}

#[tokio::test]
async fn invalid_addresses_and_passwords_are_rejected() {
    let auth = Auth::start().await;
    let long = format!("{}@a.co", "x".repeat(260));
    for (email, password, status, code, message) in [
        ("", "", 422, "anonymous_provider_disabled", "Anonymous sign-ins are disabled"),
        ("a@b.co", "", 400, "validation_failed", "Signup requires a valid password"),
        ("a@b.co", "12345", 422, "weak_password", "Password should be at least 6 characters."),
        ("a@b.co", &"x".repeat(73), 400, "validation_failed", "Password cannot be longer than 72 characters"),
        (
            "a@b.co",
            &"x".repeat(4096),
            400,
            "validation_failed",
            "Password cannot be longer than 72 characters",
        ),
        ("nobody", "123456", 400, "validation_failed", "Unable to validate email address: invalid format"),
        (
            "a@b.co\r\nBcc: c@d.co",
            "123456",
            400,
            "validation_failed",
            "Unable to validate email address: invalid format",
        ),
        (&long, "123456", 400, "validation_failed", "An email address is too long"),
    ] {
        let answer = auth.client.post_json("/signup", &json!({ "email": email, "password": password })).await;

        refused(&answer, status, code);
        says(&answer, message);
    }
    let weak = auth.client.post_json("/signup", &json!({ "email": "a@b.co", "password": "12345" })).await;
    assert_eq!(weak.json()["weak_password"], json!({ "reasons": ["length"] }));
    assert_eq!(auth.count("select count(*) from auth.users").await, 0);
}

#[tokio::test]
async fn metadata_that_cannot_be_stored_is_rejected() {
    let auth = Auth::start().await;

    for data in [json!({ "a": "x".repeat(9000) }), json!({ "a": "\0" }), json!({ "__proto__": {} })] {
        refused(&auth.sign_up("ana@demo.serasi.test", data).await, 400, "validation_failed");
    }
    assert_eq!(auth.count("select count(*) from auth.users").await, 0);
}
