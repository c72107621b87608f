use serde_json::json;
use test_support::client::Answer;

use crate::support::{Auth, PASSWORD, Session, refused, says, session};

async fn three_sessions(auth: &Auth) -> [Session; 3] {
    let first = auth.influencer("ana@demo.serasi.test").await;
    let second = session(&auth.sign_in("ana@demo.serasi.test", PASSWORD).await);
    [first, second, session(&auth.sign_in("ana@demo.serasi.test", PASSWORD).await)]
}

async fn log_out(auth: &Auth, session: &Session, query: &str) -> Answer {
    auth.as_owner(session).post_json(&format!("/logout{query}"), &json!({})).await
}

async fn alive(auth: &Auth, sessions: &[Session]) -> Vec<bool> {
    let mut alive = Vec::new();
    for session in sessions {
        let refreshes = auth.refresh(&session.refresh_token).await.status == 200;
        assert_eq!(auth.user(session).await.status == 200, refreshes);
        alive.push(refreshes);
    }
    alive
}

#[tokio::test]
async fn global_ends_every_session_of_the_account_and_no_others() {
    for query in ["", "?scope=global"] {
        let auth = Auth::start().await;
        let sessions = three_sessions(&auth).await;
        let other = auth.influencer("bea@demo.serasi.test").await;

        let answer = log_out(&auth, &sessions[0], query).await;

        assert_eq!((answer.status.as_u16(), answer.body.len()), (204, 0));
        assert_eq!(alive(&auth, &sessions).await, [false, false, false]);
        assert_eq!(alive(&auth, &[other]).await, [true]);
        refused(&auth.user(&sessions[0]).await, 403, "session_not_found");
        refused(&auth.refresh(&sessions[0].refresh_token).await, 400, "refresh_token_not_found");
        assert_eq!(auth.count("select count(*) from auth.refresh_tokens").await, 2);
    }
}

#[tokio::test]
async fn local_ends_this_session_and_others_ends_all_the_rest() {
    let auth = Auth::start().await;
    let sessions = three_sessions(&auth).await;
    assert_eq!(log_out(&auth, &sessions[0], "?scope=local").await.status, 204);
    assert_eq!(alive(&auth, &sessions).await, [false, true, true]);

    assert_eq!(log_out(&auth, &sessions[1], "?scope=others").await.status, 204);
    assert_eq!(alive(&auth, &sessions).await, [false, true, false]);
}

#[tokio::test]
async fn an_unknown_scope_ends_nothing() {
    let auth = Auth::start().await;
    let sessions = three_sessions(&auth).await;

    let answer = log_out(&auth, &sessions[0], "?scope=x").await;

    refused(&answer, 400, "validation_failed");
    says(&answer, "Unsupported logout scope \"x\"");
    assert_eq!(alive(&auth, &sessions).await, [true, true, true]);
    refused(&auth.client.post_json("/logout", &json!({})).await, 401, "no_authorization");
}
