//! Tests of the gateway's router with a real PostgreSQL. One file per part of the API.

#![expect(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

mod aggregates;
mod auth;
mod booleans;
mod command_line;
mod cors_and_options;
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
mod one_round_trip;
mod openapi;
mod operators;
mod outage;
mod plans;
mod pre_config;
mod prefer;
mod program;
mod range;
mod reload;
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
mod turns;
mod update;
mod upsert;
mod wrong_input;
