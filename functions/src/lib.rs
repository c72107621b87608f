//! # functions
//!
//! Operations that a browser can't do with one call to another service:
//!
//! * `POST /create-admin`: a superadmin creates an admin.
//! * `POST /enquiries`: accounts and guests write to influencers. Its limits need the client's address.
//! * `POST /unsubscribe`: mail clients and the page `/unsubscribe` unsubscribe from e-mail.
//!
//! * It delivers the marketplace's e-mail (`letters`), and runs its schedule (`schedule`).
//!
//! Requests reach no database directly. They call the auth service's admin API over HTTP and access
//! tables through the gateway with the `postgrest` client, like any other program. They check there, with the
//! caller's own token, whether the caller is a superadmin at the time of the call.
//!
//! Errors are JSON `{"error": "…"}`. Errors of the platform (invalid token, unknown function) also carry
//! `x-relay-error: true`, which lets clients distinguish them from a function's own errors.

pub mod app;
pub mod background;
mod body;
mod clients;
pub mod config;
mod create_admin;
mod enquiries;
mod error;
mod letters;
mod security_event;
pub mod standalone;
mod state;
mod token;
mod unsubscribe;
