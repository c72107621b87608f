use axum::http::{Request, StatusCode};
use chrono::TimeDelta;
use futures::future::join_all;
use platform::testing::client::Answer;
use serde_json::json;

use crate::support::{Auth, PASSWORD, refused, says, session};

const ANA: &str = "ana@demo.serasi.test";
const NOBODY: &str = "nobody@demo.serasi.test";

/// Three wrong passwords in ten minutes.
const THREE: [(&str, &str); 3] =
    [("AUTH_RATE_LIMITS", "on"), ("AUTH_SIGN_IN_FAILURES", "3"), ("AUTH_SIGN_IN_FAILURES_SECONDS", "600")];

async fn three() -> Auth {
    Auth::start_with(&THREE).await
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
async fn the_fourth_attempt_waits_even_when_it_is_right_and_even_after_a_restart() {
    let auth = three().await;
    auth.influencer(ANA).await;
    // Nothing tells an address with an account from one without.
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
    // One for each address, one for the client.
    assert!(stored.len() == 3 && stored.iter().all(|hash| !hash.contains('@')), "{stored:?}");

    auth.clock.advance(TimeDelta::milliseconds(599_500));
    let auth = auth.restarted().await;
    paused(&auth.sign_in(ANA, PASSWORD).await, "1");
    auth.clock.advance(TimeDelta::milliseconds(500));
    session(&auth.sign_in(ANA, PASSWORD).await);
}

#[tokio::test]
async fn a_right_password_and_a_new_one_count_from_the_beginning() {
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
async fn of_twelve_wrong_ones_at_once_three_are_heard_and_right_ones_always() {
    let auth = three().await;
    auth.influencer(ANA).await;
    refused(&auth.sign_in(ANA, "wrong").await, 400, "invalid_credentials");
    for answer in join_all((0..8).map(|_| auth.sign_in(ANA, PASSWORD))).await {
        session(&answer);
    }
    for email in [ANA, NOBODY] {
        let answers = join_all((0..12).map(|_| auth.sign_in(email, "wrong"))).await;
        let heard = answers.iter().filter(|answer| answer.status == StatusCode::BAD_REQUEST).count();
        let limited = answers.iter().filter(|answer| answer.status == StatusCode::TOO_MANY_REQUESTS).count();
        assert_eq!((heard, limited), (3, 9), "{email}");
    }
}

#[tokio::test]
async fn a_right_password_among_too_many_wrong_ones_is_not_believed() {
    let auth = three().await;
    auth.operator().post_json("/admin/users", &json!({ "email": ANA, "password": PASSWORD })).await;
    // All in flight before the first is counted: who comes after the third wrong one learns nothing.
    let wrong = (0..10).map(|_| auth.sign_in(ANA, "wrong"));
    let (wrong, right) = tokio::join!(join_all(wrong), auth.sign_in(ANA, PASSWORD));
    let heard = wrong.iter().filter(|answer| answer.status == StatusCode::BAD_REQUEST).count();
    match right.json()["error_code"].as_str() {
        // Before the third: it counted from the beginning again.
        Some("email_not_confirmed") => assert!((3..=5).contains(&heard), "{heard}"),
        _ => {
            refused(&right, 429, "over_request_rate_limit");
            assert_eq!(heard, 3);
        }
    }
    // And a refused one does not begin a new count.
    paused(&auth.sign_in(ANA, PASSWORD).await, "600");
}

#[tokio::test]
async fn guesses_at_the_current_password_count_too() {
    let auth = Auth::start_with(&[&THREE[..], &[("AUTH_REQUIRE_CURRENT_PASSWORD", "on")]].concat()).await;
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
async fn what_counts_no_more_is_removed() {
    let auth = three().await;
    for number in 0..5 {
        auth.sign_in(&format!("{number}@demo.serasi.test"), "wrong").await;
    }
    auth.clock.advance(TimeDelta::seconds(600));
    refused(&auth.sign_in(NOBODY, "wrong").await, 400, "invalid_credentials");
    // This address's, and the client's, which began again.
    assert_eq!(auth.count("select count(*) from auth.sign_in_failures").await, 2);
    assert_eq!(auth.count("select sum(failures) from auth.sign_in_failures").await, 2);
}

#[tokio::test]
async fn limits_that_are_off_count_nothing() {
    let auth = Auth::start_with(&[("AUTH_SIGN_IN_FAILURES", "1")]).await;
    for _ in 0..3 {
        refused(&auth.sign_in(NOBODY, "wrong").await, 400, "invalid_credentials");
    }
    assert_eq!(auth.count("select count(*) from auth.sign_in_failures").await, 0);
}

/// Three wrong passwords for an address, five from a client, in ten minutes.
async fn five_of_a_client() -> Auth {
    Auth::start_with(&[
        ("AUTH_RATE_LIMITS", "on"),
        ("AUTH_SIGN_IN_FAILURES", "3"),
        ("AUTH_SIGN_IN_FAILURES_OF_CLIENT", "5"),
        ("AUTH_SIGN_IN_FAILURES_SECONDS", "600"),
        ("TRUSTED_PROXIES", "127.0.0.1"),
    ])
    .await
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
async fn the_sixth_attempt_of_a_client_waits_at_every_address_and_even_after_a_restart() {
    const CLIENT: &str = "198.51.100.7";
    let auth = five_of_a_client().await;
    auth.influencer(ANA).await;
    wrong_at(&auth, CLIENT, 0..4).await;
    // A right one gives nothing back: else whoever has an account could guess at others without end.
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
async fn of_twelve_guesses_of_a_client_at_once_five_are_heard() {
    let auth = five_of_a_client().await;
    // One customer's network is one client.
    let guesses = (0..12).map(async |number: u32| {
        let client = format!("2001:db8::{number}");
        sign_in_from(&auth, &client, &format!("{number}@demo.serasi.test"), "wrong").await.status
    });
    let answers = join_all(guesses).await;
    let of = |status| answers.iter().filter(|answer| **answer == status).count();
    assert_eq!((of(StatusCode::BAD_REQUEST), of(StatusCode::TOO_MANY_REQUESTS)), (5, 7));
}
