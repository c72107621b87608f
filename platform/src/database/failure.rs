//! Which of the database's errors mean that the same request may well succeed a moment later.

use std::fmt::Display;
use std::io::{self, ErrorKind};

/// Why a client should try again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TryAgain {
    /// The database can't be reached, starts, stops, or can't write at the moment.
    Unavailable,
    /// All connections are taken.
    Busy,
    /// Somebody else holds the row.
    Locked,
}

/// `None`: the request or the service itself is at fault.
pub fn try_again(error: &sqlx::Error) -> Option<TryAgain> {
    match error {
        sqlx::Error::Io(_) | sqlx::Error::PoolClosed | sqlx::Error::WorkerCrashed => {
            Some(TryAgain::Unavailable)
        }
        sqlx::Error::PoolTimedOut => Some(TryAgain::Busy),
        sqlx::Error::Database(refusal) => of_code(&refusal.code()?),
        _ => None,
    }
}

/// See <https://www.postgresql.org/docs/current/errcodes-appendix.html>.
fn of_code(code: &str) -> Option<TryAgain> {
    match code {
        // lock_not_available, deadlock_detected, serialization_failure
        "55P03" | "40P01" | "40001" => Some(TryAgain::Locked),
        // too_many_connections
        "53300" => Some(TryAgain::Busy),
        // admin_shutdown, crash_shutdown, cannot_connect_now, database_dropped, idle_session_timeout
        "57P01" | "57P02" | "57P03" | "57P04" | "57P05" => Some(TryAgain::Unavailable),
        // read_only_sql_transaction (a standby, or a server that was made read-only), idle_in_transaction_session_timeout,
        // transaction_timeout, io_error
        "25006" | "25P03" | "25P04" | "58030" => Some(TryAgain::Unavailable),
        // connection_exception; insufficient_resources: disk_full, out_of_memory
        _ if code.starts_with("08") || code.starts_with("53") => Some(TryAgain::Unavailable),
        _ => None,
    }
}

/// The connection is gone, and we know it: a statement on it was not answered.
pub fn is_lost(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(error) => error.kind() != ErrorKind::TimedOut,
        sqlx::Error::Database(refusal) => refusal.code().is_some_and(|code| code.starts_with("57P")),
        _ => false,
    }
}

/// Whether the connection may be used again after this.
pub fn breaks_connection(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) | sqlx::Error::Protocol(_) | sqlx::Error::Tls(_) => true,
        sqlx::Error::Database(refusal) => {
            refusal.code().is_some_and(|code| code.starts_with("57P") || code.starts_with("08"))
        }
        _ => false,
    }
}

/// Whether connecting will fail for as long as the settings are what they are: a wrong password, say.
pub fn is_permanent(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Configuration(_) | sqlx::Error::Tls(_) => true,
        // invalid_authorization_specification, invalid_password; invalid_catalog_name
        sqlx::Error::Database(refusal) => {
            refusal.code().is_some_and(|code| code.starts_with("28") || code == "3D000")
        }
        _ => false,
    }
}

pub fn unavailable(cause: impl Display) -> sqlx::Error {
    sqlx::Error::Io(io::Error::new(ErrorKind::TimedOut, cause.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_that_pass_are_told_from_those_that_stay() {
        for code in ["57P01", "57P02", "57P03", "53100", "25006", "08006"] {
            assert_eq!(of_code(code), Some(TryAgain::Unavailable), "{code}");
        }
        assert_eq!(of_code("53300"), Some(TryAgain::Busy));
        assert_eq!([of_code("55P03"), of_code("40P01")], [Some(TryAgain::Locked); 2]);
        for code in ["23505", "42501", "42P01", "22021", "57014"] {
            assert_eq!(of_code(code), None, "{code}");
        }
        assert_eq!(try_again(&sqlx::Error::PoolTimedOut), Some(TryAgain::Busy));
        assert_eq!(try_again(&sqlx::Error::RowNotFound), None);
    }
}
