//! An account as the API returns it to its owner and to operators.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use crate::store::factors::Factor;
use crate::store::identities::IdentityRow;
use crate::store::users::UserRow;

#[derive(Debug, Serialize)]
pub struct User {
    pub id: Uuid,
    aud: String,
    role: String,
    email: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    email_confirmed_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    invited_at: Option<DateTime<Utc>>,
    phone: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    phone_confirmed_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confirmation_sent_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    confirmed_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    recovery_sent_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new_email: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    email_change_sent_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reauthentication_sent_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_sign_in_at: Option<DateTime<Utc>>,
    app_metadata: Value,
    user_metadata: Value,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub factors: Vec<Factor>,
    identities: Vec<Identity>,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
    #[serde(skip_serializing_if = "Option::is_none")]
    banned_until: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deleted_at: Option<DateTime<Utc>>,
    is_anonymous: bool,
}

#[derive(Debug, Serialize)]
struct Identity {
    identity_id: Uuid,
    id: String,
    user_id: Uuid,
    identity_data: Value,
    provider: String,
    last_sign_in_at: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
    email: Option<String>,
}

impl User {
    pub fn new(user: UserRow, identities: Vec<IdentityRow>) -> Self {
        let confirmations = [user.email_confirmed_at, user.phone_confirmed_at];
        Self {
            id: user.id,
            aud: user.aud,
            role: user.role,
            email: user.email.unwrap_or_default(),
            email_confirmed_at: user.email_confirmed_at,
            invited_at: user.invited_at,
            phone: user.phone.unwrap_or_default(),
            phone_confirmed_at: user.phone_confirmed_at,
            confirmation_sent_at: user.confirmation_sent_at,
            confirmed_at: confirmations.into_iter().flatten().min(),
            recovery_sent_at: user.recovery_sent_at,
            new_email: user.new_email.filter(|email| !email.is_empty()),
            email_change_sent_at: user.email_change_sent_at,
            reauthentication_sent_at: user.reauthentication_sent_at,
            last_sign_in_at: user.last_sign_in_at,
            app_metadata: user.raw_app_meta_data,
            user_metadata: user.raw_user_meta_data,
            factors: user.factors,
            identities: identities.into_iter().map(Identity::new).collect(),
            created_at: user.created_at,
            updated_at: user.updated_at,
            banned_until: user.banned_until,
            deleted_at: user.deleted_at,
            is_anonymous: user.is_anonymous,
        }
    }
}

impl Identity {
    fn new(identity: IdentityRow) -> Self {
        Self {
            identity_id: identity.id,
            id: identity.provider_id,
            user_id: identity.user_id,
            identity_data: identity.identity_data,
            provider: identity.provider,
            last_sign_in_at: identity.last_sign_in_at,
            created_at: identity.created_at,
            updated_at: identity.updated_at,
            email: identity.email,
        }
    }
}
