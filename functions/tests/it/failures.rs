//! The account and its role are created together or not at all, whatever fails.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::{Json, Router};
use serde_json::json;
use test_support::log::Log;

use crate::stack::{Stack, email, listen, new_admin, refused};

#[tokio::test]
async fn without_a_stored_role_no_account_is_created() {
    let stack = Stack::start().await;
    let superadmin = stack.officer("superadmin").await;
    stack.run("alter table app.user_roles add constraint broken check (role <> 'admin') not valid").await;

    refused(&stack.create_admin(&superadmin, new_admin()).await, 500);

    assert_eq!(stack.accounts().await, 1);
    stack.run("alter table app.user_roles drop constraint broken").await;
    assert_eq!(stack.create_admin(&superadmin, new_admin()).await.status, 200);
}

#[tokio::test]
async fn an_account_without_its_role_is_deleted() {
    let stack = Stack::start().await;
    let superadmin = stack.officer("superadmin").await;
    stack
        .run(
            "create function app.swallow() returns trigger language plpgsql as 'begin return null; end';
             create trigger swallow before insert on app.user_roles for each row execute function app.swallow()",
        )
        .await;

    refused(&stack.create_admin(&superadmin, new_admin()).await, 500);

    assert_eq!(stack.accounts().await, 1);
}

#[tokio::test]
async fn an_account_whose_role_cannot_be_verified_is_deleted() {
    let stack = Stack::start().await;
    let superadmin = stack.officer("superadmin").await;
    let asked = Arc::new(AtomicU32::new(0));
    let counter = asked.clone();
    // Answers the check of the caller, then fails.
    let gateway = Router::new().fallback(move || {
        let first = counter.fetch_add(1, Ordering::SeqCst) == 0;
        async move {
            if first {
                Json(json!([{ "role": "superadmin" }])).into_response()
            } else {
                StatusCode::BAD_GATEWAY.into_response()
            }
        }
    });
    let functions = stack.functions_with("REST_URL", listen(gateway).await).await;

    refused(&functions.with_token(&superadmin).post_json("/create-admin", &new_admin()).await, 503);

    assert_eq!(asked.load(Ordering::SeqCst), 2);
    assert_eq!(stack.accounts().await, 1);
    assert_eq!(stack.try_sign_in(&email("new"), crate::stack::PASSWORD).await.status, 400);
}

#[tokio::test]
async fn unreachable_services_give_503() {
    let stack = Stack::start().await;
    let superadmin = stack.officer("superadmin").await;
    for name in ["AUTH_URL", "REST_URL"] {
        // Nothing listens on the discard port.
        let functions = stack.functions_with(name, "http://127.0.0.1:9".to_owned()).await;
        refused(&functions.with_token(&superadmin).post_json("/create-admin", &new_admin()).await, 503);
        let stalls = Router::new().fallback(std::future::pending::<StatusCode>);
        let functions = stack.functions_with(name, listen(stalls).await).await;
        refused(&functions.with_token(&superadmin).post_json("/create-admin", &new_admin()).await, 503);
    }
    assert_eq!(stack.accounts().await, 1);
}

#[tokio::test]
async fn the_log_names_the_request_that_failed() {
    let log = Log::listen();
    let stack = Stack::start().await;
    let superadmin = stack.officer("superadmin").await;
    let functions = stack.functions_with("REST_URL", "http://127.0.0.1:9".to_owned()).await;

    let answer =
        functions.with_token(&superadmin).with_request_ids().post_json("/create-admin", &new_admin()).await;

    refused(&answer, 503);
    let lines = log.about(answer.request_id());
    assert!(lines.len() == 1 && lines[0].contains("ERROR"), "{}", log.text());
}
