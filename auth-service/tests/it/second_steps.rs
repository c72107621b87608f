//! The second step of a sign-in: replays, limits, recovery codes, and a change of the server's secret.

use std::time::{Duration, Instant};

use axum::http::Request;
use chrono::TimeDelta;
use futures::future::join_all;
use serde_json::json;
use test_support::client::{Answer, TestClient};
use test_support::person::TEST_SECRET;

use crate::authenticator::{App, challenge, enroll, protected, recovery_codes, unenroll, verify};
use crate::support::{Auth, PASSWORD, claims, refused, says, session};

const ANA: &str = "ana@demo.serasi.test";

#[track_caller]
fn wrong(answer: &Answer) {
    refused(answer, 422, "mfa_verification_failed");
    says(answer, "Invalid TOTP code entered");
}

async fn first_step(auth: &Auth) -> TestClient {
    auth.as_owner(&session(&auth.sign_in(ANA, PASSWORD).await))
}

async fn settled(auth: &Auth, app: &App) {
    session(&verify(&first_step(auth).await, &app.factor, &app.code(auth, 0)).await);
    auth.clock.advance(TimeDelta::seconds(30));
}

#[tokio::test]
async fn a_used_an_older_and_an_old_code_get_the_answer_of_a_wrong_one() {
    let auth = Auth::start().await;
    let (app, _) = protected(&auth, ANA).await;
    let used = app.code(&auth, 30);
    session(&verify(&first_step(&auth).await, &app.factor, &used).await);
    let client = first_step(&auth).await;

    // Just used; of an earlier step; expired; of a later step; and not a code.
    for code in [&used, &app.code(&auth, 0), &app.code(&auth, -90), &app.code(&auth, 90)] {
        wrong(&verify(&client, &app.factor, code).await);
    }
    auth.clock.advance(TimeDelta::minutes(5));
    for code in ["", "12345", "1234567", "abcdef", "\u{663}\u{663}\u{663}"] {
        wrong(&verify(&client, &app.factor, code).await);
    }
    auth.clock.advance(TimeDelta::minutes(5));
    session(&verify(&client, &app.factor, &format!(" {} ", app.code(&auth, -30))).await);
}

#[tokio::test]
async fn five_attempts_in_five_minutes_whatever_session_factor_or_replica() {
    let auth = Auth::start().await;
    let (app, owner) = protected(&auth, ANA).await;
    let second = enroll(&auth.as_owner(&owner), "Tablet").await;
    let code = second.code(&auth, 0);
    let owner = session(&verify(&auth.as_owner(&owner), &second.factor, &code).await);
    let replica = auth.another_service().await.with_token(&owner.access_token);
    for (client, app) in [
        (&first_step(&auth).await, &app),
        (&replica, &second),
        (&first_step(&auth).await, &second),
        (&replica, &app),
        (&replica, &app),
    ] {
        wrong(&verify(client, &app.factor, &app.wrong_code(&auth)).await);
    }

    let (client, auth) = (first_step(&auth).await, auth.restarted().await);
    for code in [app.code(&auth, 0), app.wrong_code(&auth), "aaaa-aaaa-aaaa-aaaa".to_owned()] {
        let answer = verify(&client, &app.factor, &code).await;
        refused(&answer, 429, "over_request_rate_limit");
        assert_eq!(answer.header("retry-after"), Some("300"));
    }
    auth.clock.advance(TimeDelta::seconds(299));
    refused(&verify(&client, &app.factor, &app.code(&auth, 0)).await, 429, "over_request_rate_limit");
    auth.clock.advance(TimeDelta::seconds(1));
    session(&verify(&client, &app.factor, &app.code(&auth, 0)).await);
    assert_eq!(
        auth.count("select count(*) from auth.mfa_failures").await,
        0,
        "a correct code resets the count"
    );
}

#[tokio::test]
async fn of_twenty_concurrent_attempts_five_are_compared() {
    let auth = Auth::start().await;
    let (app, _) = protected(&auth, ANA).await;
    let client = first_step(&auth).await;
    let asked = challenge(&client, &app.factor).await.json();
    let body = json!({ "challenge_id": asked["id"], "code": app.wrong_code(&auth) });
    let path = format!("/factors/{}/verify", app.factor);

    let answers = join_all((0..20).map(|_| client.post_json(&path, &body))).await;

    assert_eq!(answers.iter().filter(|answer| answer.status == 422).count(), 5);
    assert_eq!(answers.iter().filter(|answer| answer.status == 429).count(), 15);
}

#[tokio::test]
async fn of_two_concurrent_uses_of_a_code_one_succeeds() {
    let auth = Auth::start().await;
    let (app, _) = protected(&auth, ANA).await;
    // Sessions with one step would end with the first success.
    let sessions = [session(&auth.sign_in(ANA, PASSWORD).await), session(&auth.sign_in(ANA, PASSWORD).await)];
    let clients: Vec<_> = sessions.iter().map(|one| auth.as_owner(one)).collect();
    let code = app.code(&auth, 0);
    let answers = join_all(clients.iter().map(|client| async {
        let body = json!({ "challenge_id": challenge(client, &app.factor).await.json()["id"], "code": code });
        client.post_json(&format!("/factors/{}/verify", app.factor), &body).await
    }))
    .await;

    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
    assert_eq!(auth.count("select count(*) from auth.sessions where aal = 'aal1'").await, 0);
}

#[tokio::test]
async fn a_challenge_works_once_for_five_minutes_from_one_address() {
    let auth = Auth::start_with(&[("TRUSTED_PROXIES", "127.0.0.1")]).await;
    let (app, _) = protected(&auth, ANA).await;
    let client = first_step(&auth).await;
    let path = format!("/factors/{}/verify", app.factor);
    let asked = challenge(&client, &app.factor).await.json();
    assert_eq!(asked["expires_at"], (auth.clock.now() + TimeDelta::minutes(5)).timestamp());
    let from = |address: &str| Request::post(&path).header("x-forwarded-for", address);
    let body = json!({ "challenge_id": asked["id"], "code": app.code(&auth, 0) });
    let elsewhere = client.send(from("203.0.113.7"), body.to_string()).await;
    refused(&elsewhere, 422, "mfa_ip_address_mismatch");

    auth.clock.advance(TimeDelta::minutes(5));
    let late =
        client.post_json(&path, &json!({ "challenge_id": asked["id"], "code": app.code(&auth, 0) })).await;
    refused(&late, 422, "mfa_challenge_expired");

    let asked = challenge(&client, &app.factor).await.json();
    let body = |code: String| json!({ "challenge_id": asked["id"], "code": code });
    wrong(&client.post_json(&path, &body(app.wrong_code(&auth))).await);
    let owner = auth.as_owner(&session(&client.post_json(&path, &body(app.code(&auth, 0))).await));
    refused(&owner.post_json(&path, &body(app.code(&auth, 30))).await, 422, "mfa_factor_not_found");
}

#[tokio::test]
async fn ten_recovery_codes_replace_the_app_once_each() {
    let auth = Auth::start().await;
    let (app, owner) = protected(&auth, ANA).await;
    let codes = recovery_codes(&auth.as_owner(&owner)).await;
    assert_eq!(codes.len(), 10);
    let stored =
        auth.text("select string_agg(encode(code_hash, 'escape'), ' ') from auth.mfa_recovery_codes").await;
    assert!(codes.iter().all(|code| !stored.as_deref().unwrap().contains(&code[..4])));
    let left = auth.as_owner(&owner).get("/factors/recovery-codes").await.json();
    assert_eq!(left["remaining"], 10);

    let owner = session(&verify(&first_step(&auth).await, &app.factor, &codes[0].to_uppercase()).await);
    let claims = claims(&owner.access_token);
    assert_eq!((&claims["aal"], &claims["amr"][0]["method"]), (&json!("aal2"), &json!("recovery_code")));
    wrong(&verify(&first_step(&auth).await, &app.factor, &codes[0]).await);

    // New codes replace the earlier ones.
    let newer = recovery_codes(&auth.as_owner(&owner)).await;
    wrong(&verify(&first_step(&auth).await, &app.factor, &codes[1]).await);
    let owner = session(&verify(&first_step(&auth).await, &app.factor, &newer[1].replace('-', "")).await);
    // A user who lost the phone adds another app.
    let owner = auth.as_owner(&owner);
    assert_eq!(unenroll(&owner, &app.factor).await.status, 200);
    assert_eq!(auth.count("select count(*) from auth.mfa_recovery_codes").await, 0);
    enroll(&owner, "New phone").await;
}

#[tokio::test]
async fn recovery_codes_are_the_owners_and_need_a_verified_app() {
    let auth = Auth::start().await;
    let (_, owner) = protected(&auth, ANA).await;
    let codes = recovery_codes(&auth.as_owner(&owner)).await;
    let (bos, _) = protected(&auth, "bo@demo.serasi.test").await;
    let bo = auth.as_owner(&session(&auth.sign_in("bo@demo.serasi.test", PASSWORD).await));
    wrong(&verify(&bo, &bos.factor, &codes[0]).await);

    let unverified = enroll(&auth.as_owner(&owner), "Tablet").await;
    wrong(&verify(&auth.as_owner(&owner), &unverified.factor, &codes[0]).await);
    assert_eq!(auth.count("select count(*) from auth.mfa_recovery_codes").await, 10);
}

#[tokio::test]
async fn a_second_step_extends_no_time_limit() {
    let auth = Auth::start_with(&[("AUTH_SESSIONS_TIMEBOX_SECONDS", "3600")]).await;
    let (app, _) = protected(&auth, ANA).await;
    let client = first_step(&auth).await;
    auth.clock.advance(TimeDelta::seconds(3500));
    let owner = session(&verify(&client, &app.factor, &app.code(&auth, 0)).await);
    session(&auth.refresh(&owner.refresh_token).await);
    auth.clock.advance(TimeDelta::seconds(100));
    let renewed = session(&verify(&auth.as_owner(&owner), &app.factor, &app.code(&auth, 0)).await);
    refused(&auth.refresh(&renewed.refresh_token).await, 400, "session_expired");
}

#[tokio::test]
async fn a_new_secret_of_the_server_keeps_the_apps() {
    let auth = Auth::start().await;
    let (app, _) = protected(&auth, ANA).await;
    let auth = auth
        .with_settings(&[
            ("JWT_SECRET", "the-secret-after-the-rotation-of-it"),
            ("JWT_PREVIOUS_SECRETS", TEST_SECRET),
        ])
        .await;
    settled(&auth, &app).await;
    // The schedule re-encrypts the secrets. Until then, only the app stops working if its key is missing.
    let forgotten = auth.with_settings(&[("JWT_PREVIOUS_SECRETS", "")]).await;
    wrong(&verify(&first_step(&forgotten).await, &app.factor, &app.code(&forgotten, 0)).await);
    let auth = forgotten.with_settings(&[("JWT_PREVIOUS_SECRETS", TEST_SECRET)]).await;
    auth.prepare().await;
    let auth = auth.with_settings(&[("JWT_PREVIOUS_SECRETS", "")]).await;
    settled(&auth, &app).await;
}

/// How long wrong, used and expired codes take.
#[tokio::test]
async fn wrong_used_and_old_codes_take_the_same_time() {
    let auth = Auth::start().await;
    let (app, _) = protected(&auth, ANA).await;
    settled(&auth, &app).await;
    let client = first_step(&auth).await;
    let codes = [app.wrong_code(&auth), app.code(&auth, -30), app.code(&auth, -300)];
    // A busy machine only adds time, so the shortest times count. More rounds make them shorter, but not
    // equal if the work differs.
    let mut shortest = [Duration::MAX; 3];
    for round in 1..=200 {
        for (code, shortest) in codes.iter().zip(&mut shortest) {
            sqlx::query("delete from auth.mfa_failures").execute(&auth.rows).await.unwrap();
            let asked = challenge(&client, &app.factor).await.json();
            let body = json!({ "challenge_id": asked["id"], "code": code });
            let began = Instant::now();
            wrong(&client.post_json(&format!("/factors/{}/verify", app.factor), &body).await);
            *shortest = began.elapsed().min(*shortest);
        }
        let (least, most) = (shortest.iter().min().unwrap(), shortest.iter().max().unwrap());
        if round >= 20 && *most < *least * 3 {
            return;
        }
    }
    panic!("{shortest:?}");
}
