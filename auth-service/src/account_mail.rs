//! Sends an account a token by e-mail. The token, the outbox row and the sent-at timestamp are written in the
//! caller's transaction, which holds the lock on the account's row. The caller stores the row.

use chrono::{DateTime, TimeDelta, Utc};
use mail::enqueue;
use platform::database::PgConnection;
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

use crate::allowance::{Allowance, Requester, too_soon};
use crate::domain::email::Email;
use crate::domain::mail_kind::MailKind;
use crate::domain::one_time_token::{OneTimeToken, TokenKind};
use crate::domain::pkce::Challenge;
use crate::domain::redirect::with_query;
use crate::domain::verification::Method;
use crate::error::Result;
use crate::redirect_to::RedirectTo;
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
    /// [`Requester::ask`] has already checked the address. The requester must not learn whether an account
    /// exists.
    PerAddress,
}

/// The request that triggers the e-mail.
#[derive(Clone, Copy)]
pub struct Cause<'a> {
    pub from: Requester<'a>,
    pub redirect_to: &'a RedirectTo,
    pub challenge: Option<&'a Challenge>,
    pub admission: Admission,
}

/// An e-mail to the account's own address.
#[derive(Debug, Clone, Copy)]
pub enum OwnerMail {
    Confirmation,
    Invitation,
    Recovery,
    MagicLink,
    Reauthentication,
}

/// One e-mail that carries a token.
struct TokenMail<'a> {
    kind: MailKind,
    token: TokenKind,
    link_type: Option<&'static str>,
    recipient: &'a str,
    new_email: Option<&'a str>,
}

/// What the row in the outbox has for the texts.
#[derive(Serialize)]
struct Contents<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<&'a str>,
    code: &'a str,
    email: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    new_email: Option<&'a str>,
    /// The account's `user_metadata`, if a template of the operator shows it.
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<&'a Value>,
}

impl OwnerMail {
    /// The e-mail, its token, the `type` parameter of the link (`None` for a code that only confirms a change), and the
    /// PKCE flow that the link continues.
    fn token(self) -> (MailKind, TokenKind, Option<&'static str>, Option<Method>) {
        use {MailKind as Kind, TokenKind as Token};
        match self {
            Self::Confirmation => {
                (Kind::Confirmation, Token::Confirmation, Some("signup"), Some(Method::SignUp))
            }
            Self::Invitation => (Kind::Invite, Token::Confirmation, Some("invite"), None),
            Self::Recovery => (Kind::Recovery, Token::Recovery, Some("recovery"), Some(Method::Recovery)),
            Self::MagicLink => (Kind::MagicLink, Token::Recovery, Some("magiclink"), Some(Method::MagicLink)),
            Self::Reauthentication => (Kind::Reauthentication, Token::Reauthentication, None, None),
        }
    }

    fn allowance(self) -> Allowance {
        match self {
            Self::Confirmation => Allowance::Confirmation,
            Self::Invitation => Allowance::Invitation,
            Self::Recovery | Self::MagicLink => Allowance::SignIn,
            Self::Reauthentication => Allowance::Reauthentication,
        }
    }

    fn sent_at(self, user: &mut UserRow) -> &mut Option<DateTime<Utc>> {
        match self {
            Self::Confirmation | Self::Invitation => &mut user.confirmation_sent_at,
            Self::Recovery | Self::MagicLink => &mut user.recovery_sent_at,
            Self::Reauthentication => &mut user.reauthentication_sent_at,
        }
    }
}

impl Cause<'_> {
    pub async fn send(
        &self,
        connection: &mut PgConnection,
        user: &mut UserRow,
        mail: OwnerMail,
    ) -> Result<()> {
        // Operators may send invitations without waiting.
        let last = mail.sent_at(user).filter(|_| !matches!(mail, OwnerMail::Invitation));
        let recipient = user.email.clone().unwrap_or_default();
        let (kind, token, link_type, method) = mail.token();
        self.admit(connection, mail.allowance(), last, &[&recipient]).await?;
        let flow = match method {
            Some(method) => self.begin(connection, user.id, method).await?,
            None => None,
        };
        let letter = TokenMail { kind, token, link_type, recipient: &recipient, new_email: None };
        self.write(connection, user, &letter, flow).await?;
        *mail.sent_at(user) = Some(self.from.now);
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
        if self.admission == Admission::PerAccount {
            // A repeated request that names only the address must wait as well.
            let address = old.as_deref().unwrap_or_default();
            self.from.start_interval(connection, Allowance::EmailChange, address).await?;
        }
        self.admit(connection, Allowance::EmailChange, user.email_change_sent_at, &recipients).await?;
        let flow = self.begin(connection, user.id, Method::EmailChange).await?;
        let letter = |token, recipient| TokenMail {
            kind: MailKind::EmailChange,
            token,
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
        (user.email_change_sent_at, user.email_change_confirm_status) = (Some(self.from.now), 0);
        Ok(())
    }

    async fn begin(
        &self,
        connection: &mut PgConnection,
        user_id: Uuid,
        method: Method,
    ) -> Result<Option<Uuid>> {
        let Some(challenge) = self.challenge else { return Ok(None) };
        Ok(Some(flow_state::begin(connection, user_id, method, challenge, self.from.now).await?))
    }

    async fn write(
        &self,
        connection: &mut PgConnection,
        user: &UserRow,
        letter: &TokenMail<'_>,
        flow: Option<Uuid>,
    ) -> Result<()> {
        let token = OneTimeToken::random(flow.is_some());
        self.keep(connection, user.id, letter.token, letter.recipient, &token, flow).await?;
        let link = letter.link_type.map(|link_type| self.link(token.link.expose(), link_type));
        let contents = Contents {
            link: link.as_deref(),
            code: token.code.expose(),
            email: user.email.as_deref().unwrap_or(letter.recipient),
            new_email: letter.new_email,
            data: self
                .from
                .service
                .config
                .mail_templates
                .show_data(letter.kind)
                .then_some(&user.raw_user_meta_data),
        };
        Ok(enqueue(connection, letter.kind.as_str(), letter.recipient, &contents).await?)
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
        let digests = &self.from.service.digests;
        let stored = Stored {
            user_id,
            kind,
            token_hash: &digests.of_link(token.link.expose()),
            code_hash: &digests.of_code(address, token.code.expose()),
            relates_to: address,
            flow_state_id,
            created_at: self.from.now,
        };
        one_time_tokens::replace(connection, &stored).await?;
        Ok(())
    }

    /// Always uses the configured site address, regardless of the request's Host header.
    fn link(&self, token: &str, link_type: &str) -> String {
        let site = self.from.service.config.accounts.redirects.site_text.trim_end_matches('/');
        let mut parameters = vec![("token_hash", token), ("type", link_type)];
        parameters.extend(self.redirect_to.target().map(|target| ("redirect_to", target)));
        with_query(&format!("{site}{PAGE}"), &parameters)
    }

    /// Checks the account's interval first, so that requests made too early don't use up the allowance.
    async fn admit(
        &self,
        connection: &mut PgConnection,
        allowance: Allowance,
        last: Option<DateTime<Utc>>,
        recipients: &[&str],
    ) -> Result<()> {
        if self.admission == Admission::PerAddress {
            return Ok(());
        }
        let next = last.map(|last| last + self.from.service.config.accounts.mail_interval);
        if let Some(wait) = next.map(|next| next - self.from.now).filter(|wait| *wait > TimeDelta::zero()) {
            return Err(too_soon(wait));
        }
        self.from.take(connection, allowance, recipients).await
    }
}
