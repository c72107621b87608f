//! Sends an account a token by e-mail. The token, the outbox row and the sent-at timestamp are written in the
//! caller's transaction, which holds the lock on the account's row. The caller stores the row.

use chrono::{DateTime, TimeDelta, Utc};
use platform::database::PgConnection;
use uuid::Uuid;

use crate::domain::email::Email;
use crate::domain::mail_template::MailTemplate;
use crate::domain::one_time_token::{OneTimeToken, TokenKind};
use crate::domain::pkce::Challenge;
use crate::domain::redirect::with_query;
use crate::domain::verification::Method;
use crate::error::Result;
use crate::mail_allowance::{self, RequestedMail};
use crate::redirect_to::RedirectTo;
use crate::service::Service;
use crate::store::mail::{Contents, enqueue};
use crate::store::one_time_tokens::Stored;
use crate::store::users::UserRow;
use crate::store::{flow_state, one_time_tokens};

/// The page that asks the reader to confirm; see docs/decisions/006.
const PAGE: &str = "/auth/confirm";

/// Which rate limit covers this e-mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// The account's own interval is checked before each e-mail.
    PerAccount,
    /// [`mail_allowance::ask`] has already checked the address. The requester must not learn whether an
    /// account exists.
    PerAddress,
}

/// The request that triggers the e-mail.
#[derive(Clone, Copy)]
pub struct Cause<'a> {
    pub service: &'a Service,
    pub redirect_to: &'a RedirectTo,
    pub challenge: Option<&'a Challenge>,
    pub now: DateTime<Utc>,
    pub admission: Admission,
}

/// One e-mail that carries a token.
struct TokenMail<'a> {
    template: MailTemplate,
    kind: TokenKind,
    /// The `type` parameter of the link. `None` for a code that only confirms a change.
    link_type: Option<&'static str>,
    recipient: &'a str,
    new_email: Option<&'a str>,
}

impl Cause<'_> {
    pub async fn confirmation(&self, connection: &mut PgConnection, user: &mut UserRow) -> Result<()> {
        self.admit_to_owner(connection, user, user.confirmation_sent_at).await?;
        let flow = self.begin(connection, user.id, Method::SignUp).await?;
        self.mail_owner(
            connection,
            user,
            MailTemplate::Confirmation,
            TokenKind::Confirmation,
            Some("signup"),
            flow,
        )
        .await?;
        user.confirmation_sent_at = Some(self.now);
        Ok(())
    }

    /// Operators may send invitations without waiting.
    pub async fn invitation(&self, connection: &mut PgConnection, user: &mut UserRow) -> Result<()> {
        self.admit_to_owner(connection, user, None).await?;
        self.mail_owner(
            connection,
            user,
            MailTemplate::Invite,
            TokenKind::Confirmation,
            Some("invite"),
            None,
        )
        .await?;
        (user.invited_at, user.confirmation_sent_at) = (Some(self.now), Some(self.now));
        Ok(())
    }

    pub async fn recovery(&self, connection: &mut PgConnection, user: &mut UserRow) -> Result<()> {
        self.admit_to_owner(connection, user, user.recovery_sent_at).await?;
        let flow = self.begin(connection, user.id, Method::Recovery).await?;
        self.mail_owner(
            connection,
            user,
            MailTemplate::Recovery,
            TokenKind::Recovery,
            Some("recovery"),
            flow,
        )
        .await?;
        user.recovery_sent_at = Some(self.now);
        Ok(())
    }

    pub async fn magic_link(&self, connection: &mut PgConnection, user: &mut UserRow) -> Result<()> {
        self.admit_to_owner(connection, user, user.recovery_sent_at).await?;
        let flow = self.begin(connection, user.id, Method::MagicLink).await?;
        self.mail_owner(
            connection,
            user,
            MailTemplate::MagicLink,
            TokenKind::Recovery,
            Some("magiclink"),
            flow,
        )
        .await?;
        user.recovery_sent_at = Some(self.now);
        Ok(())
    }

    pub async fn reauthentication(&self, connection: &mut PgConnection, user: &mut UserRow) -> Result<()> {
        self.admit_to_owner(connection, user, user.reauthentication_sent_at).await?;
        self.mail_owner(
            connection,
            user,
            MailTemplate::Reauthentication,
            TokenKind::Reauthentication,
            None,
            None,
        )
        .await?;
        user.reauthentication_sent_at = Some(self.now);
        Ok(())
    }

    /// Sends one e-mail to the new address and, if there is one, one to the old address. Both must confirm.
    pub async fn email_change(
        &self,
        connection: &mut PgConnection,
        user: &mut UserRow,
        new: &Email,
    ) -> Result<()> {
        let old = user.email.clone();
        let recipients: Vec<&str> = std::iter::once(new.as_str()).chain(old.as_deref()).collect();
        self.admit(connection, user.email_change_sent_at, &recipients).await?;
        if self.admission == Admission::PerAccount {
            // A repeated request that names only the address must wait as well.
            let service = self.service;
            mail_allowance::note(service, connection, RequestedMail::EmailChange, old.as_deref(), self.now)
                .await?;
        }
        let flow = self.begin(connection, user.id, Method::EmailChange).await?;
        let letter = |kind, recipient| TokenMail {
            template: MailTemplate::EmailChange,
            kind,
            link_type: Some("email_change"),
            recipient,
            new_email: Some(new.as_str()),
        };
        let to_new = letter(TokenKind::EmailChangeNew, new.as_str());
        self.write(connection, user, &to_new, flow).await?;
        if let Some(old) = &old {
            self.write(connection, user, &letter(TokenKind::EmailChangeCurrent, old), flow).await?;
        }
        user.new_email = Some(new.as_str().to_owned());
        (user.email_change_sent_at, user.email_change_confirm_status) = (Some(self.now), 0);
        Ok(())
    }

    async fn begin(
        &self,
        connection: &mut PgConnection,
        user_id: Uuid,
        method: Method,
    ) -> Result<Option<Uuid>> {
        let Some(challenge) = self.challenge else { return Ok(None) };
        Ok(Some(flow_state::begin(connection, user_id, method, challenge, self.now).await?))
    }

    async fn mail_owner(
        &self,
        connection: &mut PgConnection,
        user: &UserRow,
        template: MailTemplate,
        kind: TokenKind,
        link_type: Option<&'static str>,
        flow: Option<Uuid>,
    ) -> Result<()> {
        let recipient = user.email.as_deref().unwrap_or_default();
        let letter = TokenMail { template, kind, link_type, recipient, new_email: None };
        self.write(connection, user, &letter, flow).await
    }

    async fn write(
        &self,
        connection: &mut PgConnection,
        user: &UserRow,
        letter: &TokenMail<'_>,
        flow: Option<Uuid>,
    ) -> Result<()> {
        let token = OneTimeToken::random(flow.is_some());
        self.keep(connection, user.id, letter.kind, letter.recipient, &token, flow).await?;
        let link = letter.link_type.map(|link_type| self.link(token.link.expose(), link_type));
        let contents = Contents {
            link: link.as_deref(),
            code: token.code.expose(),
            email: user.email.as_deref().unwrap_or(letter.recipient),
            new_email: letter.new_email,
        };
        enqueue(connection, letter.template, letter.recipient, &contents).await?;
        Ok(())
    }

    /// Stores the token's hashes, replacing the account's earlier token of this kind.
    pub async fn keep(
        &self,
        connection: &mut PgConnection,
        user_id: Uuid,
        kind: TokenKind,
        address: &str,
        token: &OneTimeToken,
        flow_state_id: Option<Uuid>,
    ) -> Result<()> {
        let digests = &self.service.digests;
        let stored = Stored {
            user_id,
            kind,
            token_hash: &digests.of_link(token.link.expose()),
            code_hash: &digests.of_code(address, token.code.expose()),
            relates_to: address,
            flow_state_id,
            created_at: self.now,
        };
        one_time_tokens::replace(connection, &stored).await?;
        Ok(())
    }

    /// Always uses the configured site address, regardless of the request's Host header.
    fn link(&self, token: &str, link_type: &str) -> String {
        let site = self.service.config.accounts.redirects.site_text.trim_end_matches('/');
        let mut parameters = vec![("token_hash", token), ("type", link_type)];
        parameters.extend(self.redirect_to.target().map(|target| ("redirect_to", target)));
        with_query(&format!("{site}{PAGE}"), &parameters)
    }

    /// Checks the account's interval first, so that requests made too early don't use up the mail allowance.
    async fn admit(
        &self,
        connection: &mut PgConnection,
        last: Option<DateTime<Utc>>,
        recipients: &[&str],
    ) -> Result<()> {
        if self.admission == Admission::PerAddress {
            return Ok(());
        }
        let next = last.map(|last| last + self.service.config.accounts.mail_interval);
        if let Some(wait) = next.map(|next| next - self.now).filter(|wait| *wait > TimeDelta::zero()) {
            return Err(mail_allowance::too_soon(wait));
        }
        mail_allowance::take(self.service, connection, recipients, self.now).await
    }

    async fn admit_to_owner(
        &self,
        connection: &mut PgConnection,
        user: &UserRow,
        last: Option<DateTime<Utc>>,
    ) -> Result<()> {
        self.admit(connection, last, &[user.email.as_deref().unwrap_or_default()]).await
    }
}
