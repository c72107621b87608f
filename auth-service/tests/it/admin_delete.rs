//! `DELETE /admin/users/{id}`

use axum::http::Request;
use serde_json::json;
use test_support::client::Answer;
use test_support::person::keys;

use crate::support::{Auth, PASSWORD, refused, says};

const SOFT_DELETE: &str = "{\"should_soft_delete\":true}";

async fn delete(auth: &Auth, id: &str, body: &'static str) -> Answer {
    auth.operator().send(Request::delete(format!("/admin/users/{id}")), body).await
}

/// The id of a new superadmin.
async fn superadmin(auth: &Auth, name: &str) -> String {
    let body = json!({ "email": format!("{name}@demo.serasi.test"), "app_metadata": { "marketplace_role": "superadmin" } });
    let made = auth.operator().post_json("/admin/users", &body).await;
    made.json()["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn deleting_an_account_deletes_its_data() {
    let auth = Auth::start().await;
    let ana = auth.influencer("ana@demo.serasi.test").await;

    let answer = delete(&auth, &ana.user_id, "").await;

    assert_eq!((answer.status.as_u16(), answer.json()), (200, json!({})));
    for table in [
        "select count(*) from auth.users",
        "select count(*) from auth.sessions",
        "select count(*) from auth.identities",
        "select count(*) from auth.refresh_tokens",
        "select count(*) from app.profiles",
        "select count(*) from app.user_roles",
    ] {
        assert_eq!(auth.count(table).await, 0, "{table}");
    }
    refused(&auth.user(&ana).await, 403, "user_not_found");
    refused(&delete(&auth, &ana.user_id, "").await, 404, "user_not_found");
    auth.influencer("ana@demo.serasi.test").await;
}

#[tokio::test]
async fn a_soft_delete_keeps_an_empty_row() {
    let auth = Auth::start().await;
    let ana = auth.influencer("ana@demo.serasi.test").await;

    assert_eq!(delete(&auth, &ana.user_id, SOFT_DELETE).await.status, 200);

    let left = auth.text("select u::text from auth.users u where deleted_at is not null").await.unwrap();
    assert!(left.contains(&ana.user_id) && !left.contains("ana@") && !left.contains("argon2"), "{left}");
    refused(&auth.user(&ana).await, 403, "session_not_found");
    let no_session = json!({ "role": "authenticated", "aud": "authenticated", "sub": ana.user_id });
    let no_session = auth.client.with_token(keys().sign(&no_session).unwrap());
    refused(&no_session.get("/user").await, 403, "user_not_found");
    refused(&auth.sign_in("ana@demo.serasi.test", PASSWORD).await, 400, "invalid_credentials");
    assert_eq!(auth.operator().get("/admin/users").await.json()["users"], json!([]));
    auth.influencer("ana@demo.serasi.test").await;
}

#[tokio::test]
async fn operators_can_view_and_hard_delete_a_soft_deleted_account() {
    let auth = Auth::start().await;
    let ana = auth.influencer("ana@demo.serasi.test").await;
    assert_eq!(delete(&auth, &ana.user_id, SOFT_DELETE).await.status, 200);

    let path = format!("/admin/users/{}", ana.user_id);
    let left = auth.operator().get(&path).await.json();
    assert!(left["deleted_at"].is_string(), "{left}");
    assert_eq!((&left["email"], &left["identities"]), (&json!(""), &json!([])));
    let noted = json!({ "app_metadata": { "why": "asked for it" } });
    let noted = auth.operator().put_json(&path, &noted).await.json();
    assert_eq!(
        (&noted["app_metadata"]["why"], &noted["deleted_at"]),
        (&json!("asked for it"), &left["deleted_at"])
    );

    assert_eq!(delete(&auth, &ana.user_id, "").await.status, 200);
    refused(&auth.operator().get(&path).await, 404, "user_not_found");
    refused(&delete(&auth, &ana.user_id, "").await, 404, "user_not_found");
}

#[tokio::test]
async fn the_last_superadmin_cannot_be_deleted() {
    let auth = Auth::start().await;
    let (first, second) = (superadmin(&auth, "one").await, superadmin(&auth, "two").await);

    assert_eq!(delete(&auth, &first, "").await.status, 200);
    let last = delete(&auth, &second, "").await;

    refused(&last, 409, "conflict");
    says(&last, "The last superadmin can't be removed or banned");
    assert_eq!(auth.operator().get(&format!("/admin/users/{second}")).await.status, 200);
}

#[tokio::test]
async fn the_last_superadmin_cannot_be_soft_deleted_and_soft_deleted_ones_do_not_count() {
    let auth = Auth::start().await;
    let (first, second) = (superadmin(&auth, "one").await, superadmin(&auth, "two").await);

    assert_eq!(delete(&auth, &first, SOFT_DELETE).await.status, 200);
    assert_eq!(auth.count("select count(*) from app.user_roles").await, 1, "a soft delete removes the role");
    for how in [SOFT_DELETE, ""] {
        let last = delete(&auth, &second, how).await;
        refused(&last, 409, "conflict");
        says(&last, "The last superadmin can't be removed or banned");
    }
    let kept = auth.operator().get(&format!("/admin/users/{second}")).await;
    assert_eq!(kept.json()["email"], "two@demo.serasi.test");
}

#[tokio::test]
async fn the_last_superadmin_cannot_be_banned() {
    let auth = Auth::start().await;
    let (first, second) = (superadmin(&auth, "one").await, superadmin(&auth, "two").await);
    let ban = async |id: &str, duration: &str| {
        auth.operator().put_json(&format!("/admin/users/{id}"), &json!({ "ban_duration": duration })).await
    };

    assert_eq!(ban(&first, "24h").await.status, 200);
    let last = ban(&second, "24h").await;

    refused(&last, 409, "conflict");
    says(&last, "The last superadmin can't be removed or banned");
    refused(&delete(&auth, &second, "").await, 409, "conflict");
    assert_eq!(ban(&first, "none").await.status, 200);
    assert_eq!(delete(&auth, &second, "").await.status, 200);
}

#[tokio::test]
async fn concurrent_deletes_leave_one_superadmin() {
    let auth = Auth::start().await;
    for how in ["", SOFT_DELETE] {
        let (first, second) = (superadmin(&auth, "one").await, superadmin(&auth, "two").await);
        let (one, other) = futures::join!(delete(&auth, &first, how), delete(&auth, &second, how));
        let mut statuses = [one.status.as_u16(), other.status.as_u16()];
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 409]);
        let left = auth.count("select count(*) from app.user_roles where role = 'superadmin'").await;
        assert_eq!(left, 1);
        sqlx::query("delete from auth.users").execute(&auth.rows).await.unwrap();
    }
}
