//! Callers and targets that must be rejected: existing accounts, and callers who are banned or deleted.

use futures::future::join_all;
use serde_json::{Value, json};
use test_support::person::service_key;

use crate::stack::{PASSWORD, Stack, email, http, new_admin, refused};

#[tokio::test]
async fn an_existing_account_is_not_changed() {
    let stack = Stack::start().await;
    let superadmin = stack.officer("superadmin").await;
    let influencer = stack.portal_user("influencer").await;
    let query = "select jsonb_build_object(
          'account', (select to_jsonb(users) from auth.users where email = 'influencer@demo.serasi.test'),
          'roles', (select jsonb_agg(to_jsonb(held) order by held.role) from app.user_roles as held),
          'sessions', (select jsonb_agg(to_jsonb(session) - 'refreshed_at' order by session.id) from auth.sessions as session
            join auth.users on users.id = session.user_id and users.email = 'influencer@demo.serasi.test'),
          'tokens', (select count(*) from auth.refresh_tokens where revoked_at is null),
          'log', (select count(*) from app.audit_log))";
    let snapshot = async || sqlx::query_scalar::<_, Value>(query).fetch_one(&stack.rows).await.unwrap();
    let before = snapshot().await;

    for address in
        ["influencer@demo.serasi.test", "INFLUENCER@Demo.Serasi.Test", " influencer@demo.serasi.test "]
    {
        let body = json!({ "email": address, "password": "another one", "role": "superadmin" });
        let answer = stack.create_admin(&superadmin, body).await;
        refused(&answer, 409);
    }

    assert_eq!(snapshot().await, before);
    assert_eq!(stack.auth.with_token(&influencer).get("/user").await.status, 200);
    stack.sign_in(&email("influencer")).await;
    assert_eq!(stack.try_sign_in(&email("influencer"), "another one").await.status, 400);
}

#[tokio::test]
async fn of_twenty_identical_calls_one_creates_the_account() {
    let stack = Stack::start().await;
    let superadmin = stack.officer("superadmin").await;

    let answers = join_all((0..20).map(|_| stack.create_admin(&superadmin, new_admin()))).await;

    let mut statuses: Vec<u16> = answers.iter().map(|answer| answer.status.as_u16()).collect();
    statuses.sort_unstable();
    assert_eq!(statuses[0], 200);
    assert_eq!(statuses[1..], [409; 19]);
    assert_eq!(stack.accounts().await, 2);
    assert_eq!(stack.roles_of(&email("new")).await, ["admin"]);
    stack.sign_in(&email("new")).await;
}

#[tokio::test]
async fn banned_and_deleted_callers_are_rejected() {
    let stack = Stack::start().await;
    stack.officer("superadmin").await;
    for (state, statement) in [
        ("banned", "update auth.users set banned_until = now() + interval '1 hour'"),
        ("gone", "delete from auth.users"),
    ] {
        let name = format!("{state} superadmin").replace(' ', ".");
        let body = json!({
            "email": email(&name), "password": PASSWORD, "email_confirm": true,
            "app_metadata": { "marketplace_role": "superadmin" },
        });
        assert_eq!(stack.auth.with_token(service_key()).post_json("/admin/users", &body).await.status, 200);
        let former = stack.sign_in(&email(&name)).await;
        stack.run(&format!("{statement} where email = '{}'", email(&name))).await;
        let before = stack.accounts().await;

        refused(&stack.create_admin(&former, new_admin()).await, 401);

        assert_eq!(stack.accounts().await, before, "{state}");
    }
}

#[tokio::test]
async fn the_audit_log_names_the_actors() {
    let stack = Stack::start().await;
    let superadmin = stack.officer("superadmin").await;
    assert_eq!(stack.create_admin(&superadmin, new_admin()).await.status, 200);
    let made: String = sqlx::query_scalar("select user_id::text from app.user_roles where role = 'admin'")
        .fetch_one(&stack.rows)
        .await
        .unwrap();
    let gateway =
        http().delete(format!("{}/user_roles?user_id=eq.{made}", stack.gateway.url)).bearer_auth(&superadmin);
    assert_eq!(gateway.send().await.unwrap().status(), 204);

    let entries: Vec<(String, String, String)> = sqlx::query_as(
        "select actor::text, action, subject::text from app.audit_log where subject_id::text = $1 order by id",
    )
    .bind(&made)
    .fetch_all(&stack.rows)
    .await
    .unwrap();

    let entry = |action: &str| (email("superadmin"), action.to_owned(), email("new"));
    assert_eq!(entries, [entry("grant_role"), entry("revoke_role")]);
}
