//! Who may create whom.

use serde_json::json;
use test_support::person::{anon_key, keys, service_key};

use crate::stack::{PASSWORD, Stack, email, new_admin, refused};

#[tokio::test]
async fn a_superadmin_creates_an_admin_who_can_sign_in() {
    let stack = Stack::start().await;
    let superadmin = stack.officer("superadmin").await;

    let answer = stack.create_admin(&superadmin, new_admin()).await;

    let body = answer.json();
    assert_eq!((answer.status.as_u16(), &body["role"]), (200, &json!("admin")), "{}", answer.text());
    assert_eq!(body["user"]["email"], email("new"));
    assert_eq!(body["user"].as_object().unwrap().len(), 2);
    assert_eq!(stack.roles_of(&email("new")).await, ["admin"]);
    stack.sign_in(&email("new")).await;
    assert_eq!(answer.header("cache-control"), Some("no-store"));
}

#[tokio::test]
async fn a_new_superadmin_may_create_admins() {
    let stack = Stack::start().await;
    let superadmin = stack.officer("superadmin").await;
    let mut wanted = new_admin();
    wanted["role"] = json!("superadmin");

    let answer = stack.create_admin(&superadmin, wanted).await;

    assert_eq!((answer.status.as_u16(), &answer.json()["role"]), (200, &json!("superadmin")));
    let next = stack.sign_in(&email("new")).await;
    let third = json!({ "email": email("third"), "password": PASSWORD, "role": "admin" });
    assert_eq!(stack.create_admin(&next, third).await.status, 200);
}

#[tokio::test]
async fn other_callers_are_rejected() {
    let stack = Stack::start().await;
    let superadmin = stack.officer("superadmin").await;
    let mut tampered = superadmin.clone();
    tampered.replace_range(80..81, if &tampered[80..81] == "A" { "B" } else { "A" });
    let claims = serde_json::to_value(keys().verify(&superadmin).unwrap()).unwrap();
    let expired = {
        let mut claims = claims.clone();
        claims["exp"] = json!(claims["iat"].as_i64().unwrap() - 60);
        keys().sign(&claims).unwrap()
    };
    let mut callers = vec![(anon_key(), 401), (service_key(), 403), (tampered, 401), (expired, 401)];
    for portal in ["influencer", "agency", "vendor"] {
        callers.push((stack.portal_user(portal).await, 403));
    }
    callers.push((stack.officer("admin").await, 403));
    let before = stack.accounts().await;

    for (token, status) in &callers {
        for body in [
            new_admin(),
            json!({ "email": email("new"), "password": PASSWORD, "role": "superadmin" }),
            json!({ "email": "broken", "role": ["root"] }),
            json!({ "email": email("new"), "password": PASSWORD, "user_id": claims["sub"], "is_superadmin": true }),
        ] {
            refused(&stack.create_admin(token, body).await, *status);
        }
    }

    refused(&stack.functions.post_json("/create-admin", &new_admin()).await, 401);
    assert_eq!(stack.accounts().await, before);
}

#[tokio::test]
async fn roles_in_claims_are_ignored() {
    let stack = Stack::start().await;
    let influencer = stack.portal_user("influencer").await;
    let mut claims = serde_json::to_value(keys().verify(&influencer).unwrap()).unwrap();
    claims["app_metadata"] = json!({ "marketplace_role": "superadmin" });
    claims["user_role"] = json!("superadmin");

    refused(&stack.create_admin(&keys().sign(&claims).unwrap(), new_admin()).await, 403);
}

#[tokio::test]
async fn a_revoked_role_is_gone_at_once() {
    let stack = Stack::start().await;
    let former = stack.officer("superadmin").await;
    assert_eq!(
        stack
            .create_admin(
                &former,
                json!({ "email": email("other"), "password": PASSWORD, "role": "superadmin" })
            )
            .await
            .status,
        200
    );
    stack.run("delete from app.user_roles r using auth.users u where u.id = r.user_id and email = 'superadmin@demo.serasi.test'").await;

    refused(&stack.create_admin(&former, new_admin()).await, 403);

    assert_eq!(stack.accounts().await, 2);
}

#[tokio::test]
async fn an_ended_session_is_rejected() {
    let stack = Stack::start().await;
    let superadmin = stack.officer("superadmin").await;
    assert_eq!(stack.auth.with_token(&superadmin).post_json("/logout", &json!({})).await.status, 204);

    refused(&stack.create_admin(&superadmin, new_admin()).await, 401);
}

#[tokio::test]
async fn errors_describe_the_problem_with_the_body() {
    let stack = Stack::start().await;
    let superadmin = stack.officer("superadmin").await;
    for (body, message) in [
        (json!({}), "Email and password are required"),
        (json!({ "email": email("new"), "password": "12345" }), "Password must be at least 6 characters"),
        (
            json!({ "email": email("new"), "password": "secret\0more" }),
            "Password cannot contain a NUL character",
        ),
        (
            json!({ "email": email("new"), "password": "x".repeat(73) }),
            "Password cannot be longer than 72 characters",
        ),
        (json!({ "email": "nonsense", "password": PASSWORD }), "Please enter a valid email address"),
        (
            json!({ "email": "a<b@c.co", "password": PASSWORD }),
            "Unable to validate email address: invalid format",
        ),
        (
            json!({ "email": email("new"), "password": PASSWORD, "role": "influencer" }),
            "Role must be admin or superadmin",
        ),
        (
            json!({ "email": email("new"), "password": PASSWORD, "role": "" }),
            "Role must be admin or superadmin",
        ),
        (
            json!({ "email": email("new"), "password": PASSWORD, "role": ["admin"] }),
            "Role must be admin or superadmin",
        ),
        (json!([new_admin()]), "The request body must be a JSON object"),
    ] {
        let answer = stack.create_admin(&superadmin, body).await;
        refused(&answer, 400);
        assert_eq!(answer.json()["error"], message);
    }
    assert_eq!(stack.accounts().await, 1);
}
