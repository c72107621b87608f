//! The HTTP server on real sockets.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bodies;
mod connections;
mod proxies;
mod requests;
mod shutdown;
mod support;
