//! The running product: its address, its process, its keys, and a superuser's connection to its database.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, ensure};
use bytes::Bytes;
use clap::Args;
use platform::clock::Clock;
use platform::database::PIN;
use platform::jwt::JwtKeys;
use platform::secret::Secret;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use tokio_postgres::{Client, NoTls};

/// Lifetime of a user's token, longer than any run.
const TOKEN_SECONDS: i64 = 86_400;

#[derive(Args)]
pub struct Product {
    /// URL of the services: `http://127.0.0.1:8000`
    #[arg(long)]
    pub url: String,
    /// Process id of `serasi up`
    #[arg(long)]
    pub pid: u32,
    /// Its data directory, which has PostgreSQL's log
    #[arg(long)]
    pub data_dir: PathBuf,
    /// What it writes to stderr
    #[arg(long)]
    pub log: Option<PathBuf>,
    /// Superuser URL of its database
    #[arg(long, env = "DB_URL", hide_env_values = true)]
    pub database: String,
    /// The public key
    #[arg(long, env = "ANON_KEY", hide_env_values = true)]
    pub anon_key: String,
    /// The key that creates accounts and buckets
    #[arg(long, env = "SERVICE_ROLE_KEY", hide_env_values = true)]
    pub service_role_key: String,
    /// Signs the users' tokens
    #[arg(long, env = "JWT_SECRET", hide_env_values = true)]
    pub jwt_secret: String,
    #[arg(skip = http_client())]
    pub http: reqwest::Client,
}

fn http_client() -> reqwest::Client {
    // The server closes idle connections while other programs load it.
    let client = reqwest::Client::builder().no_proxy().pool_idle_timeout(Duration::from_secs(1));
    client.build().unwrap_or_default()
}

impl Product {
    /// # Errors
    /// When the database can't be reached.
    pub async fn sql(&self) -> anyhow::Result<Client> {
        connect(&self.database).await
    }

    /// A request with the public key.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.url)).header("apikey", &self.anon_key)
    }

    pub fn as_service(&self, method: Method, path: &str) -> RequestBuilder {
        self.request(method, path).bearer_auth(&self.service_role_key)
    }

    /// The response to JSON that is sent with the service key.
    ///
    /// # Errors
    /// When the request fails.
    pub async fn send(&self, method: Method, path: &str, json: &Value) -> anyhow::Result<Value> {
        let body = body(self.as_service(method, path).json(json)).await?;
        Ok(serde_json::from_slice(&body).unwrap_or_default())
    }

    /// # Errors
    /// When the secret is too short.
    pub fn keys(&self) -> anyhow::Result<JwtKeys> {
        Ok(JwtKeys::from_secret(Secret::new(self.jwt_secret.clone()))?)
    }

    /// A token as the auth service issues it.
    ///
    /// # Errors
    /// When it can't be signed.
    pub fn token(&self, user: &str) -> anyhow::Result<String> {
        let now = Clock::system().now().timestamp();
        let claims = json!({
            "iss": "serasi", "sub": user, "aud": "authenticated", "role": "authenticated",
            "email": format!("{user}@seed.serasi.test"), "iat": now, "exp": now + TOKEN_SECONDS, "aal": "aal1",
            "app_metadata": {}, "user_metadata": {},
        });
        Ok(self.keys()?.sign(&claims)?)
    }
}

/// # Errors
/// When the database is unreachable.
pub async fn connect(url: &str) -> anyhow::Result<Client> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.context("the database")?;
    tokio::spawn(connection);
    client.batch_execute(PIN).await?;
    Ok(client)
}

/// The body of a successful response.
///
/// # Errors
/// When there is none.
pub async fn body(request: RequestBuilder) -> anyhow::Result<Bytes> {
    let answer = request.send().await?;
    let (status, url) = (answer.status(), answer.url().path().to_owned());
    let body = answer.bytes().await.with_context(|| url.clone())?;
    ensure!(status.is_success(), "{url}: {status} {}", String::from_utf8_lossy(&body));
    Ok(body)
}

/// The status of a response that was read to its end.
///
/// # Errors
/// When there is none.
pub async fn status(request: RequestBuilder) -> anyhow::Result<u16> {
    let answer = request.send().await?;
    let status = answer.status().as_u16();
    answer.bytes().await?;
    Ok(status)
}
