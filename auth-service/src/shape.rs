//! What the API answers. Not the rows: a column added to a table must not appear here by itself.

pub mod session;
pub mod user;
