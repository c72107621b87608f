//! Endpoints for operators with the service key.

pub mod factors;
pub mod generate_link;
pub mod users;
