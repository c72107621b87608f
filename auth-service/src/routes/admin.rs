//! What operators may do with the service key.

pub mod users;
