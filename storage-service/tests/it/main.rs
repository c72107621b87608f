//! The service through its router, on a real PostgreSQL and its own directory.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

/// The suite `s3` runs the same tests with the blobs on an S3 server.
const ON_S3: bool = false;

mod ahead;
mod bounds;
mod bucket_limits;
mod buckets;
mod download;
mod folder_gone;
mod gravity;
mod handover;
mod hostile;
mod list;
mod list_order;
mod operators;
mod outage;
mod own_policies;
mod permission;
mod picture_size;
mod pictures;
mod proxy;
mod public_reads;
mod quota;
mod removals;
mod remove;
mod render;
mod render_sources;
mod render_variants;
mod resume;
mod robustness;
mod s3_server;
mod signed;
mod start;
mod support;
mod sweeper;
mod transfer;
mod transfer_rights;
mod unclear_commit;
mod upload;
