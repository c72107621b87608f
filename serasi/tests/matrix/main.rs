//! The matrix of permissions over HTTP: every act as every person, sent to a real `serasi up`.
//!
//! The acts on rows are those of `db/tests/policies/*.sql`, read from the same COPY blocks that psql runs
//! against the policies alone; what exists over HTTP only is in `tables/`. One server and one cast of people
//! serve all tests of this program, one test at a time. After each act the whole database is compared with
//! what it was before: a refusal must leave it as it was, an act that is allowed is taken back.

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
