//! A PostgREST-compatible API: tables, views and functions of a PostgreSQL database over HTTP.
//!
//! A request passes through these stages: `request` (parses text into types), `plan` (resolves it against
//! the schema), `query` (builds SQL and parameters), `execute` (the only stage that uses a connection) and
//! `response`. The first three are pure. `schema_cache` describes the database. Each stage has its own error
//! type, and `error` turns these errors into responses.

pub mod admin;
pub mod admission;
pub mod app;
pub mod auth;
mod compiled;
pub mod config;
mod deadline;
pub mod error;
pub mod error_body;
pub mod execute;
mod inspect;
pub mod media;
pub mod outage;
pub mod plan;
pub mod pool;
pub mod query;
pub mod request;
pub mod response;
pub mod schema_cache;
mod state;
mod turn;
mod wire;

pub use app::{Gateway, start};
pub use config::Config;
