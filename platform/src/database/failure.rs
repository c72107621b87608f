//! Classifies database errors by whether a retry of the same request may succeed.

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
            let lost = refusal.code().is_some_and(|code| code.starts_with("57P") || code.starts_with("08"));
            lost || is_on_standby(refusal.as_ref())
        }
        _ => false,
    }
}

/// The server no longer accepts writes, so this connection would keep failing. The primary may be another
/// host now.
fn is_on_standby(refusal: &dyn sqlx::error::DatabaseError) -> bool {
    let server = refusal.try_downcast_ref::<sqlx::postgres::PgDatabaseError>();
    server.is_some_and(|error| {
        error.code() == "25006" && error.routine() == Some("PreventCommandIfReadOnly")
            || needs_primary(error.code(), error.routine())
    })
}

/// Whether a standby rejected a command that only a primary can run. Recognized by the SQLSTATE and the function in
/// PostgreSQL's source code, because messages are translated.
pub fn needs_primary(code: &str, routine: Option<&str>) -> bool {
    // `BEGIN READ WRITE` fails in the check of a setting.
    matches!(
        (code, routine),
        ("25006", Some("PreventCommandDuringRecovery")) | ("0A000", Some("call_bool_check_hook"))
    )
}

/// The message of the error, with advice about encryption.
pub fn explained(error: &sqlx::Error) -> String {
    let text = error.to_string();
    let advice = if text.contains("no encryption") {
        "the server may require TLS: try sslmode=require, or sslmode=verify-full with sslrootcert"
    } else if text.contains("NotValidForName") || text.contains("not valid for name") {
        "the certificate names another host: use a name from the certificate in the URL"
    } else if text.contains("UnknownIssuer") {
        "sslrootcert must name the CA that issued the server's certificate"
    } else if text.contains("does not support TLS") {
        "enable TLS in the server, or choose another sslmode"
    } else {
        return text;
    };
    format!("{text} ({advice})")
}

/// The server's certificate is wrong. sqlx reports this as an I/O error.
fn is_of_certificate(error: &io::Error) -> bool {
    error.kind() == ErrorKind::InvalidData && error.to_string().contains("certificate")
}

/// Whether connecting will keep failing with the current settings, for example because of a wrong password.
pub fn is_permanent(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Configuration(_) | sqlx::Error::Tls(_) => true,
        sqlx::Error::Io(error) => is_of_certificate(error),
        // invalid_authorization_specification, invalid_password; invalid_catalog_name
        sqlx::Error::Database(refusal) => {
            refusal.code().is_some_and(|code| code.starts_with("28") || code == "3D000")
        }
        _ => false,
    }
}

/// What an operator must do about a pooler that does not support prepared statements.
pub const POOLER_ADVICE: &str = "the pooler in front of the database does not support prepared statements: use PgBouncer \
                                 1.21 or later, with max_prepared_statements = 500";

/// Whether the error code means that a session has another client's prepared statements, or lacks its own.
/// Only a pooler causes that.
pub fn mixes_statements(code: &str) -> bool {
    // duplicate_prepared_statement, invalid_sql_statement_name
    matches!(code, "42P05" | "26000")
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
