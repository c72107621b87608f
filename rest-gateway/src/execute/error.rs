//! Errors of a job: from the database, or from the check of its result.

use axum::http::StatusCode;

use crate::error_body::ErrorBody;
use crate::pool::error::DatabaseError;

#[derive(Debug)]
pub enum ExecuteError {
    Database(DatabaseError),
    Check(CheckError),
}

/// The request does not allow this number of rows.
#[derive(Debug)]
pub enum CheckError {
    PutMismatch,
    NotSingular {
        rows: i64,
    },
    TooManyAffected {
        rows: i64,
    },
    /// The name of a statement that requires a filter but has none.
    MissingFilter(&'static str),
}

impl From<DatabaseError> for ExecuteError {
    fn from(error: DatabaseError) -> Self {
        Self::Database(error)
    }
}

impl From<CheckError> for ExecuteError {
    fn from(error: CheckError) -> Self {
        Self::Check(error)
    }
}

impl CheckError {
    pub fn error_body(&self) -> ErrorBody {
        use StatusCode as S;
        match self {
            Self::PutMismatch => ErrorBody::new(
                S::BAD_REQUEST,
                "PGRST115",
                "Payload values do not match URL in primary key column(s)",
            ),
            Self::NotSingular { rows } => ErrorBody::new(
                S::NOT_ACCEPTABLE,
                "PGRST116",
                "Cannot coerce the result to a single JSON object",
            )
            .details(format!("The result contains {rows} rows")),
            Self::TooManyAffected { rows } => ErrorBody::new(
                S::BAD_REQUEST,
                "PGRST124",
                "Query result exceeds max-affected preference constraint",
            )
            .details(format!("The query affects {rows} rows")),
            Self::MissingFilter(statement) => {
                ErrorBody::new(S::BAD_REQUEST, "21000", format!("{statement} requires a WHERE clause"))
            }
        }
    }
}
