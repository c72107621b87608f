//! Through the router, on a real PostgreSQL and a directory of its own.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

mod buckets;
mod download;
mod list;
mod permission;
mod pictures;
mod removals;
mod remove;
mod robustness;
mod signed;
mod support;
mod transfer;
mod upload;
