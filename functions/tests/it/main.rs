//! Tests the functions through their router, with a real auth service, gateway and PostgreSQL.

#![expect(clippy::unwrap_used, reason = "a panic is a test's way to fail")]

mod callers;
mod create_admin;
mod enquiries;
mod failures;
mod faults;
mod handover;
mod operators;
mod over_http;
mod platform_refusals;
mod replicas;
mod security_log;
mod stack;
mod unsubscribe;
