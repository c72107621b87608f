//! The HTTP server all services run in.

pub mod lenient;
pub mod limits;
pub mod origin;
pub mod request_id;
pub mod server;
