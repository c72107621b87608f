//! SQL, one file per table. Functions take a connection; who calls them decides on the transaction.

pub mod identities;
pub mod refresh_tokens;
pub mod sessions;
pub mod users;
