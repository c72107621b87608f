//! Ways to sign in that this service does not have, refused in the words clients know.

use serde::Deserialize;

use crate::caller::SignedIn;
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

/// `POST /factors`
pub async fn factors(_: SignedIn) -> AuthError {
    AuthError::unprocessable("mfa_totp_enroll_not_enabled", "MFA enroll is disabled for TOTP")
}

/// `grant_type=id_token`. No provider's token is read, so none is judged.
pub fn id_token() -> AuthError {
    AuthError::bad_request("provider_disabled", "Provider is not enabled")
}

/// `grant_type=web3`
pub fn web3() -> AuthError {
    AuthError::unprocessable("web3_provider_disabled", "Web3 provider is disabled")
}
