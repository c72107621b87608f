//! The mail worker on a real PostgreSQL, against a real SMTP server that fails on demand.

#![expect(clippy::unwrap_used, reason = "a panic is a test's way to fail")]

mod delivery;
mod dev_mail;
mod encryption;
mod failures;
mod support;
mod templates;
mod workers;
