use std::io::Write;
use std::time::{Duration, Instant};

use futures::future::join_all;
use serde_json::json;

use crate::support::{Auth, PASSWORD, claims, refused, says, session};
use test_support::waiting::eventually;

#[tokio::test]
async fn each_password_sign_in_opens_a_new_session() {
    let auth = Auth::start().await;
    auth.influencer("ana@demo.serasi.test").await;
    auth.clock.advance(chrono::TimeDelta::minutes(5));

    let answer = auth.sign_in("ANA@demo.serasi.test", PASSWORD).await;
    let other = session(&auth.sign_in("ana@demo.serasi.test", PASSWORD).await);

    let one = session(&answer);
    assert_ne!(claims(&one.access_token)["session_id"], claims(&other.access_token)["session_id"]);
    let signed_in =
        answer.json()["user"]["last_sign_in_at"].as_str().unwrap().parse::<chrono::DateTime<chrono::Utc>>();
    assert_eq!(signed_in.unwrap().timestamp(), auth.clock.now().timestamp());
    assert_eq!(answer.json()["weak_password"], serde_json::Value::Null);
    assert_eq!(auth.count("select count(*) from auth.sessions where ip = '127.0.0.1'").await, 3);
}

#[tokio::test]
async fn an_unknown_address_and_a_wrong_password_get_the_same_answer() {
    let auth = Auth::start().await;
    auth.influencer("ana@demo.serasi.test").await;

    let unknown = auth.sign_in("nobody@demo.serasi.test", PASSWORD).await;
    let wrong = auth.sign_in("ana@demo.serasi.test", "wrong horse").await;
    let endless = auth.sign_in("ana@demo.serasi.test", &"x".repeat(5000)).await;

    refused(&unknown, 400, "invalid_credentials");
    says(&unknown, "Invalid login credentials");
    assert_eq!((&unknown.body, &unknown.headers), (&wrong.body, &wrong.headers));
    assert_eq!((&unknown.body, &unknown.headers), (&endless.body, &endless.headers));
}

#[tokio::test]
async fn an_unknown_address_takes_as_long_as_a_wrong_password() {
    let auth = Auth::start().await;
    auth.influencer("ana@demo.serasi.test").await;
    let (mut unknown, mut wrong) = (Vec::new(), Vec::new());

    for round in 0..9 {
        let mut turns = [("nobody@demo.serasi.test", &mut unknown), ("ana@demo.serasi.test", &mut wrong)];
        // On a busy machine, a late hash raises the priority of the next one, so each kind goes first in turn.
        if round % 2 == 1 {
            turns.reverse();
        }
        for (email, times) in turns {
            let start = Instant::now();
            auth.sign_in(email, "wrong horse").await;
            times.push(start.elapsed());
        }
    }

    // Without the fake hash the ratio is 20 or more. A busy machine only adds time, so the shortest times count.
    let shortest = |times: Vec<Duration>| times.into_iter().min().unwrap().as_secs_f64();
    let (unknown, wrong) = (shortest(unknown), shortest(wrong));
    assert!(wrong / unknown < 3.0 && unknown / wrong < 3.0, "{unknown} s against {wrong} s");
}

#[tokio::test]
async fn missing_fields_are_named() {
    let auth = Auth::start().await;
    let token =
        async |body: serde_json::Value| auth.client.post_json("/token?grant_type=password", &body).await;

    let neither = token(json!({ "password": "x" })).await;
    refused(&neither, 400, "validation_failed");
    says(&neither, "missing email or phone");
    refused(
        &token(json!({ "email": "a@b.co", "phone": "1", "password": "x" })).await,
        400,
        "validation_failed",
    );
    refused(&token(json!({ "phone": "1", "password": "x" })).await, 400, "phone_provider_disabled");
    refused(&token(json!({ "email": "a@b.co" })).await, 400, "invalid_credentials");
    refused(&token(json!({ "email": 7 })).await, 400, "bad_json");
    for grant in ["/token", "/token?grant_type=", "/token?grant_type=authorization_code"] {
        let answer = auth.client.post_json(grant, &json!({})).await;
        refused(&answer, 400, "invalid_credentials");
        says(&answer, "unsupported_grant_type");
    }
}

#[tokio::test]
async fn hashes_are_argon2id_and_are_upgraded_with_the_setting() {
    let auth = Auth::start().await;
    auth.influencer("ana@demo.serasi.test").await;
    let hash = "select encrypted_password from auth.users";
    assert!(auth.text(hash).await.unwrap().starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));

    let dearer = Auth::start_changed(&[], |config| config.hash_cost.iterations = 3).await;
    let ana = auth.text(hash).await.unwrap();
    let body = json!({ "email": "ana@demo.serasi.test", "password_hash": ana, "email_confirm": true });
    assert_eq!(dearer.operator().post_json("/admin/users", &body).await.status, 200);
    // One sign-in stores the stronger hash; the others still succeed.
    for answer in join_all((0..6).map(|_| dearer.sign_in("ana@demo.serasi.test", PASSWORD))).await {
        session(&answer);
    }

    let grown = dearer.text(hash).await.unwrap();
    assert!(grown.starts_with("$argon2id$v=19$m=19456,t=3,p=1$"), "{grown}");
    session(&dearer.sign_in("ana@demo.serasi.test", PASSWORD).await);
    assert_eq!(dearer.text(hash).await.unwrap(), grown);
}

#[tokio::test]
async fn an_existing_weak_password_still_works_and_is_reported() {
    let auth = Auth::start_with(&[("AUTH_PASSWORD_MIN_LENGTH", "20")]).await;
    let body = json!({ "email": "ana@demo.serasi.test", "password": PASSWORD, "email_confirm": true });
    assert_eq!(auth.operator().post_json("/admin/users", &body).await.status, 200);

    let answer = auth.sign_in("ana@demo.serasi.test", PASSWORD).await;

    session(&answer);
    assert_eq!(answer.json()["weak_password"]["reasons"], json!(["length"]));
}

#[tokio::test]
async fn common_passwords_are_rejected() {
    let mut list = tempfile::NamedTempFile::new().unwrap();
    list.write_all(b"letmein\ncorrect horse\n").unwrap();
    let auth = Auth::start_with(&[("AUTH_COMMON_PASSWORDS", list.path().to_str().unwrap())]).await;
    let refusal = auth.sign_up("ana@demo.serasi.test", json!({ "user_type": "influencer" })).await;
    refused(&refusal, 422, "weak_password");
    assert_eq!(refusal.json()["weak_password"], json!({ "reasons": ["pwned"] }));

    let body = json!({ "email": "ana@demo.serasi.test", "password": PASSWORD, "email_confirm": true });
    assert_eq!(auth.operator().post_json("/admin/users", &body).await.status, 200);
    let answer = auth.sign_in("ana@demo.serasi.test", PASSWORD).await;
    assert_eq!(answer.json()["weak_password"]["reasons"], json!(["pwned"]));
    let change = auth.as_owner(&session(&answer)).put_json("/user", &json!({ "password": "LetMeIn" })).await;
    refused(&change, 422, "weak_password");
}

#[tokio::test]
async fn the_database_stores_no_password_or_token_in_clear_text() {
    let auth = Auth::start().await;
    let ana = auth.influencer("ana@demo.serasi.test").await;

    let dump = auth
        .text(
            "select concat((select string_agg(u::text, ' ') from auth.users u),
                    (select string_agg(s::text, ' ') from auth.sessions s),
                    (select string_agg(r::text, ' ') from auth.refresh_tokens r),
                    (select string_agg(i::text, ' ') from auth.identities i))",
        )
        .await
        .unwrap();

    assert!(dump.contains("ana@demo.serasi.test"));
    assert!(
        !dump.contains(PASSWORD) && !dump.contains(&ana.refresh_token) && !dump.contains(&ana.access_token)
    );
    assert!(ana.refresh_token.len() >= 25, "128 bits in base 36");
}

#[tokio::test]
async fn concurrent_sign_ins_all_succeed() {
    let auth = Auth::start().await;
    auth.influencer("ana@demo.serasi.test").await;

    let answers = join_all((0..20).map(|_| auth.sign_in("ana@demo.serasi.test", PASSWORD))).await;

    answers.iter().for_each(|answer| drop(session(answer)));
    assert_eq!(auth.count("select count(*) from auth.sessions").await, 21);
}

/// Changes the password in a transaction that stays open until the test ends it.
async fn holding_a_new_password(auth: &Auth) -> sqlx::Transaction<'static, sqlx::Postgres> {
    let mut holder = auth.rows.begin().await.unwrap();
    let change = "update auth.users set encrypted_password =
        '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$R1Gd7VQ/c8FzTKYNkvnDSWM7oXbLQDVQ1OEhfSMfQLs'";
    sqlx::query(change).execute(&mut *holder).await.unwrap();
    holder
}

async fn wait_until_blocked(auth: &Auth) {
    let waiting = "select count(*) from pg_stat_activity
                    where datname = current_database() and wait_event_type = 'Lock'";
    eventually("a request waits", async || auth.count(waiting).await > 0).await;
}

#[tokio::test]
async fn a_password_changed_during_its_check_opens_no_session() {
    let auth = Auth::start().await;
    auth.influencer("ana@demo.serasi.test").await;

    let holder = holding_a_new_password(&auth).await;
    let (sign_in, ()) = tokio::join!(auth.sign_in("ana@demo.serasi.test", PASSWORD), async {
        wait_until_blocked(&auth).await;
        holder.commit().await.unwrap();
    });

    refused(&sign_in, 400, "invalid_credentials");
    assert_eq!(auth.count("select count(*) from auth.sessions").await, 1);
}

#[tokio::test]
async fn the_later_of_two_concurrent_password_changes_is_a_conflict() {
    let auth = Auth::start().await;
    let ana = auth.influencer("ana@demo.serasi.test").await;
    let (owner, body) = (auth.as_owner(&ana), json!({ "password": "battery staple" }));

    let holder = holding_a_new_password(&auth).await;
    let (change, ()) = tokio::join!(owner.put_json("/user", &body), async {
        wait_until_blocked(&auth).await;
        holder.commit().await.unwrap();
    });

    refused(&change, 409, "conflict");
}

#[tokio::test]
async fn a_lost_connection_is_not_reused() {
    let auth = Auth::start().await;
    auth.influencer("ana@demo.serasi.test").await;
    let sign_in = async || auth.sign_in("ana@demo.serasi.test", PASSWORD).await;
    session(&sign_in().await);
    let kill = "select count(pg_terminate_backend(pid)) from pg_stat_activity
                 where datname = current_database() and usename = 'auth_admin'";

    eventually("no connection is left", async || auth.count(kill).await == 0).await;

    session(&sign_in().await);
    session(&sign_in().await);
    session(&sign_in().await);
}

#[tokio::test]
async fn an_impossible_address_is_treated_as_unknown() {
    let auth = Auth::start().await;
    refused(&auth.sign_in("a\0@demo.serasi.test", PASSWORD).await, 400, "invalid_credentials");
}

#[tokio::test]
async fn response_headers_name_the_account_and_the_session() {
    let auth = Auth::start().await;
    let first = auth.sign_up("ana@demo.serasi.test", json!({ "user_type": "influencer" })).await;
    let second = auth.sign_in("ana@demo.serasi.test", PASSWORD).await;
    let third = auth.refresh(&session(&second).refresh_token).await;
    auth.client.post_json("/otp", &json!({ "email": "ana@demo.serasi.test" })).await;
    let code = auth.last_mail().await;
    let fourth = auth.verify_code("email", "ana@demo.serasi.test", code.code()).await;
    for answer in [first, second, third, fourth] {
        let ana = session(&answer);
        assert_eq!(answer.header("sb-auth-user-id"), Some(&*ana.user_id));
        let session = claims(&ana.access_token)["session_id"].as_str().unwrap().to_owned();
        assert_eq!(answer.header("sb-auth-session-id"), Some(&*session));
        assert_eq!(answer.header("sb-auth-refresh-token-prefix"), Some(&ana.refresh_token[..5]));
    }
}
