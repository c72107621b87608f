use std::num::NonZeroU32;

use auth_service::config::{Config, FailureLimit};
use axum::http::{Request, StatusCode};
use chrono::TimeDelta;
use futures::future::join_all;
use serde_json::json;
use test_support::client::Answer;

use crate::support::{Auth, PASSWORD, refused, says, session};

const ANA: &str = "ana@demo.serasi.test";
const NOBODY: &str = "nobody@demo.serasi.test";

/// Three wrong passwords per ten minutes.
async fn three_with(settings: &[(&str, &str)]) -> Auth {
    limited(3, 100, settings).await
}

async fn three() -> Auth {
    three_with(&[]).await
}

/// So many wrong passwords per address and client in ten minutes.
pub async fn limited(most: u32, most_of_client: u32, settings: &[(&str, &str)]) -> Auth {
    let number = |number| NonZeroU32::new(number).unwrap();
    let limit = FailureLimit {
        most: number(most),
        most_of_client: number(most_of_client),
        window: TimeDelta::minutes(10),
    };
    let change = |config: &mut Config| config.failure_limit = Some(limit);
    Auth::start_changed(&[&[("AUTH_RATE_LIMITS", "on")], settings].concat(), change).await
}

async fn three_wrong(auth: &Auth, email: &str) {
    for _ in 0..3 {
        refused(&auth.sign_in(email, "wrong").await, 400, "invalid_credentials");
    }
}

#[track_caller]
fn paused(answer: &Answer, seconds: &str) {
    refused(answer, 429, "over_request_rate_limit");
    says(answer, "Request rate limit reached");
    assert_eq!(answer.header("retry-after"), Some(seconds));
}

#[tokio::test]
async fn the_fourth_attempt_waits_even_with_the_right_password_and_after_a_restart() {
    let auth = three().await;
    auth.influencer(ANA).await;
    // An address with an account gets the same answers as one without.
    for email in [ANA, NOBODY] {
        three_wrong(&auth, email).await;
        paused(&auth.sign_in(email, "wrong").await, "600");
        paused(&auth.sign_in(email, PASSWORD).await, "600");
        paused(&auth.sign_in(email, &"x".repeat(80)).await, "600");
        paused(&auth.sign_in(&email.to_uppercase(), PASSWORD).await, "600");
    }
    let stored: Vec<String> = sqlx::query_scalar("select address_hash from auth.sign_in_failures")
        .fetch_all(&auth.rows)
        .await
        .unwrap();
    // One row for each address and one for the client.
    assert!(stored.len() == 3 && stored.iter().all(|hash| !hash.contains('@')), "{stored:?}");

    auth.clock.advance(TimeDelta::milliseconds(599_500));
    let auth = auth.restarted().await;
    paused(&auth.sign_in(ANA, PASSWORD).await, "1");
    auth.clock.advance(TimeDelta::milliseconds(500));
    session(&auth.sign_in(ANA, PASSWORD).await);
}

#[tokio::test]
async fn a_right_password_or_a_password_change_resets_the_count() {
    let auth = three().await;
    let ana = auth.influencer(ANA).await;
    for _ in 0..2 {
        refused(&auth.sign_in(ANA, "wrong").await, 400, "invalid_credentials");
    }
    session(&auth.sign_in(ANA, PASSWORD).await);
    three_wrong(&auth, ANA).await;
    paused(&auth.sign_in(ANA, PASSWORD).await, "600");

    let change = auth.as_owner(&ana).put_json("/user", &json!({ "password": "a new one" })).await;
    assert_eq!(change.status, StatusCode::OK, "{}", change.text());
    session(&auth.sign_in(ANA, "a new one").await);

    three_wrong(&auth, ANA).await;
    let path = format!("/admin/users/{}", ana.user_id);
    let change = auth.operator().put_json(&path, &json!({ "password": "an operator's" })).await;
    assert_eq!(change.status, StatusCode::OK, "{}", change.text());
    session(&auth.sign_in(ANA, "an operator's").await);
}

#[tokio::test]
async fn of_twelve_concurrent_wrong_passwords_three_are_checked_and_right_ones_always_pass() {
    let auth = three().await;
    auth.influencer(ANA).await;
    refused(&auth.sign_in(ANA, "wrong").await, 400, "invalid_credentials");
    for answer in join_all((0..8).map(|_| auth.sign_in(ANA, PASSWORD))).await {
        session(&answer);
    }
    for email in [ANA, NOBODY] {
        let answers = join_all((0..12).map(|_| auth.sign_in(email, "wrong"))).await;
        let checked = answers.iter().filter(|answer| answer.status == StatusCode::BAD_REQUEST).count();
        let limited = answers.iter().filter(|answer| answer.status == StatusCode::TOO_MANY_REQUESTS).count();
        assert_eq!((checked, limited), (3, 9), "{email}");
    }
}

#[tokio::test]
async fn a_right_password_after_too_many_wrong_ones_is_refused() {
    let auth = three().await;
    auth.operator().post_json("/admin/users", &json!({ "email": ANA, "password": PASSWORD })).await;
    // All are in flight before the first is counted. An attempt after the third wrong one learns nothing.
    let wrong = (0..10).map(|_| auth.sign_in(ANA, "wrong"));
    let (wrong, right) = tokio::join!(join_all(wrong), auth.sign_in(ANA, PASSWORD));
    let checked = wrong.iter().filter(|answer| answer.status == StatusCode::BAD_REQUEST).count();
    match right.json()["error_code"].as_str() {
        // The right password came before the third wrong one, so the count began again.
        Some("email_not_confirmed") => assert!((3..=5).contains(&checked), "{checked}"),
        _ => {
            refused(&right, 429, "over_request_rate_limit");
            assert_eq!(checked, 3);
        }
    }
    // A refused attempt does not start a new count.
    paused(&auth.sign_in(ANA, PASSWORD).await, "600");
}

#[tokio::test]
async fn wrong_current_passwords_count_too() {
    let auth = three_with(&[("AUTH_REQUIRE_CURRENT_PASSWORD", "on")]).await;
    let ana = auth.influencer(ANA).await;
    let guess = async |current: &str| {
        let body = json!({ "password": "a new one", "current_password": current });
        auth.as_owner(&ana).put_json("/user", &body).await
    };
    for _ in 0..3 {
        refused(&guess("wrong").await, 400, "current_password_invalid");
    }
    paused(&guess(PASSWORD).await, "600");
    paused(&auth.sign_in(ANA, PASSWORD).await, "600");
    auth.clock.advance(TimeDelta::seconds(600));
    assert_eq!(guess(PASSWORD).await.status, StatusCode::OK);
}

#[tokio::test]
async fn expired_counts_are_deleted() {
    let auth = three().await;
    for number in 0..5 {
        auth.sign_in(&format!("{number}@demo.serasi.test"), "wrong").await;
    }
    auth.clock.advance(TimeDelta::seconds(600));
    refused(&auth.sign_in(NOBODY, "wrong").await, 400, "invalid_credentials");
    // One row for this address, and one for the client, whose count began again.
    assert_eq!(auth.count("select count(*) from auth.sign_in_failures").await, 2);
    assert_eq!(auth.count("select sum(failures) from auth.sign_in_failures").await, 2);
}

#[tokio::test]
async fn disabled_limits_count_nothing() {
    let auth = Auth::start().await;
    for _ in 0..20 {
        refused(&auth.sign_in(NOBODY, "wrong").await, 400, "invalid_credentials");
    }
    assert_eq!(auth.count("select count(*) from auth.sign_in_failures").await, 0);
}

/// Three wrong passwords per address and five per client in ten minutes.
async fn five_of_a_client() -> Auth {
    limited(3, 5, &[("TRUSTED_PROXIES", "127.0.0.1")]).await
}

async fn sign_in_from(auth: &Auth, client: &str, email: &str, password: &str) -> Answer {
    let request = Request::post("/token?grant_type=password").header("x-forwarded-for", client);
    auth.client.send(request, json!({ "email": email, "password": password }).to_string()).await
}

async fn wrong_at(auth: &Auth, client: &str, numbers: std::ops::Range<u32>) {
    for number in numbers {
        let answer = sign_in_from(auth, client, &format!("{number}@demo.serasi.test"), "wrong").await;
        refused(&answer, 400, "invalid_credentials");
    }
}

#[tokio::test]
async fn a_clients_sixth_attempt_waits_at_every_address_and_after_a_restart() {
    const CLIENT: &str = "198.51.100.7";
    let auth = five_of_a_client().await;
    auth.influencer(ANA).await;
    wrong_at(&auth, CLIENT, 0..4).await;
    // A right password does not reset the client's count. Otherwise an account holder could guess at others
    // without limit.
    session(&sign_in_from(&auth, CLIENT, ANA, PASSWORD).await);
    wrong_at(&auth, CLIENT, 4..5).await;

    paused(&sign_in_from(&auth, CLIENT, "5@demo.serasi.test", "wrong").await, "600");
    paused(&sign_in_from(&auth, CLIENT, ANA, PASSWORD).await, "600");
    session(&sign_in_from(&auth, "198.51.100.8", ANA, PASSWORD).await);

    auth.clock.advance(TimeDelta::milliseconds(599_500));
    let auth = auth.restarted().await;
    paused(&sign_in_from(&auth, CLIENT, ANA, PASSWORD).await, "1");
    auth.clock.advance(TimeDelta::milliseconds(500));
    session(&sign_in_from(&auth, CLIENT, ANA, PASSWORD).await);
    wrong_at(&auth, CLIENT, 0..5).await;
    paused(&sign_in_from(&auth, CLIENT, ANA, PASSWORD).await, "600");
}

#[tokio::test]
async fn of_twelve_concurrent_guesses_of_a_client_five_are_checked() {
    let auth = five_of_a_client().await;
    // All addresses of one customer's network count as one client.
    let guesses = (0..12).map(async |number: u32| {
        let client = format!("2001:db8::{number}");
        sign_in_from(&auth, &client, &format!("{number}@demo.serasi.test"), "wrong").await.status
    });
    let answers = join_all(guesses).await;
    let of = |status| answers.iter().filter(|answer| **answer == status).count();
    assert_eq!((of(StatusCode::BAD_REQUEST), of(StatusCode::TOO_MANY_REQUESTS)), (5, 7));
}

#[tokio::test]
async fn one_client_cannot_use_up_an_addresss_allowance() {
    let auth = limited(4, 100, &[("TRUSTED_PROXIES", "127.0.0.1")]).await;
    auth.influencer(ANA).await;
    for email in [ANA, NOBODY] {
        let answers = join_all((0..12).map(|_| sign_in_from(&auth, "198.51.100.7", email, "wrong"))).await;
        let checked = answers.iter().filter(|answer| answer.status == StatusCode::BAD_REQUEST).count();
        assert_eq!(checked, 2, "{email}");
    }
    paused(&sign_in_from(&auth, "198.51.100.7", ANA, PASSWORD).await, "600");
    session(&sign_in_from(&auth, "198.51.100.8", ANA, PASSWORD).await);

    // The right password reset the count. Two clients together use up the allowance.
    for client in ["198.51.100.7", "198.51.100.9"] {
        for _ in 0..2 {
            refused(&sign_in_from(&auth, client, ANA, "wrong").await, 400, "invalid_credentials");
        }
    }
    paused(&sign_in_from(&auth, "198.51.100.8", ANA, PASSWORD).await, "600");
}
