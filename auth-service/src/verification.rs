//! Redeeming a mailed link or code: it is used up, and what it proves takes effect, in one transaction.

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
use crate::store::{identities, one_time_tokens, sessions, users};

/// Wrong codes that are heard; then only the link or a new code helps.
const MOST_GUESSES: i32 = 10;

pub const FIRST_HALF: &str =
    "Confirmation link accepted. Please proceed to confirm link sent to the other email";

pub enum Redeemed {
    /// The owner, who is signed in by this.
    Owner {
        user: Box<UserRow>,
        /// The PKCE flow that the link continues.
        flow: Option<Uuid>,
        /// By this, their address is another one.
        changes_address: bool,
        /// By this, what was set up before the address was proved ended.
        takes_over: bool,
    },
    /// One half of a change of address; the other address must agree too.
    FirstHalf,
}

impl Redeemed {
    /// What operators are told of whose account.
    pub fn event(&self) -> Option<(SecurityEvent, Uuid)> {
        match self {
            Self::Owner { user, changes_address: true, .. } => Some((SecurityEvent::EmailChanged, user.id)),
            Self::Owner { user, takes_over: true, .. } => Some((SecurityEvent::PasswordVoided, user.id)),
            Self::Owner { .. } | Self::FirstHalf => None,
        }
    }
}

/// To be called once it is committed.
pub fn record(event: Option<(SecurityEvent, Uuid)>, client: &Client) {
    if let Some((event, user)) = event {
        event.of_account(user, client);
    }
}

/// The token behind a link, if it is good.
pub async fn by_link(
    service: &Service,
    connection: &mut PgConnection,
    link: &str,
    purpose: Verification,
    client: &Client,
) -> Result<OneTimeTokenRow> {
    let hash = service.digests.of_link(link);
    let found = one_time_tokens::by_link(connection, &hash, purpose.kinds()).await?;
    found.filter(|token| is_fresh(service, token)).ok_or_else(|| {
        let (client, by) = (client.address, Some("link"));
        SecurityEvent::ProofFailed.record(About { client, by, ..About::default() });
        bad_link()
    })
}

/// The token behind a code typed by hand, if it is good. The guess counts, and must be committed as it is.
pub async fn by_code(
    service: &Service,
    connection: &mut PgConnection,
    address: &str,
    code: &str,
    kinds: &[TokenKind],
) -> Result<Option<OneTimeTokenRow>> {
    let hash = service.digests.of_code(address, code);
    let guessed = one_time_tokens::guess(connection, address, kinds, MOST_GUESSES).await?;
    Ok(guessed.into_iter().find(|token| {
        token.code_hash.as_deref().is_some_and(|stored| equal(stored, &hash)) && is_fresh(service, token)
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

/// Uses the token up. `gone`: what is answered when another request just did.
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

/// Anybody may have signed up with the address. Its owner has now proved it by another mail than that sign-up's own:
/// the password and the sessions from before are not theirs for sure, nor is a change of address that waits.
async fn void(connection: &mut PgConnection, user: &mut UserRow) -> Result<()> {
    user.encrypted_password = None;
    (user.new_email, user.email_change_sent_at, user.email_change_confirm_status) = (None, None, 0);
    sessions::delete_all(connection, user.id).await?;
    Ok(())
}

/// Where nobody has to confirm an address, one half is enough.
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
    // What was mailed to the old address proves nothing any more.
    one_time_tokens::delete_of_user(connection, user.id).await?;
    user.email = Some(new);
    user.email_change_confirm_status = 0;
    if user.email_confirmed_at.is_none() {
        new_account::confirm(user, now)?;
    }
    Ok(())
}
