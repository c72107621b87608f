//! The owner of an object or bucket.

use uuid::Uuid;

/// The creator's `sub` claim; `None` for the service key.
#[derive(Debug, Clone, Default)]
pub struct Owner {
    pub id: Option<String>,
}

impl Owner {
    /// The account's id, if it is a UUID.
    pub fn uuid(&self) -> Option<Uuid> {
        self.id.as_deref()?.parse().ok()
    }
}
