//! The auth service: its admin API, and checks whether a caller's session is still valid.

use axum::http::StatusCode;
use platform::http::request_id;
use platform::secret::Secret;
use platform::trace;
use reqwest::{Client, RequestBuilder, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::config::Config;
use crate::error::{FunctionError, Result};

/// From this version on, `code` in an error body is the error's name.
const API_VERSION: (&str, &str) = ("x-supabase-api-version", "2024-01-01");

pub struct AuthClient {
    url: String,
    anon_key: Secret,
    service_key: Secret,
    http: Client,
}

#[derive(Debug, Deserialize)]
pub struct Account {
    pub id: Uuid,
    pub email: String,
}

impl AuthClient {
    pub fn new(config: &Config, http: Client) -> Self {
        Self {
            url: config.auth_url.clone(),
            anon_key: config.anon_key.clone(),
            service_key: config.service_key.clone(),
            http,
        }
    }

    /// Whether the service answers.
    pub async fn responds(&self) -> bool {
        let answer = self.http.get(format!("{}/health", self.url)).send().await;
        answer.is_ok_and(|response| response.status().is_success())
    }

    /// The account behind an access token. Unlike the token itself, the auth service knows about ended
    /// sessions and about banned or deleted accounts.
    pub async fn account_of(&self, token: &str) -> Result<Account> {
        let request = self.http.get(format!("{}/user", self.url)).header("apikey", self.anon_key.expose());
        let response = send(request.bearer_auth(token)).await?;
        if response.status().is_client_error() {
            return Err(FunctionError::unauthorized("Your session has ended. Please sign in again."));
        }
        read(response).await
    }

    /// Creates a confirmed account. In the same transaction, the database assigns the role and records in the
    /// audit log who granted it.
    pub async fn create(&self, email: &str, password: &str, role: &str, by: Uuid) -> Result<Account> {
        let body = json!({
            "email": email, "password": password, "email_confirm": true,
            "app_metadata": { "marketplace_role": role, "created_by": by },
        });
        let request = self.as_operator(self.http.post(format!("{}/admin/users", self.url)));
        let response = send(request.json(&body)).await?;
        if response.status().is_client_error() {
            return Err(refusal(response).await);
        }
        read(response).await
    }

    pub async fn delete(&self, account: Uuid) -> Result<()> {
        let request = self.as_operator(self.http.delete(format!("{}/admin/users/{account}", self.url)));
        let response = send(request).await?;
        // The account no longer exists, which is the goal.
        if response.status().is_success() || response.status() == reqwest::StatusCode::NOT_FOUND {
            return Ok(());
        }
        Err(FunctionError::internal(&format!("deleting account {account} answered {}", response.status())))
    }

    fn as_operator(&self, request: RequestBuilder) -> RequestBuilder {
        let key = self.service_key.expose();
        request.header("apikey", key).bearer_auth(key).header(API_VERSION.0, API_VERSION.1)
    }
}

/// Translates an error of the auth service: our status, its message.
async fn refusal(response: Response) -> FunctionError {
    let status = response.status();
    let body: Value = response.json().await.unwrap_or_default();
    let message = body["message"].as_str().unwrap_or("The account can't be created").to_owned();
    match (status.as_u16(), body["code"].as_str()) {
        (_, Some("email_exists")) => FunctionError::new(StatusCode::CONFLICT, message),
        (400, _) => FunctionError::bad_request(message),
        (422, _) => FunctionError::new(StatusCode::UNPROCESSABLE_ENTITY, message),
        (429, _) => FunctionError::new(StatusCode::TOO_MANY_REQUESTS, message),
        // Our own key was rejected, which the caller can't fix.
        _ => FunctionError::internal(&format!("the auth service answered {status}")),
    }
}

async fn send(request: RequestBuilder) -> Result<Response> {
    let request = match request_id::current() {
        Some(id) => request.header(request_id::REQUEST_ID.as_str(), &*id),
        None => request,
    };
    let request = match request_id::span() {
        Some(span) => request.header(trace::TRACEPARENT.as_str(), span.traceparent()),
        None => request,
    };
    let response = request.send().await.map_err(|error| FunctionError::unavailable(&error.without_url()))?;
    let status = response.status();
    match status.as_u16() {
        502..=504 => Err(FunctionError::unavailable(&format!("the auth service answered {status}"))),
        500.. => Err(FunctionError::internal(&format!("the auth service answered {status}"))),
        _ => Ok(response),
    }
}

async fn read(response: Response) -> Result<Account> {
    response.json().await.map_err(|error| FunctionError::unavailable(&error.without_url()))
}
