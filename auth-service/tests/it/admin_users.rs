use axum::body::Body;
use axum::http::Request;
use futures::future::join_all;
use serde_json::{Value, json};
use test_support::client::Answer;
use test_support::person::{anon_key, keys};

use crate::support::{Auth, PASSWORD, claims, refused, says, session};

async fn create(auth: &Auth, body: Value) -> Answer {
    auth.operator().post_json("/admin/users", &body).await
}

#[tokio::test]
async fn admin_endpoints_require_the_service_key() {
    let auth = Auth::start().await;
    let ana = auth.influencer("ana@demo.serasi.test").await;
    let path = format!("/admin/users/{}", ana.user_id);
    let forged = platform::jwt::JwtKeys::from_secret(platform::secret::Secret::new("x".repeat(40))).unwrap();
    let forged = forged.role_key("service_role").unwrap();
    for (token, status, code) in [
        (anon_key(), 403, "not_admin"),
        (ana.access_token.clone(), 403, "not_admin"),
        (forged, 403, "bad_jwt"),
        ("x".to_owned(), 403, "bad_jwt"),
    ] {
        let client = auth.client.with_token(token);
        refused(&client.get("/admin/users").await, status, code);
        refused(&client.get(&path).await, status, code);
        refused(&client.post_json("/admin/users", &json!({ "email": "a@b.co" })).await, status, code);
        refused(&client.put_json(&path, &json!({ "role": "service_role" })).await, status, code);
        refused(&client.send(Request::delete(&path), Body::empty()).await, status, code);
    }
    refused(&auth.client.get("/admin/users").await, 401, "no_authorization");
    assert_eq!(auth.count("select count(*) from auth.users").await, 1);
    let named = keys().sign(&json!({ "role": "supabase_admin", "sub": "whoever" })).unwrap();
    assert_eq!(auth.client.with_token(named).get("/admin/users").await.status, 200);
}

#[tokio::test]
async fn an_account_is_created_as_requested() {
    let auth = Auth::start().await;
    let id = "11111111-1111-4111-8111-111111111111";

    let answer = create(
        &auth,
        json!({
            "id": id, "phone": "", "email": "Bo@demo.serasi.test", "password": "abc", "user_metadata": { "name": "Bo" },
            "app_metadata": { "plan": "pro" },
        }),
    )
    .await;

    let user = answer.json();
    assert_eq!(
        (answer.status.as_u16(), &user["id"], &user["email"]),
        (200, &json!(id), &json!("bo@demo.serasi.test"))
    );
    assert_eq!(user["user_metadata"], json!({ "name": "Bo" }));
    assert_eq!(user["app_metadata"], json!({ "provider": "email", "providers": ["email"], "plan": "pro" }));
    assert_eq!((&user["email_confirmed_at"], &user["last_sign_in_at"]), (&Value::Null, &Value::Null));
    refused(&auth.sign_in("bo@demo.serasi.test", "abc").await, 400, "email_not_confirmed");
    let confirmed = auth
        .operator()
        .put_json(&format!("/admin/users/{id}"), &json!({ "email_confirm": true }))
        .await
        .json();
    assert_eq!(confirmed["user_metadata"]["email_verified"], true);
    session(&auth.sign_in("bo@demo.serasi.test", "abc").await);
}

#[tokio::test]
async fn the_marketplace_role_is_created_with_the_account() {
    let auth = Auth::start().await;

    for role in ["admin", "superadmin"] {
        let body = json!({
            "email": format!("{role}@demo.serasi.test"), "password": PASSWORD, "email_confirm": true,
            "app_metadata": { "marketplace_role": role },
        });
        assert_eq!(create(&auth, body).await.status, 200);
    }

    let roles = "select string_agg(role::text, ',' order by role::text) from app.user_roles";
    assert_eq!(auth.text(roles).await.as_deref(), Some("admin,superadmin"));
    let admin = session(&auth.sign_in("admin@demo.serasi.test", PASSWORD).await);
    assert_eq!(claims(&admin.access_token)["role"], "authenticated");
}

#[tokio::test]
async fn invalid_accounts_are_rejected() {
    let auth = Auth::start().await;
    auth.influencer("ana@demo.serasi.test").await;
    for (body, status, code) in [
        (json!({}), 400, "validation_failed"),
        (json!({ "email": "" }), 400, "validation_failed"),
        (json!({ "email": "nonsense" }), 400, "validation_failed"),
        (json!({ "email": "ANA@demo.serasi.test" }), 422, "email_exists"),
        (json!({ "email": "b@b.co", "password": "x".repeat(73) }), 400, "validation_failed"),
        (json!({ "email": "b@b.co", "password": "x", "password_hash": "y" }), 400, "validation_failed"),
        (json!({ "email": "b@b.co", "password_hash": "plain" }), 400, "validation_failed"),
        (json!({ "email": "b@b.co", "id": "x" }), 400, "validation_failed"),
        (
            json!({ "email": "b@b.co", "id": "00000000-0000-0000-0000-000000000000" }),
            400,
            "validation_failed",
        ),
        (json!({ "email": "b@b.co", "ban_duration": "soon" }), 400, "validation_failed"),
        (json!({ "email": "b@b.co", "ban_duration": "1d" }), 400, "validation_failed"),
        (json!({ "email": "b@b.co", "app_metadata": [] }), 400, "bad_json"),
        (json!({ "email": "b@b.co", "user_metadata": { "user_type": "admin" } }), 422, "validation_failed"),
    ] {
        refused(&create(&auth, body).await, status, code);
    }
    assert_eq!(auth.count("select count(*) from auth.users").await, 1);
}

#[tokio::test]
async fn concurrent_creates_make_one_account() {
    let auth = Auth::start().await;
    let body = json!({ "email": "a@demo.serasi.test", "password": PASSWORD, "app_metadata": { "marketplace_role": "admin" } });

    let answers = join_all((0..6).map(|_| create(&auth, body.clone()))).await;

    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
    answers
        .iter()
        .filter(|answer| answer.status != 200)
        .for_each(|answer| refused(answer, 422, "email_exists"));
    assert_eq!(auth.count("select count(*) from app.user_roles").await, 1);
}

#[tokio::test]
async fn accounts_are_listed_newest_first_in_pages() {
    let auth = Auth::start().await;
    for name in ["a", "b", "c"] {
        auth.influencer(&format!("{name}@demo.serasi.test")).await;
        auth.clock.advance(chrono::TimeDelta::seconds(1));
    }
    let emails = |answer: &Answer| {
        answer.json()["users"]
            .as_array()
            .unwrap()
            .iter()
            .map(|user| user["email"].as_str().unwrap()[..1].to_owned())
            .collect::<String>()
    };

    let first = auth.operator().get("/admin/users?page=1&per_page=2").await;

    assert_eq!((emails(&first).as_str(), first.header("x-total-count")), ("cb", Some("3")));
    assert_eq!(first.json()["aud"], "authenticated");
    assert_eq!(first.json()["users"][0]["identities"].as_array().unwrap().len(), 1);
    let link =
        "</admin/users?page=2&per_page=2>; rel=\"next\", </admin/users?page=2&per_page=2>; rel=\"last\"";
    assert_eq!(first.header("link"), Some(link));
    assert_eq!(emails(&auth.operator().get("/admin/users?page=2&per_page=2").await), "a");
    assert_eq!(emails(&auth.operator().get("/admin/users").await), "cba");
    assert_eq!(emails(&auth.operator().get("/admin/users?sort=created_at%20asc").await), "abc");
    assert_eq!(emails(&auth.operator().get("/admin/users?filter=B@DEMO").await), "b");
    assert_eq!(emails(&auth.operator().get("/admin/users?filter=%25").await), "");
    refused(&auth.operator().get("/admin/users?page=-1").await, 400, "validation_failed");
    let sorted =
        auth.operator().get("/admin/users/?sort=created_at%20asc&filter=demo&per_page=1&page=2").await;
    assert_eq!(emails(&sorted), "b", "with a trailing slash");
    let link = "</admin/users?page=3&per_page=1&filter=demo&sort=created_at+asc>; rel=\"next\", \
                </admin/users?page=3&per_page=1&filter=demo&sort=created_at+asc>; rel=\"last\"";
    assert_eq!(sorted.header("link"), Some(link));
}

#[tokio::test]
async fn an_account_is_found_only_by_its_id() {
    let auth = Auth::start().await;
    let ana = auth.influencer("ana@demo.serasi.test").await;

    let found = auth.operator().get(&format!("/admin/users/{}", ana.user_id)).await;

    assert_eq!((found.status.as_u16(), &found.json()["email"]), (200, &json!("ana@demo.serasi.test")));
    for wrong in ["me", "1'--", "%ff"] {
        let answer = auth.operator().get(&format!("/admin/users/{wrong}")).await;
        refused(&answer, 404, "validation_failed");
        says(&answer, "user_id must be an UUID");
    }
    let unknown = format!("/admin/users/{}", uuid::Uuid::new_v4());
    refused(&auth.operator().get(&unknown).await, 404, "user_not_found");
}

#[tokio::test]
async fn an_operator_changes_email_password_and_metadata_in_one_request() {
    let auth = Auth::start().await;
    let ana = auth.influencer("ana@demo.serasi.test").await;
    auth.influencer("taken@demo.serasi.test").await;
    let change =
        async |body: Value| auth.operator().put_json(&format!("/admin/users/{}", ana.user_id), &body).await;

    refused(&change(json!({ "email": "taken@demo.serasi.test" })).await, 422, "email_exists");
    refused(&change(json!({ "password": "12345" })).await, 422, "weak_password");
    let answer = change(json!({
        "email": "New@demo.serasi.test", "password": "battery staple", "user_metadata": { "user_type": null, "a": 1 },
        "app_metadata": { "marketplace_role": "admin" },
    })).await.json();

    assert_eq!(
        (&answer["email"], &answer["identities"][0]["email"]),
        (&json!("new@demo.serasi.test"), &json!("new@demo.serasi.test"))
    );
    assert_eq!(answer["user_metadata"], json!({ "email_verified": true, "a": 1 }));
    refused(&auth.user(&ana).await, 403, "session_not_found");
    session(&auth.sign_in("new@demo.serasi.test", "battery staple").await);
    assert_eq!(
        auth.text("select email from app.profiles where email like 'new%'").await.as_deref(),
        Some("new@demo.serasi.test")
    );
    let roles = "select string_agg(distinct role::text, ',') from app.user_roles";
    assert_eq!(auth.text(roles).await.as_deref(), Some("influencer"), "a later change gives no role");
}

#[tokio::test]
async fn an_imported_hash_is_accepted() {
    let auth = Auth::start().await;
    let ana = auth.influencer("ana@demo.serasi.test").await;
    let hash = auth.text("select encrypted_password from auth.users").await.unwrap();
    let made = create(
        &auth,
        json!({ "email": "bo@demo.serasi.test", "password_hash": hash, "email_confirm": true }),
    )
    .await;
    let bo = session(&auth.sign_in("bo@demo.serasi.test", PASSWORD).await);
    let id = made.json()["id"].as_str().unwrap().to_owned();
    let change = async |body: Value| auth.operator().put_json(&format!("/admin/users/{id}"), &body).await;

    refused(&change(json!({ "password_hash": "plain" })).await, 400, "validation_failed");
    refused(&change(json!({ "password_hash": hash, "password": "123456" })).await, 400, "validation_failed");
    assert_eq!(auth.user(&bo).await.status, 200);
    assert_eq!(change(json!({ "password_hash": hash })).await.status, 200);

    refused(&auth.user(&bo).await, 403, "session_not_found");
    session(&auth.sign_in("bo@demo.serasi.test", PASSWORD).await);
    assert_eq!(auth.user(&ana).await.status, 200);
}

#[tokio::test]
async fn an_imported_bcrypt_hash_is_replaced_at_the_first_sign_in() {
    let auth = Auth::start().await;
    let hash = "$2b$04$abcdefghijklmnopqrstuuyaTp1a.0VI4ljv81NKv5yRQHrROVLpG";
    let body =
        |hash: &str| json!({ "email": "bo@demo.serasi.test", "password_hash": hash, "email_confirm": true });
    for unbearable in
        [hash.replacen("$04$", "$15$", 1), hash.replacen("$2b$", "$2x$", 1), hash[..59].to_owned()]
    {
        let refusal = create(&auth, body(&unbearable)).await;
        refused(&refusal, 400, "validation_failed");
        says(&refusal, "password_hash must be an argon2 or bcrypt hash");
    }
    assert_eq!(create(&auth, body(hash)).await.status, 200);
    let stored = "select encrypted_password from auth.users";

    refused(&auth.sign_in("bo@demo.serasi.test", "somewhere").await, 400, "invalid_credentials");
    assert_eq!(auth.text(stored).await.as_deref(), Some(hash));
    session(&auth.sign_in("bo@demo.serasi.test", "elsewhere").await);

    let renewed = auth.text(stored).await.unwrap();
    assert!(renewed.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{renewed}");
    session(&auth.sign_in("bo@demo.serasi.test", "elsewhere").await);
    assert_eq!(auth.text(stored).await.unwrap(), renewed);
}

#[tokio::test]
async fn a_ban_can_be_omitted_lifted_or_already_over() {
    let auth = Auth::start().await;
    let body = |duration: &str| json!({ "email": "bo@demo.serasi.test", "password": PASSWORD, "email_confirm": true, "ban_duration": duration });
    let made = create(&auth, body("")).await.json();
    assert_eq!(made["banned_until"], Value::Null);
    let ban = async |duration: &str| {
        let path = format!("/admin/users/{}", made["id"].as_str().unwrap());
        auth.operator().put_json(&path, &json!({ "ban_duration": duration })).await.json()["banned_until"]
            .clone()
    };

    assert!(ban("1h").await.is_string());
    refused(&auth.sign_in("bo@demo.serasi.test", PASSWORD).await, 400, "user_banned");
    assert!(ban("").await.is_string(), "an empty duration leaves the ban unchanged");
    assert!(ban("-1h").await.is_string(), "an expired ban is still shown");
    session(&auth.sign_in("bo@demo.serasi.test", PASSWORD).await);
    assert_eq!(ban("none").await, Value::Null);
}
