//! Shared by every Serasi service: settings, keys and claims, database pools, the HTTP server,
//! telemetry. Nothing about the marketplace belongs here.

pub mod admin;
pub mod bearer;
pub mod claims;
pub mod clock;
pub mod database;
pub mod env;
pub mod http;
pub mod jwt;
pub mod log_limit;
pub mod measure;
pub mod memory;
mod method_name;
pub mod progress;
pub mod random;
pub mod schedule;
pub mod secret;
pub mod standalone;
pub mod telemetry;
pub mod token;
pub mod trace;
pub mod version;
