//! What operators may do with the service key.

pub mod generate_link;
pub mod users;
