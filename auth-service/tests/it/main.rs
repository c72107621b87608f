//! The service through its router, on a real PostgreSQL.

#![expect(clippy::unwrap_used, reason = "a panic is a test's way to fail")]

mod admin_users;
mod logout;
mod protocol;
mod rate_limit;
mod refresh;
mod refresh_model;
mod signup;
mod support;
mod token;
mod user;
