//! The functions through their router, beside a real auth service, a real gateway and a real PostgreSQL.

#![expect(clippy::unwrap_used, reason = "a panic is a test's way to fail")]

mod callers;
mod create_admin;
mod failures;
mod faults;
mod over_http;
mod platform_refusals;
mod security_log;
mod stack;
