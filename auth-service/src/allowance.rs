//! Hourly allowances of sign-ups and account e-mails. Each kind has its own total, so that none can use up
//! another's. A mailbox and a client have a small share of each total: nobody can flood a mailbox, and no
//! client can use up a total alone. The database keeps the counts in the caller's transaction, so they apply
//! to all replicas and survive a restart. They refill evenly.

use std::net::IpAddr;
use std::num::NonZeroU32;

use axum::http::StatusCode;
use chrono::{DateTime, TimeDelta, Utc};
use platform::database::PgConnection;
use platform::http::origin::network_of;

use crate::domain::email::Email;
use crate::error::{AuthError, Result};
use crate::service::Service;
use crate::store::allowances;

/// E-mails of one kind to one mailbox per hour: more than a user who waits for an e-mail needs.
const PER_MAILBOX: NonZeroU32 = NonZeroU32::new(10).expect("10 is not zero");
/// One client gets at most this part of a total.
const SHARE_OF_CLIENT: u32 = 6;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Allowance {
    /// Accounts that need no confirmation e-mail.
    SignUp,
    Confirmation,
    /// Recovery and magic links.
    SignIn,
    EmailChange,
    Reauthentication,
    Invitation,
    /// Tells an account's owner of a change to its security.
    Security,
}

impl Allowance {
    fn name(self) -> &'static str {
        match self {
            Self::SignUp => "sign-up",
            Self::Confirmation => "confirmation",
            Self::SignIn => "sign-in",
            Self::EmailChange => "email-change",
            Self::Reauthentication => "reauthentication",
            Self::Invitation => "invitation",
            Self::Security => "security",
        }
    }

    /// `None`: no limit.
    fn per_hour(self, service: &Service) -> Option<NonZeroU32> {
        service.limits.as_ref()?;
        let rules = &service.config.accounts;
        match self {
            Self::SignUp => Some(rules.sign_ups_per_hour),
            Self::Security => service.config.mail.notifications_per_hour,
            _ => Some(rules.mails_per_hour).filter(|_| !service.config.must_confirm.nobody()),
        }
    }

    fn refusal(self, wait: TimeDelta) -> AuthError {
        match self {
            Self::SignUp | Self::Security => AuthError::too_many_requests(seconds_of(wait)),
            _ => over_limit("email rate limit exceeded", wait),
        }
    }
}

/// The client that causes an e-mail or a sign-up.
#[derive(Clone, Copy)]
pub struct Requester<'a> {
    pub service: &'a Service,
    /// `None` for operators, and for clients whose address is unknown. They have no share.
    pub client: Option<IpAddr>,
    pub now: DateTime<Utc>,
}

impl<'a> Requester<'a> {
    pub fn new(service: &'a Service, client: Option<IpAddr>) -> Self {
        // A loopback address belongs to a proxy that is not configured as trusted: it identifies no client.
        let client = client.filter(|address| !address.is_loopback());
        Self { service, client, now: service.now() }
    }

    /// For requests that name only an address. Takes from the mailbox's interval and the allowance, whether or
    /// not there is an account and an e-mail is sent: the responses are the same for all addresses, however
    /// often a client asks. Commit in either case.
    ///
    /// # Errors
    /// 429 while the mailbox must wait or an allowance is used up; the transaction must then be rolled back.
    pub async fn ask(self, connection: &mut PgConnection, allowance: Allowance, email: &Email) -> Result<()> {
        let address = email.as_str();
        if let Some(wait) = self.start_interval(connection, allowance, address).await? {
            return Err(too_soon(wait));
        }
        // A change is mailed to both the old and the new address.
        let mails = if allowance == Allowance::EmailChange { 2 } else { 1 };
        self.take_mails(connection, allowance, &[address], mails).await
    }

    /// Starts the mailbox's interval, so that a request by address must wait. Returns the time left of an
    /// earlier one.
    pub async fn start_interval(
        self,
        connection: &mut PgConnection,
        allowance: Allowance,
        address: &str,
    ) -> Result<Option<TimeDelta>> {
        let interval = self.service.config.accounts.mail_interval;
        if interval <= TimeDelta::zero() {
            return Ok(None);
        }
        let mailbox = allowances::mailboxes(connection, &[address]).await?.concat();
        let key = format!("{} interval {}", allowance.name(), self.service.digests.of_address(&mailbox));
        Ok(allowances::take(connection, &key, interval, interval, self.now).await?)
    }

    /// Takes one e-mail per recipient, or one sign-up.
    ///
    /// # Errors
    /// 429 when an allowance is used up; the transaction must then be rolled back.
    pub async fn take(
        self,
        connection: &mut PgConnection,
        allowance: Allowance,
        recipients: &[&str],
    ) -> Result<()> {
        let mails = u32::try_from(recipients.len()).unwrap_or(u32::MAX).max(1);
        self.take_mails(connection, allowance, recipients, mails).await
    }

    /// The order of the locks prevents deadlocks. The shared row comes last, so it is locked for the shortest
    /// time.
    async fn take_mails(
        self,
        connection: &mut PgConnection,
        allowance: Allowance,
        recipients: &[&str],
        mails: u32,
    ) -> Result<()> {
        let Some(per_hour) = allowance.per_hour(self.service) else { return Ok(()) };
        allowances::prune(connection, self.now).await?;
        let (name, digests) = (allowance.name(), &self.service.digests);
        let mut limits = Vec::new();
        if let Some(client) = self.client {
            let share = per_hour.get().div_ceil(SHARE_OF_CLIENT);
            let key = format!("{name} client {}", digests.of_client(network_of(client)));
            limits.push((key, mails, NonZeroU32::new(share).unwrap_or(per_hour)));
        }
        for mailbox in allowances::mailboxes(connection, recipients).await? {
            limits.push((format!("{name} to {}", digests.of_address(&mailbox)), 1, PER_MAILBOX));
        }
        limits.push((name.to_owned(), mails, per_hour));
        for (key, mails, per_hour) in limits {
            if let Some(wait) = allowances::take_hourly(connection, &key, mails, per_hour, self.now).await? {
                return Err(allowance.refusal(wait));
            }
        }
        Ok(())
    }
}

/// The next e-mail of this kind must wait.
pub fn too_soon(wait: TimeDelta) -> AuthError {
    let seconds = seconds_of(wait);
    over_limit(format!("For security purposes, you can only request this after {seconds} seconds."), wait)
}

/// `wait`: the time until the next one.
fn over_limit(message: impl Into<String>, wait: TimeDelta) -> AuthError {
    let refusal = AuthError::new(StatusCode::TOO_MANY_REQUESTS, "over_email_send_rate_limit", message.into());
    AuthError { retry_after_seconds: Some(seconds_of(wait)), ..refusal }
}

/// Rounded up, so that a client that waits this long is accepted.
fn seconds_of(wait: TimeDelta) -> u64 {
    u64::try_from(wait.num_seconds() + i64::from(wait.subsec_nanos() > 0)).unwrap_or(0)
}
