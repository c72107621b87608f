//! The service through its router, on a real PostgreSQL.

#![expect(clippy::unwrap_used, reason = "a panic is a test's way to fail")]

mod admin_delete;
mod admin_users;
mod confirmation;
mod email_change;
mod generate_link;
mod invite;
mod links;
mod logout;
mod mail_allowance;
mod mailbox;
mod not_offered;
mod password_rules;
mod protocol;
mod pkce;
mod rate_limit;
mod reauthentication;
mod recover;
mod refresh;
mod refresh_model;
mod security_log;
mod sign_in_failures;
mod session_limits;
mod signup;
mod support;
mod token;
mod user;
