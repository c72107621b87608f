//! `POST /factors`: adds an authenticator app, which takes effect once one of its codes has been verified.

use axum::Json;
use axum::extract::State;
use chrono::{DateTime, TimeDelta, Utc};
use qrcode::render::svg;
use qrcode::{EcLevel, QrCode};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{TOTP, friendly_name, name_conflict, session_of, stepped_up_recently};
use crate::body::OptionalJsonBody;
use crate::caller::SignedIn;
use crate::domain::totp::TotpSecret;
use crate::error::{AuthError, Result};
use crate::service::{Service, Shared};
use crate::store::factors::{self, NewFactor};
use crate::store::users::{self, UserRow};

const MOST_FACTORS: usize = 10;
/// How long an app may wait for its first code.
const UNVERIFIED_LIFE: TimeDelta = TimeDelta::minutes(5);
const MAX_ISSUER_BYTES: usize = 100;
const MODULE_PIXELS: u32 = 3;

#[derive(Default, Deserialize)]
pub struct Request {
    #[serde(default)]
    factor_type: Option<String>,
    #[serde(default)]
    friendly_name: Option<String>,
    #[serde(default)]
    issuer: Option<String>,
}

#[derive(Serialize)]
pub struct Answer {
    id: Uuid,
    r#type: &'static str,
    friendly_name: String,
    totp: Totp,
}

#[derive(Serialize)]
struct Totp {
    /// An SVG image. Clients put it into a data URI without escaping, so it must not contain `#`.
    qr_code: String,
    secret: String,
    uri: String,
}

pub async fn post(
    State(service): State<Shared>,
    caller: SignedIn,
    OptionalJsonBody(body): OptionalJsonBody<Request>,
) -> Result<Json<Answer>> {
    session_of(&caller)?;
    refuse_other_types(body.factor_type.as_deref())?;
    let name = friendly_name(body.friendly_name)?;
    let issuer = issuer(&service, body.issuer)?;
    let now = service.now();
    let mut transaction = service.pool.begin().await?;
    factors::delete_unverified(&mut transaction, caller.user.id, now - UNVERIFIED_LIFE).await?;
    // Locked, so that concurrent requests can't add more than allowed.
    let gone = || AuthError::forbidden("user_not_found", "User from sub claim in JWT does not exist");
    let user = users::lock(&mut transaction, caller.user.id).await?.ok_or_else(gone)?;
    check(&caller, &user, name.as_deref(), now)?;
    let (id, secret) = (Uuid::new_v4(), TotpSecret::random());
    let factor = NewFactor {
        id,
        user_id: user.id,
        friendly_name: name.as_deref(),
        secret: &service.factor_keys.encrypt(id, &secret),
        key_id: service.factor_keys.id(),
        created_at: now,
    };
    factors::insert(&mut transaction, &factor).await?;
    transaction.commit().await?;
    let uri = secret.uri(&issuer, user.email.as_deref().unwrap_or_default());
    let totp = Totp { qr_code: qr_code(&uri)?, secret: secret.base32(), uri };
    Ok(Json(Answer { id, r#type: TOTP, friendly_name: name.unwrap_or_default(), totp }))
}

fn refuse_other_types(factor_type: Option<&str>) -> Result<()> {
    let (code, message) = match factor_type {
        Some(TOTP) => return Ok(()),
        Some("phone") => ("mfa_phone_enroll_not_enabled", "MFA enroll is disabled for Phone"),
        Some("webauthn") => ("mfa_webauthn_enroll_not_enabled", "MFA enroll is disabled for WebAuthn"),
        _ => return Err(AuthError::validation("factor_type needs to be totp, phone, or webauthn")),
    };
    Err(AuthError::unprocessable(code, message))
}

/// The name that apps show: by default the site's host.
fn issuer(service: &Service, asked: Option<String>) -> Result<String> {
    let asked = asked.filter(|issuer| !issuer.is_empty());
    if asked.as_ref().is_some_and(|issuer| issuer.len() > MAX_ISSUER_BYTES) {
        return Err(AuthError::validation(format!("issuer cannot be longer than {MAX_ISSUER_BYTES} bytes")));
    }
    let site = &service.config.mail.site_url;
    let host = || site.host_str().unwrap_or_default().to_owned();
    let default = || site.port().map_or_else(host, |port| format!("{}:{port}", host()));
    Ok(asked.unwrap_or_else(default))
}

fn check(caller: &SignedIn, user: &UserRow, name: Option<&str>, now: DateTime<Utc>) -> Result<()> {
    let is_taken =
        |name: &&str| user.factors.iter().any(|factor| factor.friendly_name.as_deref() == Some(*name));
    if let Some(name) = name.filter(is_taken) {
        return Err(name_conflict(name));
    }
    if user.factors.len() >= MOST_FACTORS {
        let most = "Maximum number of verified factors reached, unenroll to continue";
        return Err(AuthError::unprocessable("too_many_enrolled_mfa_factors", most));
    }
    // A stolen session must not add the thief's factor.
    if user.has_factor() && !stepped_up_recently(session_of(caller)?, now) {
        return Err(AuthError::forbidden("insufficient_aal", "AAL2 required to enroll a new factor"));
    }
    Ok(())
}

fn qr_code(uri: &str) -> Result<String> {
    let code =
        QrCode::with_error_correction_level(uri, EcLevel::M).map_err(|error| AuthError::internal(&error))?;
    let image = code
        .render::<svg::Color<'_>>()
        .module_dimensions(MODULE_PIXELS, MODULE_PIXELS)
        .dark_color(svg::Color("black"))
        .light_color(svg::Color("white"))
        .build();
    // The XML declaration before the element is only for files.
    Ok(image.find("<svg").map_or_else(|| image.clone(), |start| image[start..].to_owned()))
}
