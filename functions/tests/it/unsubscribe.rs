//! One-click unsubscribe as mail clients do it (RFC 8058), and as the page does it.

use axum::http::{Request, StatusCode};
use serde_json::json;
use sqlx::PgPool;
use test_support::client::{Answer, TestClient};

use crate::stack::Stack;

const EXPIRED: &str = "This link has expired. Sign in to choose your e-mails.";

/// The token in a mail of this kind to the account.
async fn token(rows: &PgPool, kind: &str) -> String {
    let token = "select app.new_unsubscribe_token(id, $1) from app.profiles order by email limit 1";
    sqlx::query_scalar(token).bind(kind).fetch_one(rows).await.unwrap()
}

async fn settings(rows: &PgPool) -> Vec<(String, String)> {
    let settings = "select kind, delivery from app.notification_settings order by kind";
    sqlx::query_as(settings).fetch_all(rows).await.unwrap()
}

/// What a mail client sends: a form, without any of our headers.
async fn one_click(functions: &TestClient, token: &str) -> Answer {
    let request = Request::post(format!("/unsubscribe?token={token}"))
        .header("content-type", "application/x-www-form-urlencoded");
    functions.send(request, "List-Unsubscribe=One-Click").await
}

fn set(kind: &str) -> (String, String) {
    (kind.to_owned(), "off".to_owned())
}

#[tokio::test]
async fn a_mail_client_and_the_page_end_mails_of_a_kind() {
    let stack = Stack::start().await;
    stack.portal_user("agency").await;
    let (first, second) = (token(&stack.rows, "gig_closed").await, token(&stack.rows, "gig_closing").await);

    for _ in 0..2 {
        let answer = one_click(&stack.functions, &first).await;
        assert_eq!((answer.status, answer.json()), (StatusCode::OK, json!({ "kind": "gig_closed" })));
    }
    assert_eq!(settings(&stack.rows).await, [set("gig_closed")]);

    let answer = stack.functions.post_json("/unsubscribe", &json!({ "token": second })).await;
    assert_eq!((answer.status, answer.json()), (StatusCode::OK, json!({ "kind": "gig_closing" })));
    assert_eq!(settings(&stack.rows).await, [set("gig_closed"), set("gig_closing")]);
}

#[tokio::test]
async fn opening_the_address_leads_to_the_page_and_changes_nothing() {
    let stack = Stack::start().await;
    stack.portal_user("agency").await;
    let token = token(&stack.rows, "gig_closed").await;

    let answer = stack.functions.get(&format!("/unsubscribe?token={token}")).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    assert_eq!(answer.header("location"), Some(format!("/unsubscribe?token={token}").as_str()));
    let answer = stack.functions.get("/unsubscribe?token=//other.test").await;
    assert_eq!(answer.header("location"), Some("/unsubscribe?token="));
    assert!(settings(&stack.rows).await.is_empty());
}

#[tokio::test]
async fn other_tokens_change_nothing() {
    let stack = Stack::start().await;
    stack.portal_user("agency").await;
    let expired = token(&stack.rows, "gig_closed").await;
    sqlx::query("update app.unsubscribe_tokens set expires_at = now()").execute(&stack.rows).await.unwrap();

    for token in [expired.as_str(), &"0".repeat(64), "short", "%00", ""] {
        let answer = one_click(&stack.functions, token).await;
        assert_eq!(
            (answer.status, answer.json()),
            (StatusCode::NOT_FOUND, json!({ "error": EXPIRED })),
            "{token}"
        );
    }
    for body in [json!({}), json!({ "token": 1 }), json!([])] {
        assert_eq!(stack.functions.post_json("/unsubscribe", &body).await.status, StatusCode::BAD_REQUEST);
    }
    assert!(settings(&stack.rows).await.is_empty());
}
