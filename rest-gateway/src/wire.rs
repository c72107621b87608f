//! Connections to PostgreSQL for requests. All statements of a request are sent with a single sync, and the
//! task that handles the request reads the responses from the socket itself.
//!
//! tokio-postgres opens the connection and authenticates. It can't send several statements with one sync, and it
//! passes every message through a second task.

mod address;
pub mod connect;
mod connection;
pub mod error;
mod socket;
mod statements;
mod tls;

pub use connect::open;
pub use connection::Connection;
pub use statements::statement_cost;
