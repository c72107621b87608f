//! PKCE: only the client that asked for a link can use the link's code.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use chrono::TimeDelta;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use test_support::client::Answer;

use crate::mailbox::location;
use crate::support::{Auth, claims, refused, says, session};

const ANA: &str = "ana@demo.serasi.test";
const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk-and-more";

fn with_challenge(mut body: Value) -> Value {
    body["code_challenge"] = json!(BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(VERIFIER)));
    body["code_challenge_method"] = json!("s256");
    body
}

async fn exchange(auth: &Auth, code: &str, verifier: &str) -> Answer {
    let body = json!({ "auth_code": code, "code_verifier": verifier });
    auth.client.post_json("/token?grant_type=pkce", &body).await
}

/// Follows the link of the newest mail and returns the code from the redirect.
async fn follow(auth: &Auth) -> String {
    let mail = auth.last_mail().await;
    let (token, purpose) = (mail.token_hash(), mail.parameter("type").unwrap());
    assert!(token.starts_with("pkce_"), "{token}");
    let place = location(&auth.client.get(&format!("/verify?token={token}&type={purpose}")).await);
    place.strip_prefix("https://serasi.test?code=").unwrap().to_owned()
}

#[tokio::test]
async fn every_flow_ends_in_a_session_that_names_its_method() {
    let auth = Auth::start().await;
    let start = async |path: &str, body: Value| {
        let answer = auth.client.post_json(path, &with_challenge(body)).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    };
    let vendor = json!({ "email": ANA, "password": "correct horse", "data": { "user_type": "vendor" } });
    start("/signup", vendor).await;
    for (path, method) in [("", "email/signup"), ("/recover", "recovery"), ("/otp", "magiclink")] {
        if !path.is_empty() {
            auth.wait_a_minute();
            start(path, json!({ "email": ANA })).await;
        }
        let code = follow(&auth).await;
        let ana = session(&exchange(&auth, &code, VERIFIER).await);
        assert_eq!(claims(&ana.access_token)["amr"][0]["method"], method);
        assert_eq!(auth.user(&ana).await.status, 200);
    }
}

#[tokio::test]
async fn a_mail_that_is_sent_again_belongs_to_the_flow_that_asked_for_it() {
    let auth = Auth::start().await;
    auth.sign_up(ANA, json!({ "user_type": "vendor" })).await;
    auth.wait_a_minute();
    let again = with_challenge(json!({ "email": ANA, "type": "signup" }));
    assert_eq!(auth.client.post_json("/resend", &again).await.status, 200);
    let ana = session(&exchange(&auth, &follow(&auth).await, VERIFIER).await);

    auth.as_owner(&ana).put_json("/user", &json!({ "email": "new@demo.serasi.test" })).await;
    auth.wait_a_minute();
    let again = with_challenge(json!({ "email": ANA, "type": "email_change" }));
    assert_eq!(auth.client.post_json("/resend", &again).await.status, 200);
    assert!(auth.last_mail().await.token_hash().starts_with("pkce_"));
}

#[tokio::test]
async fn the_code_needs_its_verifier_and_works_once() {
    let auth = Auth::start().await;
    auth.influencer(ANA).await;
    auth.client.post_json("/recover", &with_challenge(json!({ "email": ANA }))).await;
    let code = follow(&auth).await;

    let wrong = exchange(&auth, &code, &VERIFIER.replace('d', "e")).await;
    refused(&wrong, 400, "bad_code_verifier");
    for (code, verifier) in [("", VERIFIER), (&code, ""), ("", "")] {
        let incomplete = exchange(&auth, code, verifier).await;
        refused(&incomplete, 400, "validation_failed");
        says(&incomplete, "invalid request: both auth code and code verifier should be non-empty");
    }
    refused(&exchange(&auth, "nonsense", VERIFIER).await, 404, "flow_state_not_found");
    let stored = auth.text("select f::text from auth.flow_state f").await.unwrap();
    assert!(!stored.contains(&code));

    session(&exchange(&auth, &code, VERIFIER).await);
    refused(&exchange(&auth, &code, VERIFIER).await, 404, "flow_state_not_found");
}

#[tokio::test]
async fn a_code_is_valid_for_five_minutes_after_its_link_is_followed() {
    let auth = Auth::start().await;
    auth.influencer(ANA).await;
    for (seconds, status) in [(299, 200), (300, 422)] {
        auth.wait_a_minute();
        auth.client.post_json("/recover", &with_challenge(json!({ "email": ANA }))).await;
        // The time until the link is followed does not count.
        auth.clock.advance(TimeDelta::hours(1));
        let code = follow(&auth).await;
        auth.clock.advance(TimeDelta::seconds(seconds));
        let answer = exchange(&auth, &code, VERIFIER).await;
        assert_eq!(answer.status.as_u16(), status, "{}", answer.text());
        if status == 422 {
            refused(&answer, 422, "flow_state_expired");
        }
    }
}

#[tokio::test]
async fn a_later_request_by_someone_else_does_not_take_over_a_flow() {
    let auth = Auth::start().await;
    auth.influencer(ANA).await;
    auth.client.post_json("/recover", &with_challenge(json!({ "email": ANA }))).await;
    let mail = auth.last_mail().await;
    auth.wait_a_minute();
    let foreign = json!({ "email": ANA, "code_challenge": "x".repeat(43), "code_challenge_method": "plain" });
    auth.client.post_json("/recover", &foreign).await;

    // The first link is void, and the second link's code works only with the second challenge.
    let first = format!("/verify?token={}&type=recovery", mail.token_hash());
    assert!(location(&auth.client.get(&first).await).contains("error_code=otp_expired"));
    let code = follow(&auth).await;
    refused(&exchange(&auth, &code, VERIFIER).await, 400, "bad_code_verifier");
    session(&exchange(&auth, &code, &"x".repeat(43)).await);
}

#[tokio::test]
async fn a_typed_code_needs_no_verifier() {
    let auth = Auth::start().await;
    auth.influencer(ANA).await;
    auth.client.post_json("/otp", &with_challenge(json!({ "email": ANA }))).await;

    let code = auth.last_mail().await.code().to_owned();

    session(&auth.verify_code("email", ANA, &code).await);
}

#[tokio::test]
async fn malformed_challenges_are_refused_everywhere() {
    let auth = Auth::start().await;
    let ana = auth.influencer(ANA).await;
    for (challenge, method) in [
        ("x", "s256"),
        (&*"x".repeat(129), "s256"),
        (&*"+".repeat(43), "s256"),
        (&*"x".repeat(43), "md5"),
        ("", "s256"),
        (&*"x".repeat(43), ""),
    ] {
        let body = json!({ "email": "b@demo.serasi.test", "password": "correct horse", "type": "signup", "code_challenge": challenge, "code_challenge_method": method });
        for path in ["/signup", "/recover", "/otp", "/magiclink", "/resend"] {
            let answer = auth.client.post_json(path, &body).await;
            refused(&answer, 400, "validation_failed");
            if challenge.is_empty() || method.is_empty() {
                says(&answer, "PKCE flow requires code_challenge_method and code_challenge");
            }
        }
        refused(&auth.as_owner(&ana).put_json("/user", &body).await, 400, "validation_failed");
    }
    assert_eq!(auth.mails().await.len(), 0);
}

#[tokio::test]
async fn a_code_stays_valid_when_the_next_link_is_sent() {
    let auth = Auth::start().await;
    auth.influencer(ANA).await;
    let mut codes = Vec::new();
    for path in ["/recover", "/otp"] {
        auth.wait_a_minute();
        auth.client.post_json(path, &with_challenge(json!({ "email": ANA }))).await;
        codes.push(follow(&auth).await);
    }
    for code in codes {
        session(&exchange(&auth, &code, VERIFIER).await);
    }
}

#[tokio::test]
async fn the_next_link_deletes_expired_codes() {
    let auth = Auth::start().await;
    auth.influencer(ANA).await;
    for path in ["/recover", "/otp"] {
        auth.clock.advance(TimeDelta::minutes(5));
        auth.client.post_json(path, &with_challenge(json!({ "email": ANA }))).await;
        follow(&auth).await;
    }
    assert_eq!(auth.count("select count(*) from auth.flow_state").await, 1);
}
