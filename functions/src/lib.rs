//! # functions
//!
//! Work that is more than one call. Now: `POST /create-admin`, by which a superadmin makes an admin.
//!
//! The service has no database of its own: it talks to the auth service's admin API over HTTP, and reaches
//! tables through the gateway with the `postgrest` client, as any other program would. Whether the caller
//! is a superadmin is asked there at the time of the call, with the caller's own token.
//!
//! Failures are JSON `{"error": "…"}`. Those of the platform (no good token, no such function) also carry
//! `x-relay-error: true`, by which clients tell them from a function's own refusals.

pub mod app;
mod body;
mod clients;
pub mod config;
mod create_admin;
mod error;
mod security_event;
mod token;
