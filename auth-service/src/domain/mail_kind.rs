//! The kinds of e-mail of this service, as the outbox names them.

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MailKind {
    Confirmation,
    Recovery,
    MagicLink,
    EmailChange,
    Invite,
    Reauthentication,
    FactorAdded,
    /// Queued by the database.
    FactorReset,
}

impl MailKind {
    pub const ALL: [Self; 8] = [
        Self::Confirmation,
        Self::Recovery,
        Self::MagicLink,
        Self::EmailChange,
        Self::Invite,
        Self::Reauthentication,
        Self::FactorAdded,
        Self::FactorReset,
    ];

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Confirmation => "confirmation",
            Self::Recovery => "recovery",
            Self::MagicLink => "magic_link",
            Self::EmailChange => "email_change",
            Self::Invite => "invite",
            Self::Reauthentication => "reauthentication",
            Self::FactorAdded => "factor_added",
            Self::FactorReset => "factor_reset",
        }
    }
}
