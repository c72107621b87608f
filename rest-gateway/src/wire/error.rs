//! Errors of statements and connections.

use std::io;

use fallible_iterator::FallibleIterator;
use platform::database::needs_primary;
use postgres_protocol::message::backend::ErrorFields;

#[derive(Debug, thiserror::Error)]
pub enum WireError {
    /// PostgreSQL returned an error.
    #[error("{}:  {}", .0.severity, .0.message)]
    Server(Box<ServerError>),
    #[error("error communicating with the server: {0}")]
    Io(#[from] io::Error),
    #[error("connection closed")]
    Closed,
    /// The server violated the protocol.
    #[error("unexpected message from server")]
    UnexpectedMessage,
    /// A row was larger than this, in bytes, and was dropped. The statements succeeded.
    #[error("the response is larger than {0} bytes")]
    RowTooLarge(usize),
    /// A statement or value can't be encoded. Nothing was sent.
    #[error("error encoding message to server: {0}")]
    Encoding(String),
}

impl WireError {
    /// The connection can no longer be used.
    pub fn is_lost(&self) -> bool {
        match self {
            Self::Server(error) => error.is_fatal(),
            Self::Io(_) | Self::Closed | Self::UnexpectedMessage => true,
            Self::Encoding(_) | Self::RowTooLarge(_) => false,
        }
    }

    /// A write was rejected because the server is a standby.
    pub fn is_of_standby(&self) -> bool {
        let Self::Server(error) = self else { return false };
        needs_primary(&error.code, error.routine.as_deref())
    }

    pub fn has_code(&self, code: &str) -> bool {
        matches!(self, Self::Server(error) if error.code == code)
    }

    /// A prepared statement no longer fits the schema.
    pub fn is_outdated_statement(&self) -> bool {
        let Self::Server(error) = self else { return false };
        error.code == "26000"
            || error.code == "0A000" && error.routine.as_deref() == Some("RevalidateCachedQuery")
    }
}

/// An error that PostgreSQL reports.
#[derive(Debug, Clone, Default)]
pub struct ServerError {
    /// Without translation.
    pub severity: String,
    /// The SQLSTATE.
    pub code: String,
    pub message: String,
    pub detail: Option<String>,
    pub hint: Option<String>,
    /// The function in PostgreSQL's source code.
    pub routine: Option<String>,
    /// A function or trigger was running.
    pub in_function: bool,
    /// Warnings that earlier statements of the request raised.
    pub warnings: Vec<Self>,
}

impl ServerError {
    /// The error ended the session.
    pub fn is_fatal(&self) -> bool {
        matches!(self.severity.as_str(), "FATAL" | "PANIC")
    }

    /// # Errors
    /// When the message is malformed.
    pub fn parse(mut fields: ErrorFields<'_>) -> io::Result<Self> {
        let mut error = Self::default();
        while let Some(field) = fields.next()? {
            let value = String::from_utf8_lossy(field.value_bytes()).into_owned();
            match field.type_() {
                b'V' => error.severity = value,
                b'C' => error.code = value,
                b'M' => error.message = value,
                b'D' => error.detail = Some(value),
                b'H' => error.hint = Some(value),
                b'R' => error.routine = Some(value),
                b'W' => error.in_function = names_function(&value),
                _ => {}
            }
        }
        Ok(error)
    }
}

/// Whether the context of an error names a function, or a statement that a function ran. The text is translated, but not
/// the name of the function's language.
fn names_function(context: &str) -> bool {
    // A parameter also has a context. Its value follows an equals sign.
    let mut descriptions = context.lines().filter_map(|line| line.split('=').next());
    descriptions.any(|text| text.contains("SQL") || text.contains("PL/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn german(code: &str, routine: &str) -> WireError {
        let error =
            ServerError { code: code.to_owned(), routine: Some(routine.to_owned()), ..Default::default() };
        WireError::Server(Box::new(ServerError { message: "Bitte wenden".to_owned(), ..error }))
    }

    #[test]
    fn errors_are_recognized_in_every_language() {
        assert!(german("0A000", "RevalidateCachedQuery").is_outdated_statement());
        assert!(german("0A000", "call_bool_check_hook").is_of_standby());
        assert!(german("25006", "PreventCommandDuringRecovery").is_of_standby());
        assert!(!german("25006", "PreventCommandIfReadOnly").is_of_standby());
        assert!(!german("0A000", "transformFuncCall").is_outdated_statement());
        assert!(names_function("PL/pgSQL-Funktion api.nested() Zeile 1 bei RETURN"));
        assert!(names_function("JSON-Daten, Zeile 1: [\nfonction SQL « nested », instruction 1"));
        assert!(!names_function("Parameter $1 von unbenanntem Portal = '{SQL}'"));
    }
}
