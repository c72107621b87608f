//! Whom an object or a bucket belongs to.

use uuid::Uuid;

/// The `sub` of whoever made it; none for the service key.
#[derive(Debug, Clone, Default)]
pub struct Owner {
    pub id: Option<String>,
}

impl Owner {
    /// The account, when its id is a UUID, as ours are.
    pub fn uuid(&self) -> Option<Uuid> {
        self.id.as_deref()?.parse().ok()
    }
}
