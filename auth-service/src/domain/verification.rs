//! The purposes of a mailed link or code, by their API names.

use super::one_time_token::TokenKind;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verification {
    SignUp,
    Invite,
    Recovery,
    MagicLink,
    EmailChange,
    /// A typed code, from either a confirmation or a magic-link e-mail.
    EmailCode,
}

impl Verification {
    pub fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "signup" => Self::SignUp,
            "invite" => Self::Invite,
            "recovery" => Self::Recovery,
            "magiclink" => Self::MagicLink,
            "email_change" => Self::EmailChange,
            "email" => Self::EmailCode,
            _ => return None,
        })
    }

    /// The token kinds that satisfy it.
    pub fn kinds(self) -> &'static [TokenKind] {
        match self {
            Self::SignUp | Self::Invite => &[TokenKind::Confirmation],
            Self::Recovery | Self::MagicLink => &[TokenKind::Recovery],
            Self::EmailChange => &[TokenKind::EmailChangeNew, TokenKind::EmailChangeCurrent],
            Self::EmailCode => &[TokenKind::Confirmation, TokenKind::Recovery],
        }
    }
}

/// How a session began: the tokens' `amr` claim, also stored with a PKCE flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    SignUp,
    Recovery,
    MagicLink,
    EmailChange,
}

impl Method {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SignUp => "email/signup",
            Self::Recovery => "recovery",
            Self::MagicLink => "magiclink",
            Self::EmailChange => "email_change",
        }
    }
}
