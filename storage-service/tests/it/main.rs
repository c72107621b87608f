//! Through the router, on a real PostgreSQL and a directory of its own.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

/// The suite `s3` runs the same tests with the blobs on an S3 server.
const ON_S3: bool = false;

mod buckets;
mod download;
mod list;
mod operators;
mod outage;
mod permission;
mod pictures;
mod quota;
mod removals;
mod remove;
mod render;
mod robustness;
mod s3_server;
mod signed;
mod start;
mod support;
mod transfer;
mod upload;
