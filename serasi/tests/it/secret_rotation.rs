//! The secret in the data directory is replaced as docs/keys.md describes: every service accepts tokens of
//! the old one until it is removed.

use std::fs;

use reqwest::Client;
use serde_json::{Value, json};

use crate::support::{Launcher, free_port, up};

struct Stack {
    url: String,
    http: Client,
    _launcher: Launcher,
}

impl Stack {
    fn start(data_dir: &std::path::Path) -> Self {
        let port = free_port();
        let launcher = Launcher::of(up(data_dir, port));
        Self { url: format!("http://127.0.0.1:{port}"), http: Client::new(), _launcher: launcher }
    }

    async fn sign_up(&self) -> Value {
        let body = json!({
            "email": "ana@demo.serasi.test", "password": "correct horse", "data": { "user_type": "influencer" },
        });
        let url = format!("{}/auth/v1/signup", self.url);
        self.http.post(url).json(&body).send().await.unwrap().json().await.unwrap()
    }

    async fn refreshed(&self, session: &Value) -> Value {
        let body = json!({ "refresh_token": session["refresh_token"] });
        let url = format!("{}/auth/v1/token?grant_type=refresh_token", self.url);
        self.http.post(url).json(&body).send().await.unwrap().json().await.unwrap()
    }

    /// The responses of auth, gateway, storage and functions to an account's token.
    async fn statuses(&self, session: &Value) -> [u16; 4] {
        let token = session["access_token"].as_str().unwrap();
        let status = async |request: reqwest::RequestBuilder| {
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

    async fn rows(&self, anon_key: &str) -> u16 {
        let url = format!("{}/rest/v1/influencers?select=id&limit=1", self.url);
        self.http.get(url).bearer_auth(anon_key).send().await.unwrap().status().as_u16()
    }
}

fn anon_key(data_dir: &std::path::Path) -> String {
    let running: Value = serde_json::from_slice(&fs::read(data_dir.join("running.json")).unwrap()).unwrap();
    running["anon_key"].as_str().unwrap().to_owned()
}

/// A superadmin may use the function; this account may not.
const KNOWN: [u16; 4] = [200, 200, 200, 403];
const UNKNOWN: [u16; 4] = [403, 401, 400, 401];

#[tokio::test]
async fn nobody_signs_in_again_after_a_rotation() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path();
    let stack = Stack::start(data_dir);
    let (session, old_key) = (stack.sign_up().await, anon_key(data_dir));
    assert_eq!(stack.statuses(&session).await, KNOWN);
    drop(stack);

    fs::rename(data_dir.join("jwt-secret"), data_dir.join("jwt-previous-secrets")).unwrap();
    let stack = Stack::start(data_dir);
    assert_ne!(anon_key(data_dir), old_key);
    assert_eq!((stack.statuses(&session).await, stack.rows(&old_key).await), (KNOWN, 200));
    let renewed = stack.refreshed(&session).await;
    assert_eq!(stack.statuses(&renewed).await, KNOWN);
    drop(stack);

    fs::remove_file(data_dir.join("jwt-previous-secrets")).unwrap();
    let stack = Stack::start(data_dir);
    assert_eq!((stack.statuses(&session).await, stack.rows(&old_key).await), (UNKNOWN, 401));
    assert_eq!(stack.statuses(&renewed).await, KNOWN);
}

#[test]
fn a_short_previous_secret_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("jwt-previous-secrets"), "too short\n").unwrap();
    let output = up(folder.path(), free_port()).output().unwrap();
    let message = crate::support::refusal(&output);
    assert!(message.contains("JWT_PREVIOUS_SECRETS: needs at least 32 bytes"), "{message}");
}
