//! The embedded PostgreSQL server. npm installs it, and this process owns it: it stops when this process
//! ends.

pub mod address;
pub mod cluster;
pub mod disk;
pub mod identity;
pub mod leftovers;
pub mod log;
pub mod package;
pub mod server;
pub mod supervisor;
