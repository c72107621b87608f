//! Sessions that expire.

use chrono::TimeDelta;
use serde_json::{Value, json};
use test_support::client::Answer;
use test_support::person::keys;
use test_support::waiting::eventually;

use crate::support::{Auth, PASSWORD, Session, claims, refused, says, session};

const ANA: &str = "ana@demo.serasi.test";

#[track_caller]
fn expired(answer: &Answer, how: &str) {
    refused(answer, 400, "session_expired");
    says(answer, &format!("Invalid Refresh Token: Session Expired{how}"));
}

async fn sign_in(auth: &Auth) -> Session {
    session(&auth.sign_in(ANA, PASSWORD).await)
}

#[tokio::test]
async fn sessions_do_not_expire_by_default() {
    let auth = Auth::start().await;
    let first = auth.influencer(ANA).await;
    auth.clock.advance(TimeDelta::days(3650));
    let second = sign_in(&auth).await;
    auth.clock.advance(TimeDelta::days(3650));

    for token in [&first, &second] {
        session(&auth.refresh(&token.refresh_token).await);
    }
}

#[tokio::test]
async fn a_time_box_ends_a_session_despite_refreshes() {
    let auth = Auth::start_with(&[("AUTH_SESSIONS_TIMEBOX_SECONDS", "3600")]).await;
    let mut ana = auth.influencer(ANA).await;
    for _ in 0..2 {
        auth.clock.advance(TimeDelta::seconds(1799));
        ana = session(&auth.refresh(&ana.refresh_token).await);
    }
    auth.clock.advance(TimeDelta::seconds(2));

    expired(&auth.refresh(&ana.refresh_token).await, "");
    expired(&auth.refresh(&ana.refresh_token).await, "");
    // The access token stays valid until it expires, so that its owner can still sign out.
    assert_eq!(auth.user(&ana).await.status, 200);
    assert_eq!(auth.as_owner(&ana).post_json("/logout", &json!({})).await.status, 204);
    refused(&auth.refresh(&ana.refresh_token).await, 400, "refresh_token_not_found");
    session(&auth.refresh(&sign_in(&auth).await.refresh_token).await);
}

#[tokio::test]
async fn inactivity_ends_a_session_and_a_refresh_postpones_it() {
    let auth = Auth::start_with(&[("AUTH_SESSIONS_INACTIVITY_TIMEOUT_SECONDS", "3600")]).await;
    let mut ana = auth.influencer(ANA).await;
    for _ in 0..3 {
        auth.clock.advance(TimeDelta::seconds(3599));
        ana = session(&auth.refresh(&ana.refresh_token).await);
    }
    auth.clock.advance(TimeDelta::seconds(3600));

    expired(&auth.refresh(&ana.refresh_token).await, " (Inactivity)");
}

#[tokio::test]
async fn a_newer_sign_in_can_end_a_session() {
    let auth = Auth::start_with(&[("AUTH_SESSIONS_SINGLE_PER_USER", "on")]).await;
    let bo = auth.influencer("bo@demo.serasi.test").await;
    let phone = auth.influencer(ANA).await;
    auth.clock.advance(TimeDelta::seconds(1));
    let phone = session(&auth.refresh(&phone.refresh_token).await);
    auth.clock.advance(TimeDelta::seconds(1));
    let laptop = sign_in(&auth).await;
    auth.clock.advance(TimeDelta::seconds(1));

    expired(&auth.refresh(&phone.refresh_token).await, " (Revoked by Newer Login)");
    assert_eq!(auth.user(&phone).await.status, 200, "the limit applies at the refresh");
    let laptop = session(&auth.refresh(&laptop.refresh_token).await);
    expired(&auth.refresh(&phone.refresh_token).await, " (Revoked by Newer Login)");
    session(&auth.refresh(&bo.refresh_token).await);

    // A newer session that was signed out or has expired does not end this one.
    auth.as_owner(&laptop).post_json("/logout?scope=local", &json!({})).await;
    let phone = session(&auth.refresh(&phone.refresh_token).await);
    auth.clock.advance(TimeDelta::seconds(1));
    let over = claims(&sign_in(&auth).await.access_token);
    let end = "update auth.sessions set not_after = created_at where id = $1::uuid";
    sqlx::query(end).bind(over["session_id"].as_str()).execute(&auth.rows).await.unwrap();
    session(&auth.refresh(&phone.refresh_token).await);
}

#[tokio::test]
async fn an_operators_session_must_not_have_expired() {
    let auth = Auth::start_with(&[("AUTH_SESSIONS_TIMEBOX_SECONDS", "60")]).await;
    let ana = auth.influencer(ANA).await;
    let mut claims: Value = claims(&ana.access_token);
    claims["role"] = json!("supabase_admin");
    let operator = auth.client.with_token(keys().sign(&claims).unwrap());
    assert_eq!(operator.get("/admin/users").await.status, 200);

    auth.clock.advance(TimeDelta::seconds(60));

    refused(&operator.get("/admin/users").await, 403, "session_expired");
}

#[tokio::test]
async fn a_session_that_expires_while_its_refresh_waits_is_not_an_unknown_token() {
    let auth = Auth::start().await;
    let ana = auth.influencer(ANA).await;
    let mut sign_out = auth.rows.begin().await.unwrap();
    sqlx::query("delete from auth.sessions").execute(&mut *sign_out).await.unwrap();

    let commit = async {
        let waiting = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
        eventually("the request waits", async || auth.count(waiting).await > 0).await;
        sign_out.commit().await.unwrap();
    };
    let (answer, ()) = tokio::join!(auth.refresh(&ana.refresh_token), commit);

    refused(&answer, 400, "session_not_found");
    says(&answer, "Invalid Refresh Token: No Valid Session Found");
}
