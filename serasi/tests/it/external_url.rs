//! Tokens and links contain the URL that operators configure, never the Host header.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use reqwest::Client;
use serde_json::{Value, json};

use crate::prepared;
use crate::support::{Launcher, free_port, serasi, up};

/// Returns a token's issuer and a generated link's base URL for the given settings.
async fn named(port: u16, settings: &[(&str, &str)]) -> (String, String) {
    let data_dir = prepared::data_dir();
    let mut command = up(data_dir.path(), port);
    command.envs(settings.iter().copied());
    let _launcher = Launcher::of(command);
    let status = serasi().args(["status", "--output", "env", "--data-dir"]).arg(data_dir.path()).output();
    let keys = String::from_utf8(status.unwrap().stdout).unwrap();
    let service_key = keys.lines().find_map(|line| line.strip_prefix("SERVICE_ROLE_KEY=")).unwrap();

    let ask = async |path: &str, token: &str, body: Value| {
        let request =
            Client::new().post(format!("http://127.0.0.1:{port}/auth/v1/{path}")).bearer_auth(token);
        // Requests with forged host headers succeed, but the headers have no effect.
        let request = request.header("host", "evil.test").header("x-forwarded-host", "evil.test");
        request.json(&body).send().await.unwrap().json::<Value>().await.unwrap()
    };
    let person = json!({
        "email": "ana@demo.serasi.test", "password": "correct horse", "data": { "user_type": "influencer" },
    });
    let session = ask("signup", service_key, person).await;
    let link = json!({ "type": "magiclink", "email": "ana@demo.serasi.test" });
    let link = ask("admin/generate_link", service_key, link).await;
    let place = link["action_link"].as_str().unwrap().split("/verify?").next().unwrap();
    (issuer(session["access_token"].as_str().unwrap()), place.to_owned())
}

fn issuer(token: &str) -> String {
    let claims = URL_SAFE_NO_PAD.decode(token.split('.').nth(1).unwrap()).unwrap();
    let claims: Value = serde_json::from_slice(&claims).unwrap();
    claims["iss"].as_str().unwrap().to_owned()
}

fn both(url: &str) -> (String, String) {
    (url.to_owned(), url.to_owned())
}

#[tokio::test]
async fn the_api_external_url_takes_precedence() {
    let settings =
        [("SITE_URL", "https://serasi.test"), ("API_EXTERNAL_URL", "https://api.serasi.test/auth/v1/")];
    assert_eq!(named(free_port(), &settings).await, both("https://api.serasi.test/auth/v1"));
}

#[tokio::test]
async fn the_default_is_below_the_site_url() {
    let settings = [("SITE_URL", "https://serasi.test/")];
    assert_eq!(named(free_port(), &settings).await, both("https://serasi.test/auth/v1"));
}

#[tokio::test]
async fn without_settings_the_listen_address_is_used() {
    let port = free_port();
    assert_eq!(named(port, &[]).await, both(&format!("http://127.0.0.1:{port}/auth/v1")));
}
