//! The permission matrix over HTTP: every act as every person, sent to a real `serasi up`.
//!
//! Acts on rows come from `db/tests/policies/*.sql`: these are the COPY blocks that psql runs against the
//! policies directly. Acts that exist only over HTTP are in `tables/`. All tests of this program share one
//! server and one set of accounts, and run one at a time. After each act the whole database is compared
//! with its state before: a refused act must leave it unchanged, and an allowed act is reverted.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod call;
mod floor;
mod oracle;
mod outcome;
mod people;
mod rows;
mod server;
mod services;
mod stage;
mod state;
mod subjects;
mod table;
mod verdict;
