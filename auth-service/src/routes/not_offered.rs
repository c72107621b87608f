//! Sign-in methods that this service does not support, rejected with the errors that clients expect.

use serde::Deserialize;

use crate::caller::{Operator, SignedIn};
use crate::error::AuthError;
use crate::query::QueryParams;

pub async fn sso() -> AuthError {
    AuthError::not_found("saml_provider_disabled", "SAML 2.0 is disabled")
}

#[derive(Deserialize)]
pub struct Provider {
    #[serde(default)]
    provider: String,
}

/// `GET /authorize`
pub async fn authorize(QueryParams(Provider { provider }): QueryParams<Provider>) -> AuthError {
    if provider.is_empty() || !provider.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        return AuthError::validation("Unsupported provider: provider could not be found");
    }
    AuthError::validation("Unsupported provider: provider is not enabled")
}

/// `GET /user/identities/authorize`, `DELETE /user/identities/{id}`
pub async fn identities(_: SignedIn) -> AuthError {
    AuthError::not_found("manual_linking_disabled", "Manual linking is disabled")
}

/// `/passkeys`
pub async fn passkeys() -> AuthError {
    AuthError::not_found("passkey_disabled", "Passkeys are disabled")
}

/// `/oauth`: the service as an OAuth provider for other apps.
pub async fn oauth_server() -> AuthError {
    AuthError::not_found("feature_disabled", "OAuth server is disabled")
}

/// `/user/oauth/grants`
pub async fn oauth_grants(_: SignedIn) -> AuthError {
    oauth_server().await
}

/// `/admin/oauth`
pub async fn oauth_clients(_: Operator) -> AuthError {
    oauth_server().await
}

/// `/admin/custom-providers`
pub async fn custom_providers(_: Operator) -> AuthError {
    AuthError::not_found("feature_disabled", "Custom OAuth providers are disabled")
}

#[derive(Deserialize)]
pub struct IdToken {
    #[serde(default)]
    provider: Option<String>,
}

/// `grant_type=id_token`. Tokens of other providers are rejected without being parsed.
pub fn id_token(asked: &IdToken) -> AuthError {
    let issuer = match asked.provider.as_deref().unwrap_or_default() {
        "apple" => "https://appleid.apple.com",
        "facebook" => "https://www.facebook.com",
        "google" => "https://accounts.google.com",
        "kakao" => "https://kauth.kakao.com",
        _ => return AuthError::bad_request("provider_disabled", "Provider is not enabled"),
    };
    AuthError::bad_request("provider_disabled", format!("Provider (issuer \"{issuer}\") is not enabled"))
}

/// `grant_type=web3`
pub fn web3() -> AuthError {
    AuthError::unprocessable("web3_provider_disabled", "Web3 provider is disabled")
}
