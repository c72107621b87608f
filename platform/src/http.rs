//! The HTTP server shared by all services.

pub mod body;
mod client_stream;
pub mod cors;
mod framing;
pub mod limits;
pub mod listening;
pub mod origin;
pub mod panics;
pub mod request_id;
pub mod server;
pub mod unavailable;
