//! The embedded PostgreSQL: installed by npm, owned and run by this program, gone when it is gone.

pub mod cluster;
pub mod identity;
pub mod package;
pub mod server;
