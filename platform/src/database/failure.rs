//! Classifies database errors: which of them mean that a retry of the same request may succeed.

use std::fmt::Display;
use std::io::{self, ErrorKind};

/// Why a retry may succeed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RetryReason {
    /// The database can't be reached, is starting or stopping, or can't write at the moment.
    Unavailable,
    /// All connections are in use.
    Busy,
    /// Another transaction holds a lock.
    Locked,
}

/// `None` when the request or the service is at fault.
pub fn retry_reason(error: &sqlx::Error) -> Option<RetryReason> {
    match error {
        sqlx::Error::Io(_) | sqlx::Error::PoolClosed | sqlx::Error::WorkerCrashed => {
            Some(RetryReason::Unavailable)
        }
        sqlx::Error::PoolTimedOut => Some(RetryReason::Busy),
        sqlx::Error::Database(refusal) => of_code(&refusal.code()?),
        _ => None,
    }
}

/// See <https://www.postgresql.org/docs/current/errcodes-appendix.html>.
fn of_code(code: &str) -> Option<RetryReason> {
    match code {
        // lock_not_available, deadlock_detected, serialization_failure
        "55P03" | "40P01" | "40001" => Some(RetryReason::Locked),
        // too_many_connections
        "53300" => Some(RetryReason::Busy),
        // admin_shutdown, crash_shutdown, cannot_connect_now, database_dropped, idle_session_timeout
        "57P01" | "57P02" | "57P03" | "57P04" | "57P05" => Some(RetryReason::Unavailable),
        // read_only_sql_transaction (a standby or a server that was made read-only), io_error,
        // idle_in_transaction_session_timeout, transaction_timeout
        "25006" | "25P03" | "25P04" | "58030" => Some(RetryReason::Unavailable),
        // connection_exception; insufficient_resources: disk_full, out_of_memory
        _ if code.starts_with("08") || code.starts_with("53") => Some(RetryReason::Unavailable),
        _ => None,
    }
}

/// The connection is known to be closed: a statement on it was not answered.
pub fn is_lost(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(error) => error.kind() != ErrorKind::TimedOut,
        sqlx::Error::Database(refusal) => refusal.code().is_some_and(|code| code.starts_with("57P")),
        _ => false,
    }
}

/// Whether the error leaves the connection unusable.
pub fn breaks_connection(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) | sqlx::Error::Protocol(_) | sqlx::Error::Tls(_) => true,
        sqlx::Error::Database(refusal) => {
            refusal.code().is_some_and(|code| code.starts_with("57P") || code.starts_with("08"))
        }
        _ => false,
    }
}

/// Whether connecting will keep failing with the current settings, for example because of a wrong password.
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
    fn transient_errors_are_retryable_and_others_are_not() {
        for code in ["57P01", "57P02", "57P03", "53100", "25006", "08006"] {
            assert_eq!(of_code(code), Some(RetryReason::Unavailable), "{code}");
        }
        assert_eq!(of_code("53300"), Some(RetryReason::Busy));
        assert_eq!([of_code("55P03"), of_code("40P01")], [Some(RetryReason::Locked); 2]);
        for code in ["23505", "42501", "42P01", "22021", "57014"] {
            assert_eq!(of_code(code), None, "{code}");
        }
        assert_eq!(retry_reason(&sqlx::Error::PoolTimedOut), Some(RetryReason::Busy));
        assert_eq!(retry_reason(&sqlx::Error::RowNotFound), None);
    }
}
