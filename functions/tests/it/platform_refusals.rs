//! Requests that are rejected before a function runs, and CORS preflights.

use axum::http::{Method, Request, header};
use serde_json::json;
use test_support::person::anon_key;

use crate::stack::{Stack, new_admin, refused};

#[tokio::test]
async fn only_platform_errors_are_marked() {
    let stack = Stack::start().await;

    let no_token = stack.functions.post_json("/create-admin", &new_admin()).await;
    let bad_token = stack.create_admin("x.y.z", new_admin()).await;
    let unknown = stack.functions.post_json("/drop-admin", &json!({})).await;
    let by_function = stack.create_admin(&anon_key(), new_admin()).await;

    for (answer, status) in [(no_token, 401), (bad_token, 401), (unknown, 404)] {
        refused(&answer, status);
        assert_eq!(answer.header("x-relay-error"), Some("true"));
    }
    refused(&by_function, 401);
    assert_eq!(by_function.header("x-relay-error"), None);
}

#[tokio::test]
async fn only_post_is_served() {
    let stack = Stack::start().await;
    let superadmin = stack.officer("superadmin").await;
    for method in [Method::GET, Method::PUT, Method::PATCH, Method::DELETE] {
        let request = Request::builder().method(method).uri("/create-admin");
        refused(&stack.functions.with_token(&superadmin).send(request, "").await, 405);
    }
}

#[tokio::test]
async fn bodies_are_limited_in_size_and_depth() {
    let stack = Stack::start().await;
    let superadmin = stack.functions.with_token(stack.officer("superadmin").await);
    let post = async |body: String| superadmin.send(Request::post("/create-admin"), body).await;

    refused(&post(format!("{{\"x\":\"{}\"}}", "y".repeat(1024 * 1024))).await, 413);
    refused(&post(format!("{{\"x\":{}{}}}", "[".repeat(10_000), "]".repeat(10_000))).await, 400);
    refused(&post(String::new()).await, 400);
    refused(&post("{\"email\":".to_owned()).await, 400);
}

#[tokio::test]
async fn only_allowed_origins_pass_cors() {
    let stack = Stack::start().await;
    let preflight = async |origin: &str| {
        let request = Request::builder()
            .method(Method::OPTIONS)
            .uri("/create-admin")
            .header(header::ORIGIN, origin)
            .header(header::ACCESS_CONTROL_REQUEST_METHOD, "POST")
            .header(header::ACCESS_CONTROL_REQUEST_HEADERS, "authorization,content-type,x-region");
        stack.functions.send(request, "").await
    };

    let ours = preflight("https://serasi.test").await;
    assert_eq!(
        (ours.status.as_u16(), ours.header("access-control-allow-origin")),
        (200, Some("https://serasi.test"))
    );
    assert_eq!(ours.header("access-control-allow-headers"), Some("authorization,content-type,x-region"));
    assert_eq!(preflight("https://evil.test").await.header("access-control-allow-origin"), None);
}
