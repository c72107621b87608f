//! The embedded PostgreSQL: installed by npm, owned and run by this program, gone when it is gone.

pub mod address;
pub mod cluster;
pub mod disk;
pub mod identity;
pub mod leftovers;
pub mod log;
pub mod package;
pub mod restarts;
pub mod server;
pub mod settings;
pub mod supervisor;
