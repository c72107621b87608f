//! `GET /settings`: which sign-in methods are enabled.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use crate::service::Shared;

pub async fn get(State(service): State<Shared>) -> Json<Value> {
    Json(json!({
        "external": {
            "anonymous_users": false, "apple": false, "azure": false, "bitbucket": false, "discord": false,
            "email": service.config.accounts.email_provider, "facebook": false, "figma": false, "github": false, "gitlab": false, "google": false,
            "kakao": false, "keycloak": false, "linkedin": false, "linkedin_oidc": false, "notion": false,
            "phone": false, "slack": false, "slack_oidc": false, "spotify": false, "twitch": false,
            "twitter": false, "workos": false, "zoom": false,
        },
        "disable_signup": !service.config.accounts.sign_ups,
        "mailer_autoconfirm": service.config.must_confirm.nobody(),
        "phone_autoconfirm": false,
        "sms_provider": "",
        "saml_enabled": false,
        "passkeys_enabled": false,
    }))
}
