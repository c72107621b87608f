//! What every endpoint that signs in answers.

use serde::Serialize;

use super::user::User;

#[derive(Debug, Serialize)]
pub struct Session {
    pub access_token: String,
    pub token_type: &'static str,
    pub expires_in: i64,
    pub expires_at: i64,
    pub refresh_token: String,
    pub user: User,
    /// Only when a password sign-in used a password that today's rules would refuse.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weak_password: Option<WeakPassword>,
}

#[derive(Debug, Serialize)]
pub struct WeakPassword {
    pub message: String,
    pub reasons: Vec<&'static str>,
}
