//! The tests of the suite `it` that depend on where blobs are stored, on a real S3 server that checks
//! signatures.

#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

const ON_S3: bool = true;

mod bucket;
#[path = "../it/bucket_limits.rs"]
mod bucket_limits;
#[path = "../it/download.rs"]
mod download;
mod faults;
mod faulty_server;
mod garage;
#[path = "../it/operators.rs"]
mod operators;
#[path = "../it/pictures.rs"]
mod pictures;
#[path = "../it/removals.rs"]
mod removals;
#[path = "../it/remove.rs"]
mod remove;
#[path = "../it/render.rs"]
mod render;
#[path = "../it/render_variants.rs"]
mod render_variants;
#[path = "../it/resume.rs"]
mod resume;
#[path = "../it/robustness.rs"]
mod robustness;
#[path = "../it/s3_server.rs"]
mod s3_server;
#[path = "../it/signed.rs"]
mod signed;
#[path = "../it/support.rs"]
mod support;
#[path = "../it/sweeper.rs"]
mod sweeper;
#[path = "../it/transfer.rs"]
mod transfer;
#[path = "../it/transfer_rights.rs"]
mod transfer_rights;
#[path = "../it/upload.rs"]
mod upload;
