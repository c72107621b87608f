//! A gateway with its own database that contains the fixtures.

use axum::http::Request;
use platform::env::Env;
use rest_gateway::{Config, Gateway};
use serde_json::{Value, json};
use sqlx::{ConnectOptions, Executor, PgConnection};
use test_support::client::{Answer, TestClient};
use test_support::database::TestDatabase;

pub use crate::database::{database, uri};

pub const SECRET: &str = "reallyreallyreallyreallyverysafe";

pub struct Api {
    pub gateway: Gateway,
    pub database: TestDatabase,
    client: TestClient,
}

impl Api {
    pub async fn start() -> Self {
        Self::start_with(&[]).await
    }

    /// Starts with settings that override the tests' defaults.
    pub async fn start_with(settings: &[(&str, &str)]) -> Self {
        let database = database().await;
        let gateway = rest_gateway::start(config(&database, settings)).await.expect("start");
        gateway.loaded().await;
        let client = TestClient::new(gateway.router());
        Self { gateway, database, client }
    }

    /// Starts another gateway on the same database.
    pub async fn start_another(&self, settings: &[(&str, &str)]) -> OtherGateway {
        let gateway = rest_gateway::start(config(&self.database, settings)).await.expect("start");
        gateway.loaded().await;
        OtherGateway { client: TestClient::new(gateway.router()), _gateway: gateway }
    }

    /// A superuser connection, for test data and assertions.
    pub async fn owner(&self) -> PgConnection {
        self.database.owner().connect().await.expect("connect as superuser")
    }

    pub async fn sql(&self, statements: &'static str) {
        self.owner().await.execute(statements).await.expect("run SQL");
    }

    pub async fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[], "").await
    }

    pub async fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut request = Request::builder().method(method).uri(encoded(path));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if !body.is_empty() && !headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type")) {
            request = request.header("content-type", "application/json");
        }
        self.client.send(request, body.to_owned()).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.send("POST", path, &[], &body.to_string()).await
    }

    /// The body of a successful GET.
    pub async fn rows(&self, path: &str) -> Value {
        let answer = self.get(path).await;
        assert!(answer.status.is_success(), "{path}: {} {}", answer.status, answer.text());
        answer.json()
    }

    /// Asserts that a GET returns these rows.
    pub async fn assert_rows(&self, path: &str, expected: Value) {
        assert_eq!(self.rows(path).await, expected, "{path}");
    }

    /// Asserts that a GET fails with this status and code.
    pub async fn assert_error(&self, path: &str, status: u16, code: &str) -> Value {
        let answer = self.get(path).await;
        assert_eq!(
            (answer.status.as_u16(), answer.json()["code"].as_str()),
            (status, Some(code)),
            "{path}: {}",
            answer.text()
        );
        answer.json()
    }
}

/// Another gateway on the database of an [`Api`].
pub struct OtherGateway {
    client: TestClient,
    _gateway: Gateway,
}

impl OtherGateway {
    pub async fn assert_rows(&self, path: &str, expected: Value) {
        assert_eq!(self.client.get(path).await.json(), expected, "{path}");
    }

    /// Repeats a GET until its rows meet the condition.
    pub async fn wait_until(&self, path: &str, holds: impl Fn(&Value) -> bool) {
        let mut answer = Value::Null;
        for _ in 0..250 {
            answer = self.client.get(path).await.json();
            if holds(&answer) {
                return;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        panic!("{path}: {answer}");
    }
}

/// Encodes spaces and characters that URIs can't contain.
fn encoded(path: &str) -> String {
    let mut text = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_graphic() && !b"\"<>\\^`{|}".contains(&byte) {
            text.push(char::from(byte));
        } else {
            text.push_str(&format!("%{byte:02X}"));
        }
    }
    text
}

pub fn config(database: &TestDatabase, settings: &[(&str, &str)]) -> Config {
    let uri = uri(database);
    let defaults = [
        ("PGRST_DB_URI", uri.as_str()),
        ("PGRST_DB_SCHEMAS", "api"),
        ("PGRST_DB_ANON_ROLE", "gateway_anon"),
        ("PGRST_DB_POOL", "3"),
        ("PGRST_JWT_SECRET", SECRET),
        ("PGRST_DB_TX_END", "commit-allow-override"),
    ];
    let env: Env = defaults.iter().chain(settings).copied().collect();
    Config::from_env(&env).expect("settings")
}

/// An Authorization header with a token for these claims.
pub fn bearer(claims: &Value) -> String {
    platform::jwt::ring_provider::install();
    let key = jsonwebtoken::EncodingKey::from_secret(SECRET.as_bytes());
    let header = jsonwebtoken::Header::new(jsonwebtoken::Algorithm::HS256);
    format!("Bearer {}", jsonwebtoken::encode(&header, claims, &key).expect("sign"))
}

pub fn as_author() -> String {
    bearer(&json!({ "role": "gateway_author", "id": "jdoe" }))
}

/// An error body.
pub fn error(code: &str, message: &str, details: Value, hint: Value) -> Value {
    json!({ "code": code, "message": message, "details": details, "hint": hint })
}
