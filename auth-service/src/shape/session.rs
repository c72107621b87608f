//! The response of every endpoint that signs in.

use axum::Json;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use uuid::Uuid;

use super::user::User;

const USER_ID: HeaderName = HeaderName::from_static("sb-auth-user-id");
const SESSION_ID: HeaderName = HeaderName::from_static("sb-auth-session-id");
const TOKEN_PREFIX: HeaderName = HeaderName::from_static("sb-auth-refresh-token-prefix");
/// Enough to tell tokens apart in a proxy's log, too little to guess one.
const PREFIX_LENGTH: usize = 5;

#[derive(Debug, Serialize)]
pub struct Session {
    #[serde(skip)]
    pub id: Uuid,
    pub access_token: String,
    pub token_type: &'static str,
    pub expires_in: i64,
    pub expires_at: i64,
    pub refresh_token: String,
    pub user: User,
    /// Set when a password sign-in used a password that the current rules would reject.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weak_password: Option<WeakPassword>,
}

#[derive(Debug, Serialize)]
pub struct WeakPassword {
    pub message: String,
    pub reasons: Vec<&'static str>,
}

impl Session {
    /// Identifies the session to proxies, which don't read bodies.
    pub fn headers(&self) -> HeaderMap {
        let prefix = self.refresh_token.get(..PREFIX_LENGTH).unwrap_or_default();
        let texts = [(USER_ID, self.user.id.to_string()), (SESSION_ID, self.id.to_string())];
        texts
            .into_iter()
            .chain([(TOKEN_PREFIX, prefix.to_owned())])
            .filter_map(|(name, text)| Some((name, HeaderValue::try_from(text).ok()?)))
            .collect()
    }
}

impl IntoResponse for Session {
    fn into_response(self) -> Response {
        (self.headers(), Json(self)).into_response()
    }
}
