//! What a mailed link or code is for, by the names the API has for it.

use super::one_time_token::TokenKind;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verification {
    SignUp,
    Invite,
    Recovery,
    MagicLink,
    EmailChange,
    /// A code typed by hand, whether it came with a confirmation or with a magic link.
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

    /// The tokens that serve it.
    pub fn kinds(self) -> &'static [TokenKind] {
        match self {
            Self::SignUp | Self::Invite => &[TokenKind::Confirmation],
            Self::Recovery | Self::MagicLink => &[TokenKind::Recovery],
            Self::EmailChange => &[TokenKind::EmailChangeNew, TokenKind::EmailChangeCurrent],
            Self::EmailCode => &[TokenKind::Confirmation, TokenKind::Recovery],
        }
    }
}

/// How a session began, as its tokens say (`amr`) and a PKCE flow remembers.
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
