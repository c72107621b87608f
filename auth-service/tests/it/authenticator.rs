//! An authenticator app, written independently of the service.

use axum::body::Body;
use axum::http::Request;
use chrono::TimeDelta;
use ring::hmac;
use serde_json::json;
use test_support::client::{Answer, TestClient};

use crate::support::{Auth, Session, session};

/// An enrolled app.
#[derive(Clone)]
pub struct App {
    pub factor: String,
    secret: Vec<u8>,
}

impl App {
    /// The code that the app shows at a time, in seconds from the test's current time.
    pub fn code(&self, auth: &Auth, seconds: i64) -> String {
        let step = (auth.clock.now() + TimeDelta::seconds(seconds)).timestamp() / 30;
        let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, &self.secret);
        let digest = hmac::sign(&key, &step.to_be_bytes());
        let start = usize::from(digest.as_ref()[19] % 16);
        let four: [u8; 4] = digest.as_ref()[start..start + 4].try_into().unwrap();
        format!("{:06}", u32::from_be_bytes(four) % (1 << 31) % 1_000_000)
    }

    /// A code that isn't valid at any time near the current time.
    pub fn wrong_code(&self, auth: &Auth) -> String {
        let right: Vec<_> = (-4..=4).map(|step| self.code(auth, 30 * step)).collect();
        (0..).map(|number| format!("{number:06}")).find(|code| !right.contains(code)).unwrap()
    }
}

pub async fn enroll(owner: &TestClient, name: &str) -> App {
    let answer = owner.post_json("/factors", &json!({ "factor_type": "totp", "friendly_name": name })).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let body = answer.json();
    let secret = body["totp"]["secret"].as_str().unwrap();
    let secret = base32::decode(base32::Alphabet::Rfc4648 { padding: false }, secret).unwrap();
    App { factor: body["id"].as_str().unwrap().to_owned(), secret }
}

pub async fn challenge(owner: &TestClient, factor: &str) -> Answer {
    owner.post_json(&format!("/factors/{factor}/challenge"), &json!({})).await
}

/// Challenge and verification.
pub async fn verify(owner: &TestClient, factor: &str, code: &str) -> Answer {
    let challenge = challenge(owner, factor).await;
    assert_eq!(challenge.status, 200, "{}", challenge.text());
    let body = json!({ "challenge_id": challenge.json()["id"], "code": code });
    owner.post_json(&format!("/factors/{factor}/verify"), &body).await
}

pub async fn unenroll(owner: &TestClient, factor: &str) -> Answer {
    owner.send(Request::delete(format!("/factors/{factor}")), Body::empty()).await
}

/// An account with an app, in the session that added it. The next code is that of the next step.
pub async fn protected(auth: &Auth, email: &str) -> (App, Session) {
    let owner = auth.influencer(email).await;
    let app = enroll(&auth.as_owner(&owner), "Phone").await;
    let verified = verify(&auth.as_owner(&owner), &app.factor, &app.code(auth, 0)).await;
    let owner = session(&verified);
    auth.clock.advance(TimeDelta::seconds(30));
    (app, owner)
}

/// Ten new recovery codes.
pub async fn recovery_codes(owner: &TestClient) -> Vec<String> {
    let answer = owner.post_json("/factors/recovery-codes", &json!({})).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    serde_json::from_value(answer.json()["codes"].clone()).unwrap()
}
