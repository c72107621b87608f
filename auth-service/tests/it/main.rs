//! The service through its router, on a real PostgreSQL.

#![expect(clippy::unwrap_used, reason = "a panic is a test's way to fail")]

mod admin_delete;
mod admin_phones;
mod admin_refusals;
mod admin_users;
mod authenticator;
mod confirmation;
mod email_change;
mod email_provider;
mod enumeration;
mod factors;
mod generate_link;
mod handover;
mod hostile_input;
mod invite;
mod links;
mod logout;
mod mail_allowance;
mod mailbox;
mod not_offered;
mod outage;
mod password_rules;
mod pkce;
mod protocol;
mod rate_limit;
mod reauthentication;
mod recover;
mod recovery_codes;
mod refresh;
mod refresh_model;
mod second_steps;
mod secret_rotation;
mod security_log;
mod session_limits;
mod sign_in_failures;
mod signup;
mod start;
mod support;
mod takeover;
mod token;
mod user;
