//! Tests of the launcher with the real program, a real PostgreSQL and one data directory per test.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod admin_port;
mod audience;
mod backup;
mod bare;
mod database_log;
mod database_restart;
mod database_unreachable;
mod developer;
mod external_url;
mod full_disk;
mod handover;
mod import;
mod limits;
mod log;
mod mail;
mod managed;
mod monitoring;
mod pages;
mod postgres_upgrade;
mod prepared;
mod product;
mod psql;
mod refusals;
mod roots;
mod second_factors;
mod secret_files;
mod secret_rotation;
mod signing_keys;
mod start_and_stop;
mod storage_check;
mod support;
mod tracing;
