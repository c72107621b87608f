//! Test support: a fresh database per test, access tokens, and a client for routers. Never part of a release
//! build.

#![expect(clippy::expect_used, reason = "a test's preparation fails by panicking")]

pub mod client;
pub mod cluster;
pub mod database;
pub mod faulty_proxy;
pub mod handover;
pub mod log;
pub mod metrics;
pub mod outbox;
pub mod person;
pub mod pooler;
pub mod program;
pub mod smtp_server;
pub mod waiting;
