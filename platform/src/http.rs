//! The HTTP server all services run in.

pub mod body;
mod client_stream;
mod framing;
pub mod limits;
pub mod origin;
pub mod request_id;
pub mod server;
