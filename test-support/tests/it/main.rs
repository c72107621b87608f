//! Tests of `platform::database` with servers of their own: encryption, several hosts, a pooler.

#![expect(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

mod encryption;
mod several_hosts;
