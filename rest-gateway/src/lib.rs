//! PostgREST's answers: tables, views and functions of a PostgreSQL database over HTTP.
//!
//! A request goes one way through the stages: `request` (text in, types out), `plan` (what it means in
//! this database), `query` (SQL and parameters), `execute` (the one place that touches a connection),
//! `response`. The first three are pure. `schema_cache` is what is known of the database.

pub mod admin;
pub mod admission;
pub mod app;
pub mod auth;
pub mod config;
mod deadline;
pub mod error;
pub mod execute;
mod inspect;
pub mod outage;
pub mod plan;
pub mod pool;
pub mod query;
pub mod request;
pub mod response;
pub mod schema_cache;
mod turn;

pub use app::{Gateway, start};
pub use config::Config;
