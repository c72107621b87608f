//! The kinds of e-mail, as `serasi.mail_outbox` names them.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MailTemplate {
    /// Queued by the database when an admin approves a profile.
    Approved,
    Confirmation,
    Recovery,
    MagicLink,
    EmailChange,
    Invite,
    Reauthentication,
}

impl MailTemplate {
    const ALL: [Self; 7] = [
        Self::Approved,
        Self::Confirmation,
        Self::Recovery,
        Self::MagicLink,
        Self::EmailChange,
        Self::Invite,
        Self::Reauthentication,
    ];

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|template| template.as_str() == name)
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::Confirmation => "confirmation",
            Self::Recovery => "recovery",
            Self::MagicLink => "magic_link",
            Self::EmailChange => "email_change",
            Self::Invite => "invite",
            Self::Reauthentication => "reauthentication",
        }
    }
}
