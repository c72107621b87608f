//! Buckets and objects: the Supabase Storage API. Row policies on `storage.buckets` and `storage.objects`
//! alone authorize requests; a backend stores the bytes.
//!
//! A request passes through `routes → upload → {domain, store, backend}`. Two invariants hold: every row has
//! its blob (the blob is stored before the row and removed after it), and no file path contains user input.
//! `removals` runs in the background and removes the blob first; the row stays until a retry succeeds.

pub mod app;
pub mod archive;
pub mod check;
pub mod config;
pub mod standalone;

mod backend;
mod backend_setup;
mod blobs;
mod caller;
mod commit;
mod domain;
mod error;
mod memory;
mod removals;
mod render;
mod routes;
mod shares;
mod staging;
mod staging_writer;
mod state;
mod store;
mod stores;
mod sweeper;
mod times;
mod upload;

pub use app::{Storage, app, start};
pub use config::Config;
