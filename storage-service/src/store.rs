//! SQL, one file per table. Functions take a connection: with the caller's role from `Caller::begin`, or as
//! `storage_admin` directly from the pool.

pub mod buckets;
pub mod listing;
pub mod objects;
pub mod orphans;
pub mod public_objects;
pub mod removals;
