//! Refresh tokens: rotation, lost answers, and theft.

use chrono::TimeDelta;
use futures::future::join_all;
use serde_json::json;

use crate::support::{Auth, PASSWORD, claims, refused, says, session};

const ACTIVE_TOKENS: &str = "select count(*) from auth.refresh_tokens where revoked_at is null";

#[tokio::test]
async fn a_token_is_exchanged_for_its_child_in_the_same_session() {
    let auth = Auth::start().await;
    let first = auth.influencer("ana@demo.serasi.test").await;
    auth.clock.advance(TimeDelta::minutes(59));

    let second = session(&auth.refresh(&first.refresh_token).await);

    assert_ne!(second.refresh_token, first.refresh_token);
    let (before, after) = (claims(&first.access_token), claims(&second.access_token));
    assert_eq!((&before["session_id"], &before["amr"]), (&after["session_id"], &after["amr"]));
    assert_eq!(after["exp"], auth.clock.now().timestamp() + 3600);
    assert_eq!(auth.count(ACTIVE_TOKENS).await, 1);
    assert_eq!(auth.count("select count(*) from auth.refresh_tokens where parent_id is not null").await, 1);
}

#[tokio::test]
async fn changed_metadata_and_role_are_in_the_next_token() {
    let auth = Auth::start().await;
    let ana = auth.influencer("ana@demo.serasi.test").await;
    let path = format!("/admin/users/{}", ana.user_id);
    auth.operator().put_json(&path, &json!({ "app_metadata": { "plan": "pro" } })).await;

    let next = session(&auth.refresh(&ana.refresh_token).await);

    assert_eq!(claims(&next.access_token)["app_metadata"]["plan"], "pro");
}

#[tokio::test]
async fn a_lost_answer_is_repeated_however_late() {
    let auth = Auth::start().await;
    let first = auth.influencer("ana@demo.serasi.test").await;
    let second = session(&auth.refresh(&first.refresh_token).await);
    auth.clock.advance(TimeDelta::days(3));

    let again = session(&auth.refresh(&first.refresh_token).await);

    assert_eq!(again.refresh_token, second.refresh_token);
    assert_eq!(auth.count(ACTIVE_TOKENS).await, 1);
}

#[tokio::test]
async fn an_older_token_within_the_interval_gets_the_newest_token() {
    let auth = Auth::start().await;
    let first = auth.influencer("ana@demo.serasi.test").await;
    let second = session(&auth.refresh(&first.refresh_token).await);
    let third = session(&auth.refresh(&second.refresh_token).await);
    auth.clock.advance(TimeDelta::seconds(10));

    let again = session(&auth.refresh(&first.refresh_token).await);

    assert_eq!(again.refresh_token, third.refresh_token);
    assert_eq!(auth.count("select count(*) from auth.refresh_tokens").await, 3);
}

#[tokio::test]
async fn an_older_token_after_the_interval_revokes_the_whole_family() {
    let auth = Auth::start().await;
    let first = auth.influencer("ana@demo.serasi.test").await;
    let second = session(&auth.refresh(&first.refresh_token).await);
    let third = session(&auth.refresh(&second.refresh_token).await);
    auth.clock.advance(TimeDelta::seconds(11));

    let theft = auth.refresh(&first.refresh_token).await;

    refused(&theft, 400, "refresh_token_already_used");
    says(&theft, "Invalid Refresh Token: Already Used");
    assert_eq!(auth.count(ACTIVE_TOKENS).await, 0, "the revocation is committed although the request fails");
    for token in [&first, &second, &third] {
        refused(&auth.refresh(&token.refresh_token).await, 400, "refresh_token_already_used");
    }
    session(&auth.sign_in("ana@demo.serasi.test", PASSWORD).await);
}

#[tokio::test]
async fn the_interval_is_configurable() {
    let auth = Auth::start_with(&[("AUTH_REFRESH_REUSE_SECONDS", "0")]).await;
    let first = auth.influencer("ana@demo.serasi.test").await;
    let second = session(&auth.refresh(&first.refresh_token).await);
    session(&auth.refresh(&second.refresh_token).await);
    auth.clock.advance(TimeDelta::milliseconds(1));

    refused(&auth.refresh(&first.refresh_token).await, 400, "refresh_token_already_used");
}

#[tokio::test]
async fn a_theft_in_one_session_does_not_end_the_others() {
    let auth = Auth::start().await;
    let phone = auth.influencer("ana@demo.serasi.test").await;
    let laptop = session(&auth.sign_in("ana@demo.serasi.test", PASSWORD).await);
    let second = session(&auth.refresh(&phone.refresh_token).await);
    session(&auth.refresh(&second.refresh_token).await);
    auth.clock.advance(TimeDelta::minutes(1));
    refused(&auth.refresh(&phone.refresh_token).await, 400, "refresh_token_already_used");

    session(&auth.refresh(&laptop.refresh_token).await);
}

#[tokio::test]
async fn concurrent_refreshes_all_get_the_same_token() {
    let auth = Auth::start().await;
    let first = auth.influencer("ana@demo.serasi.test").await;

    let answers = join_all((0..20).map(|_| auth.refresh(&first.refresh_token))).await;

    let sessions: Vec<_> = answers.iter().map(session).collect();
    assert!(sessions.iter().all(|other| other.refresh_token == sessions[0].refresh_token));
    assert_eq!(auth.count("select count(*) from auth.refresh_tokens").await, 2);
    for session in &sessions {
        assert_eq!(auth.user(session).await.status, 200);
    }
    session(&auth.refresh(&sessions[0].refresh_token).await);
}

#[tokio::test]
async fn malformed_and_unknown_tokens_get_different_errors() {
    let auth = Auth::start().await;
    for malformed in ["", "short", "UPPERCASE123", "abcdefghijklm", "../../etc/pas", "abc'; --abcd"] {
        let answer = auth.refresh(malformed).await;
        refused(&answer, 400, "validation_failed");
        says(&answer, "Refresh token is not valid");
    }
    for unknown in ["abcdefghijkl", "0123456789abcdefghijklmno"] {
        let answer = auth.refresh(unknown).await;
        refused(&answer, 400, "refresh_token_not_found");
        says(&answer, "Invalid Refresh Token: Refresh Token Not Found");
    }
}

#[tokio::test]
async fn banned_deleted_and_expired_accounts_cannot_refresh() {
    let auth = Auth::start().await;
    let (banned, deleted) =
        (auth.influencer("a@demo.serasi.test").await, auth.influencer("b@demo.serasi.test").await);
    let ended = auth.influencer("c@demo.serasi.test").await;
    let path = |id: &str| format!("/admin/users/{id}");
    auth.operator().put_json(&path(&banned.user_id), &json!({ "ban_duration": "1h" })).await;
    auth.operator()
        .send(axum::http::Request::delete(path(&deleted.user_id)), axum::body::Body::empty())
        .await;
    sqlx::query("update auth.sessions set not_after = now() - interval '1 hour' where user_id = $1::uuid")
        .bind(&ended.user_id)
        .execute(&auth.rows)
        .await
        .unwrap();

    let answer = auth.refresh(&banned.refresh_token).await;
    refused(&answer, 400, "user_banned");
    says(&answer, "Invalid Refresh Token: User Banned");
    refused(&auth.refresh(&deleted.refresh_token).await, 400, "refresh_token_not_found");
    refused(&auth.refresh(&ended.refresh_token).await, 400, "session_expired");

    auth.clock.advance(TimeDelta::hours(1));
    session(&auth.refresh(&banned.refresh_token).await);
}

#[tokio::test]
async fn an_expired_access_token_does_not_prevent_a_refresh() {
    let auth = Auth::start().await;
    let ana = auth.influencer("ana@demo.serasi.test").await;
    auth.clock.advance(TimeDelta::hours(2));
    refused(&auth.user(&ana).await, 403, "bad_jwt");

    let body = json!({ "refresh_token": ana.refresh_token });
    let answer = auth.as_owner(&ana).post_json("/token?grant_type=refresh_token", &body).await;

    assert_eq!(auth.user(&session(&answer)).await.status, 200);
}

#[tokio::test]
async fn a_session_locked_too_long_is_a_conflict() {
    let auth = Auth::start().await;
    let ana = auth.influencer("ana@demo.serasi.test").await;
    let mut holder = auth.rows.begin().await.unwrap();
    sqlx::query("select 1 from auth.sessions for update").execute(&mut *holder).await.unwrap();

    refused(&auth.refresh(&ana.refresh_token).await, 409, "conflict");

    holder.rollback().await.unwrap();
    session(&auth.refresh(&ana.refresh_token).await);
}

#[tokio::test]
async fn an_interrupted_refresh_can_be_retried() {
    let auth = Auth::start().await;
    let ana = auth.influencer("ana@demo.serasi.test").await;
    let mut holder = auth.rows.begin().await.unwrap();
    sqlx::query("select 1 from auth.sessions for update").execute(&mut *holder).await.unwrap();

    let (dying, ()) = tokio::join!(auth.refresh(&ana.refresh_token), async {
        let kill = "select count(pg_terminate_backend(pid)) from pg_stat_activity
                     where datname = current_database() and wait_event_type = 'Lock'";
        test_support::waiting::eventually("the refresh waits", async || auth.count(kill).await != 0).await;
    });
    holder.rollback().await.unwrap();

    refused(&dying, 503, "request_timeout");
    assert_eq!(auth.count("select count(*) from auth.refresh_tokens").await, 1);
    session(&auth.refresh(&ana.refresh_token).await);
}
