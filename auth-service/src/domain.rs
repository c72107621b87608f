//! What accounts and sessions are: rules and newtypes, no network, no database.

pub mod email;
pub mod metadata;
pub mod password;
pub mod refresh_token;
pub mod rotation;
pub mod span;
pub mod user_type;
