//! The marketplace's e-mails and its schedule on a real PostgreSQL, against a real SMTP server.

#![expect(clippy::unwrap_used, reason = "a panic is a test's way to fail")]

mod collaborations;
mod delivery;
mod marketplace;
mod notifications;
mod schedule;
mod support;
