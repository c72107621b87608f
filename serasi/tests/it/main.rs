//! The launcher as people meet it: the real program, a real PostgreSQL, a data directory per test.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod admin_port;
mod external_url;
mod limits;
mod log;
mod mail;
mod pages;
mod refusals;
mod roots;
mod signing_keys;
mod start_and_stop;
mod support;
