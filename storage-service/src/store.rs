//! SQL, one file per table. Functions take a connection: as the caller inside `Caller::begin`, as
//! `storage_admin` straight from the pool.

pub mod buckets;
pub mod listing;
pub mod objects;
pub mod orphans;
pub mod removals;
