//! A PostgREST-compatible API: tables, views and functions of a PostgreSQL database over HTTP.
//!
//! A request passes through these stages: `request` (parses text into types), `plan` (resolves it against
//! the schema), `query` (builds SQL and parameters), `execute` (the only stage that uses a connection) and
//! `response`. The first three are pure. `schema_cache` describes the database. A stage rejects a request with an
//! `ErrorBody`, and `error` turns it into a response.

mod admin;
mod admission;
mod app;
mod auth;
mod compiled;
mod config;
mod context;
mod deadline;
mod error;
mod error_body;
mod execute;
mod handler;
mod inspect;
mod log;
mod media;
mod metrics;
mod outage;
mod plan;
mod pool;
mod position;
mod query;
mod query_key;
mod replicas;
mod request;
mod request_log;
mod response;
mod row_checks;
mod schema_cache;
pub mod standalone;
mod state;
mod wire;

pub use app::{Gateway, start};
pub use config::Config;
