//! Requests that use the same connection don't affect each other.

use std::sync::Arc;

use futures::future::join_all;
use serde_json::json;

use crate::support::{Api, bearer};

#[tokio::test]
async fn a_rejected_role_does_not_affect_the_next_request() {
    let api = Api::start_with(&[("PGRST_DB_POOL", "1")]).await;
    for role in ["postgres", "nobody_at_all"] {
        let token = bearer(&json!({ "role": role }));
        let refused = api.send("POST", "/items", &[("Authorization", &token)], r#"{"id":999}"#).await;
        assert!(refused.status.is_client_error(), "{role}: {}", refused.status);
    }
    api.assert_rows("/items?id=eq.999", json!([])).await;
    api.assert_rows("/rpc/current_role_name", json!("gateway_anon")).await;
}

#[tokio::test]
async fn concurrent_requests_run_with_their_own_role() {
    let api = Arc::new(Api::start().await);
    let author = bearer(&json!({ "role": "gateway_author" }));
    let requests = (0..60).map(|number| {
        let (api, author) = (Arc::clone(&api), author.clone());
        async move {
            let headers = [("Authorization", author.as_str())];
            let headers = if number % 2 == 0 { &headers[..] } else { &[] };
            let role = api.send("GET", "/rpc/get_guc?name=role", headers, "").await.json();
            let id = number % 15 + 1;
            let rows = api.send("GET", &format!("/items?id=eq.{id}"), headers, "").await.json();
            (number, role, rows, id)
        }
    });
    for (number, role, rows, id) in join_all(requests).await {
        assert_eq!(role, if number % 2 == 0 { "gateway_author" } else { "gateway_anon" });
        assert_eq!(rows, json!([{ "id": id }]));
    }
}
