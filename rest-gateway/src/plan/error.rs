//! Requests that can't be planned: PGRST1xx here and in [`embed`], PGRST2xx in [`schema`].

pub mod embed;
pub mod hints;
pub mod schema;

use axum::http::StatusCode;

use crate::error_body::ErrorBody;
use crate::request::payload::INVALID_JSON;

pub use embed::EmbedError;
pub use schema::SchemaError;

#[derive(Debug)]
pub enum PlanError {
    Schema(SchemaError),
    Embed(EmbedError),
    InvalidJson,
    InvalidPutFilters,
    UnacceptableMedia(Vec<String>),
    InvalidPreferences(Vec<String>),
    AggregatesDisabled,
    NotImplemented(&'static str),
    MaxAffectedNeedsSet,
    TimeZoneTooLong,
    /// A value for a boolean column that is not a JSON boolean.
    NotBoolean(String),
}

impl From<SchemaError> for PlanError {
    fn from(error: SchemaError) -> Self {
        Self::Schema(error)
    }
}

impl From<EmbedError> for PlanError {
    fn from(error: EmbedError) -> Self {
        Self::Embed(error)
    }
}

impl PlanError {
    pub fn error_body(&self) -> ErrorBody {
        use StatusCode as S;
        match self {
            Self::Schema(error) => error.error_body(),
            Self::Embed(error) => error.error_body(),
            Self::InvalidJson => ErrorBody::new(S::BAD_REQUEST, "PGRST102", INVALID_JSON),
            Self::InvalidPutFilters => ErrorBody::new(
                S::METHOD_NOT_ALLOWED,
                "PGRST105",
                "Filters must include all and only primary key columns with 'eq' operators",
            ),
            Self::UnacceptableMedia(types) => ErrorBody::new(
                S::NOT_ACCEPTABLE,
                "PGRST107",
                format!("None of these media types are available: {}", types.join(", ")),
            ),
            Self::InvalidPreferences(preferences) => {
                ErrorBody::new(S::BAD_REQUEST, "PGRST122", "Invalid preferences given with handling=strict")
                    .details(format!("Invalid preferences: {}", preferences.join(", ")))
            }
            Self::AggregatesDisabled => {
                ErrorBody::new(S::BAD_REQUEST, "PGRST123", "Use of aggregate functions is not allowed")
            }
            Self::NotImplemented(what) => {
                ErrorBody::new(S::BAD_REQUEST, "PGRST127", "Feature not implemented").details(*what)
            }
            // PostgreSQL's own message for invalid input.
            Self::NotBoolean(value) => ErrorBody::new(
                S::BAD_REQUEST,
                "22P02",
                format!("invalid input syntax for type boolean: \"{value}\""),
            ),
            Self::MaxAffectedNeedsSet => ErrorBody::new(
                S::BAD_REQUEST,
                "PGRST128",
                "Function must return SETOF or TABLE when max-affected preference is used with handling=strict",
            ),
            Self::TimeZoneTooLong => {
                ErrorBody::new(S::BAD_REQUEST, "PGRST129", "The timezone preference is too long")
            }
        }
    }
}
