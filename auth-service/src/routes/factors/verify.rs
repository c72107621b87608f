//! `POST /factors/{id}/verify`: the second step of a sign-in, with an app's code or a recovery code.
//!
//! Each account has five attempts in five minutes, across all factors, clients and replicas. An attempt is
//! counted before the code is compared, and a correct one resets the count. Wrong, used and expired codes get
//! the same response and take the same work.

use axum::extract::State;
use chrono::{DateTime, TimeDelta, Utc};
use platform::database::PgConnection;
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use super::challenge::LIFE;
use super::{AAL2, FactorId, RECOVERY_CODE, TOTP, no_session, session_of, with_method};
use crate::allowance::{Allowance, Requester};
use crate::body::JsonBody;
use crate::caller::SignedIn;
use crate::domain::mail_kind::MailKind;
use crate::domain::refresh_token::RefreshToken;
use crate::domain::{recovery_code, totp};
use crate::error::{AuthError, Result};
use crate::security_event::{About, SecurityEvent};
use crate::service::{Service, Shared};
use crate::shape::session::Session;
use crate::sign_in;
use crate::store::factors::{self, FactorRow};
use crate::store::second_steps::{self, SecondStep};
use crate::store::sessions::{self, SessionRow};
use crate::store::{identities, users};

const MOST_ATTEMPTS: i32 = 5;
const WINDOW: TimeDelta = TimeDelta::minutes(5);

#[derive(Deserialize)]
pub struct Request {
    #[serde(default)]
    challenge_id: Option<Uuid>,
    #[serde(default)]
    code: Option<String>,
}

pub async fn post(
    State(service): State<Shared>,
    caller: SignedIn,
    id: FactorId,
    JsonBody(body): JsonBody<Request>,
) -> Result<Session> {
    let now = service.now();
    let from = session_of(&caller)?;
    let mut transaction = service.pool.begin().await?;
    // Comes first, because it serializes the account's attempts.
    count_attempt(&mut transaction, &caller, now).await?;
    let factor = id.of(&mut transaction, &caller).await?;
    let challenge = check_challenge(&mut transaction, &caller, &factor, body.challenge_id, now).await?;
    // A concurrent verification may have replaced it.
    let from = sessions::by_id(&mut transaction, from.id).await?.ok_or_else(no_session)?;
    if factor.verified_at.is_none() {
        require_second_step(&mut transaction, &from).await?;
    }
    let code = body.code.unwrap_or_default();
    let Some(proof) = prove(&service, &mut transaction, &factor, code.trim(), now).await? else {
        transaction.commit().await?;
        return Err(wrong_code(&caller, "Invalid TOTP code entered"));
    };
    factors::delete_challenge(&mut transaction, challenge).await?;
    factors::verified(&mut transaction, &factor, proof.step, now).await?;
    second_steps::forget_attempts(&mut transaction, caller.user.id).await?;
    let session =
        open_session(&service, &mut transaction, &caller, &from, factor.id, proof.method, now).await?;
    let is_new = factor.verified_at.is_none();
    if let Some(email) = caller.user.email.as_deref().filter(|_| is_new) {
        // Without the e-mail, the factor can't be added.
        let from = Requester::new(&service, caller.client.address);
        from.take(&mut transaction, Allowance::Security, &[email]).await?;
        let data = json!({ "path": "/account/security" });
        mail::enqueue(&mut transaction, MailKind::FactorAdded.as_str(), email, &data).await?;
    }
    transaction.commit().await?;
    if is_new {
        SecurityEvent::FactorAdded.of_account(caller.user.id, &caller.client);
    }
    sign_in::record(&session, proof.method, &caller.client);
    Ok(session)
}

/// Counts the attempt.
///
/// # Errors
/// When the account has used up its attempts.
pub(super) async fn count_attempt(
    connection: &mut PgConnection,
    caller: &SignedIn,
    now: DateTime<Utc>,
) -> Result<()> {
    let attempts = second_steps::attempt(connection, caller.user.id, now - WINDOW, now).await?;
    if attempts.failures <= MOST_ATTEMPTS {
        return Ok(());
    }
    SecurityEvent::SecondStepPaused.of_account(caller.user.id, &caller.client);
    // Rounded up, so that a client that waits this long is accepted.
    let left = (attempts.created_at + WINDOW - now).num_milliseconds();
    Err(AuthError::too_many_requests(u64::try_from(left).unwrap_or(0).div_ceil(1000)))
}

/// A request to add a factor may have begun before the account's first factor was verified, and ended after that. The password
/// alone must not suffice to verify the added one.
async fn require_second_step(connection: &mut PgConnection, session: &SessionRow) -> Result<()> {
    let user = users::by_id(connection, session.user_id).await?;
    if user.is_some_and(|user| user.has_factor()) && session.aal != AAL2 {
        return Err(AuthError::forbidden("insufficient_aal", "AAL2 required to verify a new factor"));
    }
    Ok(())
}

/// Returns the challenge's id.
async fn check_challenge(
    connection: &mut PgConnection,
    caller: &SignedIn,
    factor: &FactorRow,
    id: Option<Uuid>,
    now: DateTime<Utc>,
) -> Result<Uuid> {
    let unknown = || {
        let message = "MFA factor with the provided challenge ID not found";
        AuthError::unprocessable("mfa_factor_not_found", message)
    };
    let id = id.ok_or_else(unknown)?;
    let challenge = factors::challenge_of(connection, factor.id, id).await?.ok_or_else(unknown)?;
    if challenge.ip != caller.client.address.map(|ip| ip.to_string()) {
        let message = "Challenge and verify IP addresses mismatch.";
        return Err(AuthError::unprocessable("mfa_ip_address_mismatch", message));
    }
    if challenge.created_at + LIFE <= now {
        let message = format!(
            "MFA challenge {} has expired, verify against another challenge or create a new challenge.",
            challenge.id
        );
        return Err(AuthError::unprocessable("mfa_challenge_expired", message));
    }
    Ok(challenge.id)
}

struct Proof {
    method: &'static str,
    /// The time step of the app's code.
    step: Option<i64>,
}

/// `None` for a wrong, used or expired code.
async fn prove(
    service: &Service,
    connection: &mut PgConnection,
    factor: &FactorRow,
    code: &str,
    now: DateTime<Utc>,
) -> Result<Option<Proof>> {
    if totp::is_code(code) {
        let Some(secret) = service.factor_keys.decrypt(factor.id, &factor.secret) else {
            tracing::error!(factor = %factor.id, "a second factor was encrypted with another JWT_SECRET: its owner needs a recovery code or a reset");
            return Ok(None);
        };
        let step = secret.step_of(code, factor.last_step, now);
        return Ok(step.map(|step| Proof { method: TOTP, step: Some(step) }));
    }
    // Recovery codes are accepted only after the app has been verified.
    if factor.verified_at.is_none() {
        return Ok(None);
    }
    let hash = recovery_code::hash(factor.user_id, code);
    let is_right = second_steps::use_recovery_code(connection, factor.user_id, &hash).await?;
    Ok(is_right.then_some(Proof { method: RECOVERY_CODE, step: None }))
}

/// A new session replaces the old one, so that tokens issued before the second step can't use it. The time
/// limits stay the same.
pub(super) async fn open_session(
    service: &Service,
    connection: &mut PgConnection,
    caller: &SignedIn,
    from: &SessionRow,
    factor_id: Uuid,
    method: &str,
    now: DateTime<Utc>,
) -> Result<Session> {
    let token = RefreshToken::random();
    let session = SessionRow {
        id: Uuid::new_v4(),
        aal: AAL2.to_owned(),
        amr: with_method(&from.amr, method, now),
        refreshed_at: Some(now),
        ..from.clone()
    };
    let step = SecondStep {
        from: from.id,
        session: &session,
        factor_id,
        token: &token.hash(),
        user_agent: caller.client.user_agent.as_deref(),
        address: caller.client.address,
        now,
    };
    second_steps::open_session(connection, &step).await?;
    let gone = || AuthError::forbidden("user_not_found", "User from sub claim in JWT does not exist");
    let user = users::by_id(connection, caller.user.id).await?.ok_or_else(gone)?;
    let identities = identities::of_user(connection, user.id).await?;
    sign_in::answer(service, user, identities, &session, &token, now)
}

pub(super) fn wrong_code(caller: &SignedIn, message: &'static str) -> AuthError {
    SecurityEvent::ProofFailed.record(About {
        user: Some(caller.user.id),
        client: caller.client.address,
        by: Some("second factor"),
        ..About::default()
    });
    AuthError::unprocessable("mfa_verification_failed", message)
}
