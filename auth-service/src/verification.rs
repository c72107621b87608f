//! Redeems a mailed link or code: in one transaction, the token is used up and what it proves takes effect.

use chrono::{DateTime, Utc};
use platform::database::PgConnection;
use uuid::Uuid;

use crate::client::Client;
use crate::domain::one_time_token::{TokenKind, equal};
use crate::domain::verification::Verification;
use crate::error::{AuthError, Result, violates};
use crate::new_account::{self, email_exists};
use crate::security_event::{About, SecurityEvent};
use crate::service::Service;
use crate::store::one_time_tokens::OneTimeTokenRow;
use crate::store::users::{EMAIL_KEY, UserRow};
use crate::store::{factors, identities, one_time_tokens, sessions, users};

/// Wrong codes allowed per token; after that only the link or a new code works.
const MOST_GUESSES: i32 = 10;

pub const FIRST_HALF: &str =
    "Confirmation link accepted. Please proceed to confirm link sent to the other email";

pub enum Redeemed {
    /// The token proves the owner, who gets signed in.
    Owner {
        user: Box<UserRow>,
        /// The PKCE flow that the link continues.
        flow: Option<Uuid>,
        /// Whether the account's address changes.
        changes_address: bool,
        /// Whether the password and sessions from before the proof become invalid.
        takes_over: bool,
    },
    /// One half of a change of address; the other address must confirm too.
    FirstHalf,
}

impl Redeemed {
    /// The event to record, and the account.
    pub fn event(&self) -> Option<(SecurityEvent, Uuid)> {
        match self {
            Self::Owner { user, changes_address: true, .. } => Some((SecurityEvent::EmailChanged, user.id)),
            Self::Owner { user, takes_over: true, .. } => Some((SecurityEvent::PasswordVoided, user.id)),
            Self::Owner { .. } | Self::FirstHalf => None,
        }
    }
}

/// Call it after the transaction has committed.
pub fn record(event: Option<(SecurityEvent, Uuid)>, client: &Client) {
    if let Some((event, user)) = event {
        event.of_account(user, client);
    }
}

/// The token of a link, if it is valid.
pub async fn by_link(
    service: &Service,
    connection: &mut PgConnection,
    link: &str,
    purpose: Verification,
    client: &Client,
) -> Result<OneTimeTokenRow> {
    let hashes = service.digests.accepted(|digests| digests.of_link(link));
    let found = one_time_tokens::by_link(connection, &hashes, purpose.kinds()).await?;
    found.filter(|token| is_fresh(service, token)).ok_or_else(|| {
        let (client, by) = (client.address, Some("link"));
        SecurityEvent::ProofFailed.record(About { client, by, ..About::default() });
        bad_link()
    })
}

/// The token of a typed code, if it is valid. Counts the guess, which must be committed in any case.
pub async fn by_code(
    service: &Service,
    connection: &mut PgConnection,
    address: &str,
    code: &str,
    kinds: &[TokenKind],
) -> Result<Option<OneTimeTokenRow>> {
    let hashes = service.digests.accepted(|digests| digests.of_code(address, code));
    let guessed = one_time_tokens::guess(connection, address, kinds, MOST_GUESSES).await?;
    Ok(guessed.into_iter().find(|token| {
        let matches = |stored| hashes.iter().fold(false, |found, hash| found | equal(stored, hash));
        token.code_hash.as_deref().is_some_and(matches) && is_fresh(service, token)
    }))
}

pub fn bad_link() -> AuthError {
    AuthError::forbidden("otp_expired", "Email link is invalid or has expired")
}

pub fn bad_code() -> AuthError {
    AuthError::forbidden("otp_expired", "Token has expired or is invalid")
}

fn is_fresh(service: &Service, token: &OneTimeTokenRow) -> bool {
    service.now() < token.created_at + service.config.accounts.token_life
}

/// Uses up the token. `gone` is the error to return when another request just did.
pub async fn redeem(
    service: &Service,
    connection: &mut PgConnection,
    token: OneTimeTokenRow,
    gone: fn() -> AuthError,
    now: DateTime<Utc>,
) -> Result<Redeemed> {
    let mut user = users::lock(connection, token.user_id).await?.ok_or_else(gone)?;
    if user.is_banned(now) {
        return Err(AuthError::forbidden("user_banned", "User is banned"));
    }
    if !one_time_tokens::consume(connection, token.id).await? {
        return Err(gone());
    }
    let is_change = [TokenKind::EmailChangeNew, TokenKind::EmailChangeCurrent]
        .iter()
        .any(|kind| kind.as_str() == token.token_type);
    let mut takes_over = false;
    if is_change {
        if needs_other_half(service, &user) {
            (user.email_change_confirm_status, user.updated_at) = (1, now);
            users::update(connection, &user).await?;
            return Ok(Redeemed::FirstHalf);
        }
        let new = user.new_email.take().ok_or_else(gone)?;
        change_address(connection, &mut user, new, now).await?;
    } else if user.email_confirmed_at.is_none() || user.email_unproved {
        if user.email_confirmed_at.is_none() {
            new_account::confirm(&mut user, now)?;
        }
        identities::verify_email(connection, user.id, now).await?;
        one_time_tokens::delete_of_user(connection, user.id).await?;
        let by_own_sign_up = token.token_type == TokenKind::Confirmation.as_str() && !user.password_contested;
        takes_over = user.email_unproved && !by_own_sign_up;
        if takes_over {
            void(connection, &mut user).await?;
        }
    }
    (user.email_unproved, user.password_contested) = (false, false);
    (user.last_sign_in_at, user.updated_at) = (Some(now), now);
    users::update(connection, &user)
        .await
        .map_err(|error| if violates(&error, EMAIL_KEY) { email_exists() } else { error.into() })?;
    Ok(Redeemed::Owner {
        user: Box::new(user),
        flow: token.flow_state_id,
        changes_address: is_change,
        takes_over,
    })
}

/// Anyone may have signed up with this address. Its owner has now proved it with an e-mail other than the one
/// of that sign-up, so the earlier password, sessions and pending change of address may belong to someone
/// else.
async fn void(connection: &mut PgConnection, user: &mut UserRow) -> Result<()> {
    user.encrypted_password = None;
    (user.new_email, user.email_change_sent_at, user.email_change_confirm_status) = (None, None, 0);
    sessions::delete_all(connection, user.id).await?;
    factors::delete_of_user(connection, user.id).await?;
    Ok(())
}

/// When no account must confirm its address, one half is enough.
fn needs_other_half(service: &Service, user: &UserRow) -> bool {
    user.email_change_confirm_status == 0 && user.email.is_some() && !service.config.must_confirm.nobody()
}

async fn change_address(
    connection: &mut PgConnection,
    user: &mut UserRow,
    new: String,
    now: DateTime<Utc>,
) -> Result<()> {
    identities::set_email(connection, user.id, &new, true, now).await?;
    // E-mails to the old address prove nothing any more.
    one_time_tokens::delete_of_user(connection, user.id).await?;
    user.email = Some(new);
    user.email_change_confirm_status = 0;
    if user.email_confirmed_at.is_none() {
        new_account::confirm(user, now)?;
    }
    Ok(())
}
