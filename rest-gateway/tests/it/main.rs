//! Tests of the gateway with a real PostgreSQL, one file for each part of the API.

#![expect(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

mod aggregates;
mod auth;
mod booleans;
mod command_line;
mod cors_and_options;
mod database;
mod delete;
mod domains;
mod drop_in;
mod embed;
mod embed_hints;
mod errors;
mod explain;
mod filters;
mod gucs;
mod insert;
mod json_paths;
mod load;
mod media;
mod monitoring;
mod openapi;
mod outage;
mod plans;
mod pre_config;
mod prefer;
mod program;
mod range;
mod reload;
mod request_isolation;
mod round_trips;
mod rpc;
mod rpc_overloads;
mod schemas;
mod select;
mod shapes;
mod signals;
mod singular;
mod sockets;
mod spread;
mod support;
mod trigger_views;
mod update;
mod upsert;
mod wrong_input;
