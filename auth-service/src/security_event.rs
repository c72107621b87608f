//! Security events for operators: each one writes a log line (target `security`) and increments a counter.
//!
//! Accounts are logged by id. Addresses may contain typos or even passwords, so only the first characters of
//! their keyed hash are logged, enough to recognize the same address again. Never pass secrets. Record an
//! event only after its transaction has committed.

use std::net::IpAddr;

use platform::log_limit::LogLimit;
use uuid::Uuid;

use crate::client::Client;
use crate::domain::one_time_token::Digests;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecurityEvent {
    SignedIn,
    SignInFailed,
    /// The account is not confirmed or is banned.
    SignInRefused,
    /// A new account whose address must be confirmed first.
    SignedUp,
    /// Too many wrong passwords for one address.
    SignInPaused,
    /// An invalid code or link.
    ProofFailed,
    RefreshTokenReused,
    SignedOut,
    PasswordChanged,
    /// The password and all sessions were removed: the address was proved for the first time, by someone who
    /// may not be the person who signed up with it.
    PasswordVoided,
    EmailChanged,
    FactorAdded,
    FactorRemoved,
    /// Too many wrong codes of a second factor.
    SecondStepPaused,
    RecoveryCodesReplaced,
    RecoveryCodesRemoved,
    /// An operator created an account with the service key. The next four events are also operators' actions.
    AccountCreated,
    AccountUpdated,
    AccountDeleted,
    AccountInvited,
    LinkGenerated,
    /// A caller without the operator role tried an operator's action.
    AccessDenied,
    /// Too many requests from one client.
    ClientLimited,
    /// The queue for password hashes was full.
    HashRefused,
}

/// The known details of an event.
#[derive(Debug, Clone, Copy, Default)]
pub struct About<'a> {
    /// The account concerned.
    pub user: Option<Uuid>,
    /// The account that acted, if it is a different one.
    pub actor: Option<Uuid>,
    pub address: Option<&'a AddressHash>,
    pub client: Option<IpAddr>,
    /// The method, grant or route.
    pub by: Option<&'a str>,
}

/// A truncated keyed hash: distinguishes addresses but can't be reversed.
#[derive(Debug, Clone)]
pub struct AddressHash(String);

impl AddressHash {
    const LENGTH: usize = 12;

    pub fn new(digests: &Digests, email: &str) -> Self {
        let mut hash = digests.of_address(email);
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
            Self::FactorAdded => "factor_added",
            Self::FactorRemoved => "factor_removed",
            Self::SecondStepPaused => "second_step_paused",
            Self::RecoveryCodesReplaced => "recovery_codes_replaced",
            Self::RecoveryCodesRemoved => "recovery_codes_removed",
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
            Self::SignInPaused
                | Self::SecondStepPaused
                | Self::RefreshTokenReused
                | Self::ClientLimited
                | Self::HashRefused
        )
    }

    pub fn record(self, about: About<'_>) {
        self.count();
        self.log(about);
    }

    /// For events that a client can cause any number of times: counts all of them, and logs the first of each
    /// minute.
    pub fn record_limited(self, about: About<'_>, limit: &LogLimit) {
        self.count();
        if limit.allows(about.client) {
            self.log(about);
        }
    }

    fn count(self) {
        metrics::counter!("auth_events_total", "event" => self.name()).increment(1);
    }

    fn log(self, about: About<'_>) {
        let event = self.name();
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
