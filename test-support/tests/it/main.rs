//! Tests of `platform::database` with separate servers: encryption, several hosts, a pooler.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod encryption;
mod pooler;
mod several_hosts;
