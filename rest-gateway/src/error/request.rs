//! PGRST1xx: errors in the request itself.

use axum::http::StatusCode;

use super::ErrorBody;
use crate::request::syntax::SyntaxError;

#[derive(Debug)]
pub enum RequestError {
    Syntax(SyntaxError),
    InvalidRpcMethod(String),
    InvalidBody(String),
    BodyTooLarge,
    BodyTimeout,
    TooManyBodies,
    InvalidRange(RangeProblem),
    InvalidPutFilters,
    UnacceptableSchema {
        asked: String,
        exposed: Vec<String>,
    },
    UnacceptableMedia(Vec<String>),
    NotEmbedded(String),
    /// Filters use an embedded resource's name instead of its alias.
    HasAlias {
        name: String,
        alias: String,
    },
    BadGucHeaders,
    BadGucStatus,
    PutLimit,
    PutMismatch,
    NotSingular {
        rows: i64,
    },
    UnsupportedMethod(String),
    RelatedOrderNotToOne {
        origin: String,
        target: String,
    },
    BadRaise(RaiseProblem),
    InvalidPreferences(Vec<String>),
    AggregatesDisabled,
    TooManyAffected {
        rows: i64,
    },
    InvalidPath,
    OpenApiDisabled,
    NotImplemented(&'static str),
    MaxAffectedNeedsSet,
    TimeZoneTooLong,
    /// An update or delete without a filter, where filters are required.
    MissingFilter(&'static str),
    /// A value for a boolean column that is not a JSON boolean.
    NotBoolean(String),
    /// The search patterns exceed the gateway's limits.
    TooManyPatterns {
        count: usize,
        bytes: usize,
        most: usize,
        most_bytes: usize,
    },
}

#[derive(Debug)]
pub enum RangeProblem {
    NegativeLimit,
    LowerAboveUpper,
    OutOfBounds { first: i64, total: i64 },
}

/// What is wrong with a `raise sqlstate 'PGRST'`, with the invalid text.
#[derive(Debug)]
pub enum RaiseProblem {
    Message(String),
    Detail(String),
    NoDetail,
}

impl From<SyntaxError> for RequestError {
    fn from(error: SyntaxError) -> Self {
        Self::Syntax(error)
    }
}

impl RequestError {
    #[expect(clippy::too_many_lines, reason = "a table: one entry for each code")]
    pub fn error_body(&self) -> ErrorBody {
        use StatusCode as S;
        match self {
            Self::Syntax(error) => {
                ErrorBody::new(S::BAD_REQUEST, "PGRST100", &error.message).details(error.details.as_str())
            }
            Self::InvalidRpcMethod(method) => ErrorBody::new(
                S::METHOD_NOT_ALLOWED,
                "PGRST101",
                format!("Cannot use the {method} method on RPC"),
            ),
            Self::TooManyPatterns { count, bytes, most, most_bytes } => ErrorBody::new(
                S::BAD_REQUEST,
                "GATEWAY_TOO_MANY_PATTERNS",
                "The request looks for too many patterns",
            )
            .details(format!(
                "{count} like, ilike, match, imatch and full-text conditions with {bytes} bytes; \
                         {most} with {most_bytes} bytes are allowed"
            ))
            .hint("Split the search into several requests."),
            Self::InvalidBody(message) => ErrorBody::new(S::BAD_REQUEST, "PGRST102", message),
            Self::BodyTooLarge => {
                ErrorBody::new(S::PAYLOAD_TOO_LARGE, "PGRST102", "The request body is too large")
            }
            Self::BodyTimeout => {
                ErrorBody::new(S::REQUEST_TIMEOUT, "PGRST102", "The request body did not arrive in time")
            }
            Self::TooManyBodies => ErrorBody::new(
                S::SERVICE_UNAVAILABLE,
                "PGRST102",
                "Too many request bodies are being received, try again",
            ),
            Self::InvalidRange(problem) => {
                ErrorBody::new(S::RANGE_NOT_SATISFIABLE, "PGRST103", "Requested range not satisfiable")
                    .details(problem.to_string())
            }
            Self::InvalidPutFilters => ErrorBody::new(
                S::METHOD_NOT_ALLOWED,
                "PGRST105",
                "Filters must include all and only primary key columns with 'eq' operators",
            ),
            Self::UnacceptableSchema { asked, exposed } => {
                ErrorBody::new(S::NOT_ACCEPTABLE, "PGRST106", format!("Invalid schema: {asked}"))
                    .hint(format!("Only the following schemas are exposed: {}", exposed.join(", ")))
            }
            Self::UnacceptableMedia(types) => ErrorBody::new(
                S::NOT_ACCEPTABLE,
                "PGRST107",
                format!("None of these media types are available: {}", types.join(", ")),
            ),
            Self::NotEmbedded(resource) => ErrorBody::new(
                S::BAD_REQUEST,
                "PGRST108",
                format!("'{resource}' is not an embedded resource in this request"),
            )
            .hint(format!("Verify that '{resource}' is included in the 'select' query parameter.")),
            Self::HasAlias { name, alias } => ErrorBody::new(
                S::BAD_REQUEST,
                "PGRST108",
                format!("'{name}' is not an embedded resource in this request"),
            )
            .details("Target names are not allowed in filters if they have an alias")
            .hint(format!("Change '{name}' to '{alias}' in filters, orders or limits.")),
            Self::BadGucHeaders => ErrorBody::new(
                S::INTERNAL_SERVER_ERROR,
                "PGRST111",
                "response.headers guc must be a JSON array composed of objects with a single key and a string value",
            ),
            Self::BadGucStatus => ErrorBody::new(
                S::INTERNAL_SERVER_ERROR,
                "PGRST112",
                "response.status guc must be a valid status code",
            ),
            Self::PutLimit => ErrorBody::new(
                S::BAD_REQUEST,
                "PGRST114",
                "limit/offset querystring parameters are not allowed for PUT",
            ),
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
            Self::UnsupportedMethod(method) => ErrorBody::new(
                S::METHOD_NOT_ALLOWED,
                "PGRST117",
                format!("Unsupported HTTP method: {method}"),
            ),
            Self::RelatedOrderNotToOne { origin, target } => ErrorBody::new(
                S::BAD_REQUEST,
                "PGRST118",
                format!("A related order on '{target}' is not possible"),
            )
            .details(format!(
                "'{origin}' and '{target}' do not form a many-to-one or one-to-one relationship"
            )),
            Self::BadRaise(problem) => ErrorBody::new(
                S::INTERNAL_SERVER_ERROR,
                "PGRST121",
                "Could not parse JSON in the \"RAISE SQLSTATE 'PGRST'\" error",
            )
            .details(problem.to_string())
            .hint(problem.hint()),
            Self::InvalidPreferences(preferences) => {
                ErrorBody::new(S::BAD_REQUEST, "PGRST122", "Invalid preferences given with handling=strict")
                    .details(format!("Invalid preferences: {}", preferences.join(", ")))
            }
            Self::AggregatesDisabled => {
                ErrorBody::new(S::BAD_REQUEST, "PGRST123", "Use of aggregate functions is not allowed")
            }
            Self::TooManyAffected { rows } => ErrorBody::new(
                S::BAD_REQUEST,
                "PGRST124",
                "Query result exceeds max-affected preference constraint",
            )
            .details(format!("The query affects {rows} rows")),
            Self::InvalidPath => {
                ErrorBody::new(S::NOT_FOUND, "PGRST125", "Invalid path specified in request URL")
            }
            Self::OpenApiDisabled => {
                ErrorBody::new(S::NOT_FOUND, "PGRST126", "Root endpoint metadata is disabled")
            }
            Self::NotImplemented(what) => {
                ErrorBody::new(S::BAD_REQUEST, "PGRST127", "Feature not implemented").details(*what)
            }
            Self::MissingFilter(what) => {
                ErrorBody::new(S::BAD_REQUEST, "21000", format!("{what} requires a WHERE clause"))
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

impl std::fmt::Display for RangeProblem {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NegativeLimit => formatter.write_str("Limit should be greater than or equal to zero."),
            Self::LowerAboveUpper => formatter.write_str(
                "The lower boundary must be lower than or equal to the upper boundary in the Range header.",
            ),
            Self::OutOfBounds { first, total } => {
                write!(formatter, "An offset of {first} was requested, but there are only {total} rows.")
            }
        }
    }
}

impl std::fmt::Display for RaiseProblem {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Message(text) => write!(formatter, "Invalid JSON value for MESSAGE: '{text}'"),
            Self::Detail(text) => write!(formatter, "Invalid JSON value for DETAIL: '{text}'"),
            Self::NoDetail => formatter.write_str("DETAIL is missing in the RAISE statement"),
        }
    }
}

impl RaiseProblem {
    fn hint(&self) -> &'static str {
        match self {
            Self::Message(_) => {
                "MESSAGE must be a JSON object with obligatory keys: 'code', 'message' and optional keys: 'details', 'hint'."
            }
            Self::Detail(_) | Self::NoDetail => {
                "DETAIL must be a JSON object with obligatory keys: 'status', 'headers' and optional key: 'status_text'."
            }
        }
    }
}
