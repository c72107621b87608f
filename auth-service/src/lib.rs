//! # auth-service
//!
//! Accounts and sessions: implements the Supabase Auth (GoTrue) API for e-mail and password, for unmodified
//! clients. Passwords are argon2id hashes, refresh tokens rotate and are stored hashed, and access tokens are
//! HS256 or ES256 JWTs that the other services verify on their own. All state is in PostgreSQL (schema
//! `auth`, login `auth_admin`), except for the rate-limit buckets per client address, which are kept in
//! memory.
//!
//! Where to look: each endpoint has a file of its name in `routes/`, rules without I/O are in `domain/`, SQL
//! is in `store/` with a file per table. Settings are listed at the top of `config.rs`.

mod account_mail;
mod allowance;
mod answer;
pub mod app;
pub mod background;
mod body;
mod caller;
mod client;
pub mod config;
mod cross_site;
mod domain;
mod error;
mod failure_limit;
pub mod hashing;
mod letters;
mod new_account;
mod pace;
pub mod preparation;
mod query;
mod rate_limit;
mod rate_limit_middleware;
mod redirect_to;
mod routes;
mod security_event;
mod service;
mod shape;
mod sign_in;
pub mod standalone;
mod store;
mod verification;
