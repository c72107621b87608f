//! Database access through the gateway: the roles of accounts, sending enquiries, and the links to unsubscribe.

use std::cell::RefCell;

use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::Next;
use platform::http::request_id;
use platform::secret::Secret;
use postgrest::Builder;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue, InvalidHeaderValue, RETRY_AFTER};
use reqwest::{Client, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::config::Config;
use crate::error::{FunctionError, Result};

pub struct Gateway {
    url: String,
    headers: HeaderMap,
    service_key: Secret,
    http: Client,
}

/// Headers of the gateway's responses that name how new a standby must be to answer the same client.
const POSITION_HEADERS: [&str; 2] = ["x-read-after", "set-cookie"];

tokio::task_local! {
    static LAST_POSITION: RefCell<HeaderMap>;
}

/// Adds to a response the position of what the gateway has last read or written for it, so that the client's next read
/// from a standby includes it.
pub async fn with_position(request: Request, next: Next) -> axum::response::Response {
    let position = RefCell::new(HeaderMap::new());
    LAST_POSITION
        .scope(position, async {
            let mut response = next.run(request).await;
            LAST_POSITION.with(|last| {
                for (name, value) in last.borrow().iter() {
                    // axum and this reqwest have different versions of the crate `http`.
                    let name = axum::http::HeaderName::try_from(name.as_str());
                    if let (Ok(name), Ok(value)) =
                        (name, axum::http::HeaderValue::from_bytes(value.as_bytes()))
                    {
                        response.headers_mut().append(name, value);
                    }
                }
            });
            response
        })
        .await
}

/// Sends a request to the gateway and remembers the position in its response.
async fn send(request: Builder) -> reqwest::Result<Response> {
    let response = request.execute().await?;
    // The readiness check runs outside of any request.
    let _ = LAST_POSITION.try_with(|last| {
        for name in POSITION_HEADERS {
            if let Some(value) = response.headers().get(name) {
                last.borrow_mut().insert(name, value.clone());
            }
        }
    });
    Ok(response)
}

#[derive(Deserialize)]
struct RoleRow {
    role: String,
}

impl Gateway {
    /// # Errors
    /// Fails when the key does not fit into a header.
    pub fn new(config: &Config, http: Client) -> Result<Self, InvalidHeaderValue> {
        let mut apikey = HeaderValue::from_str(config.anon_key.expose())?;
        apikey.set_sensitive(true);
        Ok(Self {
            url: config.rest_url.clone(),
            headers: HeaderMap::from_iter([
                (HeaderName::from_static("apikey"), apikey),
                // Not from a standby: the account may have just been created, or a role just removed.
                (HeaderName::from_static("x-read-after"), HeaderValue::from_static("latest")),
            ]),
            service_key: config.service_key.clone(),
            http,
        })
    }

    /// Whether the gateway reaches its database. Visitors may read this table: PostgreSQL would log each refused
    /// request.
    pub async fn responds(&self) -> bool {
        let query = self.table("influencers").select("id").limit(1).execute();
        query.await.is_ok_and(|response| response.status().is_success())
    }

    /// The account's roles, queried with its own token: the database's policies decide, and a role that was
    /// just revoked is no longer there.
    pub async fn own_roles(&self, account: Uuid, token: &str) -> Result<Vec<String>> {
        self.roles(account, token).await
    }

    /// Whether the database lets the account use its staff role in the token's session, which may need a second step.
    pub async fn may_act_as_staff(&self, token: &str) -> Result<bool> {
        let call = self.table("rpc/staff_access").auth(token).rpc("{}");
        let answer = async { send(call).await?.error_for_status()?.json::<Option<String>>().await };
        match answer.await {
            Ok(access) => Ok(access.as_deref() == Some("granted")),
            Err(error) => Err(FunctionError::unavailable(&error.without_url())),
        }
    }

    /// The roles of any account, queried with the service key.
    pub async fn roles_of(&self, account: Uuid) -> Result<Vec<String>> {
        self.roles(account, self.service_key.expose()).await
    }

    /// Calls `public.send_enquiries` with the service key. The database checks and writes everything in one
    /// transaction; its error messages are written for the sender.
    pub async fn send_enquiries(&self, arguments: &Value) -> Result<Value> {
        let sent = send(self.call("send_enquiries", arguments)).await;
        let response = sent.map_err(|error| FunctionError::unavailable(&error.without_url()))?;
        if !response.status().is_success() {
            return Err(refusal(response).await);
        }
        response.json().await.map_err(|error| FunctionError::unavailable(&error.without_url()))
    }

    async fn roles(&self, account: Uuid, token: &str) -> Result<Vec<String>> {
        let query = self.table("user_roles").auth(token).select("role").eq("user_id", account.to_string());
        let answer = async { send(query).await?.error_for_status()?.json::<Vec<RoleRow>>().await };
        match answer.await {
            Ok(rows) => Ok(rows.into_iter().map(|row| row.role).collect()),
            Err(error) => Err(FunctionError::unavailable(&error.without_url())),
        }
    }

    /// Unsubscribes from the kind of e-mail that the token names and returns that kind, or `None` if the
    /// token has expired.
    pub async fn unsubscribe(&self, token: &str) -> Result<Option<String>> {
        let call = self.call("unsubscribe", &json!({ "token": token }));
        let answer = async {
            let response = send(call).await?;
            if response.status() == reqwest::StatusCode::NOT_FOUND {
                return Ok(None);
            }
            response.error_for_status()?.json::<String>().await.map(Some)
        };
        answer.await.map_err(|error: reqwest::Error| FunctionError::unavailable(&error.without_url()))
    }

    /// Calls a function of the database with the service key.
    fn call(&self, function: &str, arguments: &Value) -> Builder {
        self.table(&format!("rpc/{function}")).auth(self.service_key.expose()).rpc(arguments.to_string())
    }

    /// A request on our own HTTP client. `Postgrest` would create one without a timeout that uses the
    /// environment's proxy.
    fn table(&self, name: &str) -> Builder {
        let mut headers = self.headers.clone();
        if let Some(id) = request_id::current().and_then(|id| HeaderValue::from_str(&id).ok()) {
            headers.insert(HeaderName::from_static("x-request-id"), id);
        }
        let traceparent = request_id::span().map(|span| span.traceparent());
        if let Some(value) = traceparent.and_then(|value| HeaderValue::from_str(&value).ok()) {
            headers.insert(HeaderName::from_static("traceparent"), value);
        }
        Builder::new(format!("{}/{name}", self.url), None, headers, self.http.clone())
    }
}

/// Translates an error of the gateway. The database's functions reject requests with codes that begin with
/// `PT`.
async fn refusal(response: Response) -> FunctionError {
    // axum and this reqwest have different versions of the crate `http`.
    let status = StatusCode::from_u16(response.status().as_u16()).unwrap_or(StatusCode::BAD_GATEWAY);
    let retry_after = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
    let body: Value = response.json().await.unwrap_or_default();
    let code = body["code"].as_str().unwrap_or_default();
    let message = body["message"].as_str().unwrap_or_default().to_owned();
    match status {
        StatusCode::TOO_MANY_REQUESTS if code.starts_with("PT") => {
            FunctionError::too_many(message, retry_after)
        }
        _ if code.starts_with("PT") && status.is_client_error() => FunctionError::new(status, message),
        // Dates are the only values that the database parses.
        StatusCode::BAD_REQUEST if matches!(code, "22007" | "22008") => {
            FunctionError::bad_request("Enter dates as year-month-day, such as 2026-08-31")
        }
        StatusCode::BAD_GATEWAY
        | StatusCode::SERVICE_UNAVAILABLE
        | StatusCode::GATEWAY_TIMEOUT
        | StatusCode::TOO_MANY_REQUESTS => {
            FunctionError::unavailable(&format!("the gateway answered {status}"))
        }
        _ => FunctionError::internal(&format!("the gateway answered {status} with code {code}")),
    }
}
