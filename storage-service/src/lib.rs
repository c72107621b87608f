//! Buckets and objects: the Supabase Storage API. Row policies on `storage.buckets` and
//! `storage.objects` alone decide who may do what; a backend keeps the bytes.
//!
//! A request goes `routes → upload → {domain, store, backend}`. Two things always hold: no row without
//! its blob (the blob is kept first, and removed after the row), and no path made of a user's text.
//! `removals` works without a request, and lets a row outlive its blob until it has tried again.

pub mod app;
pub mod check;
pub mod config;

mod backend;
mod blobs;
mod caller;
mod commit;
mod domain;
mod error;
mod place;
mod removals;
mod render;
mod routes;
mod staging;
mod state;
mod store;
mod sweeper;
mod times;
mod upload;

pub use app::{Storage, app, start};
pub use config::Config;
