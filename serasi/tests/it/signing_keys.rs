//! Account tokens signed with ES256, at every service, before and after key rotation.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use platform::jwt::{JwtKeys, generate_signing_key};
use platform::secret::Secret;
use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::prepared;
use crate::support::{Launcher, free_port, up};

pub const SECRET: &str = "a-secret-that-only-this-test-may-use";

pub struct Stack {
    url: String,
    http: Client,
    _launcher: Launcher,
}

impl Stack {
    pub fn start(data_dir: &TempDir, keys: &[&Value]) -> Self {
        let port = free_port();
        let mut command = up(data_dir.path(), port);
        command.env("JWT_SECRET", SECRET).env("JWT_SIGNING_KEYS", json!({ "keys": keys }).to_string());
        let launcher = Launcher::of(command);
        Self { url: format!("http://127.0.0.1:{port}"), http: Client::new(), _launcher: launcher }
    }

    /// Signs up or in and returns the access token.
    pub async fn token(&self, path: &str) -> String {
        let body = json!({
            "email": "ana@demo.serasi.test", "password": "correct horse", "data": { "user_type": "influencer" },
        });
        let answer = self.http.post(format!("{}/auth/v1/{path}", self.url)).json(&body).send().await.unwrap();
        answer.json::<Value>().await.unwrap()["access_token"].as_str().unwrap().to_owned()
    }

    /// The status of each service's response to the token.
    pub async fn statuses(&self, token: &str) -> [u16; 4] {
        let status = async |request: RequestBuilder| {
            request.bearer_auth(token).send().await.unwrap().status().as_u16()
        };
        let at = |path: &str| format!("{}{path}", self.url);
        let list = json!({ "prefix": "" });
        [
            status(self.http.get(at("/auth/v1/user"))).await,
            status(self.http.get(at("/rest/v1/profiles?select=email&limit=1"))).await,
            status(self.http.post(at("/storage/v1/object/list/images")).json(&list)).await,
            status(self.http.post(at("/functions/v1/create-admin")).json(&json!({}))).await,
        ]
    }

    async fn published(&self) -> Value {
        let url = format!("{}/auth/v1/.well-known/jwks.json", self.url);
        self.http.get(url).send().await.unwrap().json().await.unwrap()
    }
}

/// The function knows the caller, who is not a superadmin.
pub const KNOWN: [u16; 4] = [200, 200, 200, 403];
pub const UNKNOWN: [u16; 4] = [403, 401, 400, 401];

fn public(key: &Value) -> Value {
    let mut key = key.clone();
    key.as_object_mut().unwrap().remove("d");
    key
}

fn header(token: &str) -> Value {
    let header = URL_SAFE_NO_PAD.decode(token.split('.').next().unwrap()).unwrap();
    serde_json::from_slice(&header).unwrap()
}

#[tokio::test]
async fn every_service_accepts_the_keys_during_rotation() {
    let data_dir = prepared::data_dir();
    let (old, new) = (generate_signing_key(), generate_signing_key());

    let stack = Stack::start(&data_dir, &[&old]);
    let early = stack.token("signup").await;
    assert_eq!(header(&early), json!({ "typ": "JWT", "alg": "ES256", "kid": old["kid"] }));
    assert_eq!(stack.statuses(&early).await, KNOWN);
    let published = stack.published().await;
    assert_eq!((&published["keys"][0]["kid"], &published["keys"][0]["d"]), (&old["kid"], &Value::Null));
    // Public keys must not be accepted as HMAC secrets.
    for text in [published.to_string(), published["keys"][0].to_string()] {
        let confused = JwtKeys::from_secret(Secret::new(text)).unwrap();
        let claims = claims_of(&early);
        assert_eq!(stack.statuses(&confused.sign(&claims).unwrap()).await, UNKNOWN);
    }
    drop(stack);

    let stack = Stack::start(&data_dir, &[&new, &public(&old)]);
    let late = stack.token("token?grant_type=password").await;
    assert_eq!(header(&late)["kid"], new["kid"]);
    assert_eq!((stack.statuses(&early).await, stack.statuses(&late).await), (KNOWN, KNOWN));
    drop(stack);

    let stack = Stack::start(&data_dir, &[&new]);
    assert_eq!((stack.statuses(&early).await, stack.statuses(&late).await), (UNKNOWN, KNOWN));
    // Tokens signed with the secret are still valid.
    let ours = JwtKeys::from_secret(Secret::new(SECRET)).unwrap();
    assert_eq!(stack.statuses(&ours.sign(&claims_of(&late)).unwrap()).await, KNOWN);
}

pub fn claims_of(token: &str) -> Value {
    let claims = URL_SAFE_NO_PAD.decode(token.split('.').nth(1).unwrap()).unwrap();
    serde_json::from_slice(&claims).unwrap()
}
