//! Endpoints for operators with the service key.

pub mod generate_link;
pub mod users;
