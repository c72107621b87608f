//! What operators watch: a line of the log (target `security`) and a count for each event.
//!
//! Accounts are named by their id, and addresses, of which people type wrong ones and passwords too, by the
//! beginning of their keyed hash: enough to see that two attempts were at the same one. Nothing that opens
//! anything is ever handed in here. Call it once the event is committed.

use std::net::IpAddr;

use uuid::Uuid;

use crate::client::Client;
use crate::service::Service;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecurityEvent {
    SignedIn,
    SignInFailed,
    /// Of somebody whose account may not be used: not confirmed yet, or banned.
    SignInRefused,
    /// A new account whose address must be confirmed first.
    SignedUp,
    /// Too many wrong passwords for one address.
    SignInPaused,
    /// A code or a link that is not good.
    ProofFailed,
    RefreshTokenReused,
    SignedOut,
    PasswordChanged,
    /// With the sessions: the address was proved by mail for the first time, after anybody could have signed up with it.
    PasswordVoided,
    EmailChanged,
    /// With the service key.
    AccountCreated,
    AccountUpdated,
    AccountDeleted,
    AccountInvited,
    LinkGenerated,
    /// What only operators may do, tried by somebody else.
    AccessDenied,
    /// Too many requests from one client.
    ClientLimited,
    /// More passwords at once than can be hashed.
    HashRefused,
}

/// Whatever is known.
#[derive(Debug, Clone, Copy, Default)]
pub struct About<'a> {
    /// Whose account it is about.
    pub user: Option<Uuid>,
    /// Who did it, where that is somebody else.
    pub actor: Option<Uuid>,
    pub address: Option<&'a AddressMark>,
    pub client: Option<IpAddr>,
    /// How, or at which door.
    pub by: Option<&'a str>,
}

/// Tells addresses apart and can't be turned back into one.
#[derive(Debug, Clone)]
pub struct AddressMark(String);

impl AddressMark {
    const LENGTH: usize = 12;

    pub fn new(service: &Service, email: &str) -> Self {
        let mut hash = service.digests.of_address(email);
        hash.truncate(Self::LENGTH);
        Self(hash)
    }
}

impl SecurityEvent {
    pub fn name(self) -> &'static str {
        match self {
            Self::SignedIn => "signed_in",
            Self::SignInFailed => "sign_in_failed",
            Self::SignInRefused => "sign_in_refused",
            Self::SignedUp => "signed_up",
            Self::SignInPaused => "sign_in_paused",
            Self::ProofFailed => "proof_failed",
            Self::RefreshTokenReused => "refresh_token_reused",
            Self::SignedOut => "signed_out",
            Self::PasswordChanged => "password_changed",
            Self::PasswordVoided => "password_voided",
            Self::EmailChanged => "email_changed",
            Self::AccountCreated => "account_created",
            Self::AccountUpdated => "account_updated",
            Self::AccountDeleted => "account_deleted",
            Self::AccountInvited => "account_invited",
            Self::LinkGenerated => "link_generated",
            Self::AccessDenied => "access_denied",
            Self::ClientLimited => "client_limited",
            Self::HashRefused => "hash_refused",
        }
    }

    fn is_alarming(self) -> bool {
        matches!(
            self,
            Self::SignInPaused | Self::RefreshTokenReused | Self::ClientLimited | Self::HashRefused
        )
    }

    pub fn record(self, about: About<'_>) {
        let event = self.name();
        metrics::counter!("auth_events_total", "event" => event).increment(1);
        let user = about.user.map(tracing::field::display);
        let actor = about.actor.map(tracing::field::display);
        let client = about.client.map(tracing::field::display);
        let (address, by) = (about.address.map(|mark| mark.0.as_str()), about.by);
        if self.is_alarming() {
            tracing::warn!(target: "security", event, user, actor, address, client, by);
        } else {
            tracing::info!(target: "security", event, user, actor, address, client, by);
        }
    }

    pub fn of_account(self, user: Uuid, client: &Client) {
        self.record(About { user: Some(user), client: client.address, ..About::default() });
    }
}
