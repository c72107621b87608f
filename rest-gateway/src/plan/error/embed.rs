//! PGRST108 and PGRST118: a filter, order or limit does not fit the embedded resources. Also a `select` that repeats too much.

use axum::http::StatusCode;

use crate::error_body::ErrorBody;

#[derive(Debug)]
pub enum EmbedError {
    NotEmbedded(String),
    /// A parameter uses an embedded resource's name instead of its alias.
    HasAlias {
        name: String,
        alias: String,
    },
    RelatedOrderNotToOne {
        origin: String,
        target: String,
    },
    /// The response could be many times as large as the tables.
    TooManyCopies {
        details: String,
    },
}

impl EmbedError {
    pub fn error_body(&self) -> ErrorBody {
        match self {
            Self::NotEmbedded(resource) => not_embedded(resource)
                .hint(format!("Verify that '{resource}' is included in the 'select' query parameter.")),
            Self::HasAlias { name, alias } => not_embedded(name)
                .details("Target names are not allowed in filters if they have an alias")
                .hint(format!("Change '{name}' to '{alias}' in filters, orders or limits.")),
            Self::RelatedOrderNotToOne { origin, target } => ErrorBody::new(
                StatusCode::BAD_REQUEST,
                "PGRST118",
                format!("A related order on '{target}' is not possible"),
            )
            .details(format!(
                "'{origin}' and '{target}' do not form a many-to-one or one-to-one relationship"
            )),
            Self::TooManyCopies { details } => ErrorBody::new(
                StatusCode::BAD_REQUEST,
                "GATEWAY_TOO_MANY_COPIES",
                "The request selects the same data too often",
            )
            .details(details.as_str())
            .hint("Split the request into several."),
        }
    }
}

fn not_embedded(resource: &str) -> ErrorBody {
    ErrorBody::new(
        StatusCode::BAD_REQUEST,
        "PGRST108",
        format!("'{resource}' is not an embedded resource in this request"),
    )
}
