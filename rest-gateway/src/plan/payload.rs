//! The body of an insert or update, and the columns that it sets.

use bytes::Bytes;

use super::{Context, columns, schema_error};
use crate::error_body::{ErrorBody, Rejection};
use crate::media::MediaType;
use crate::request::booleans;
use crate::request::payload::{INVALID_JSON, Payload};
use crate::schema_cache::tables::Table;

/// A column with a value from the body.
#[derive(Debug)]
pub struct PayloadColumn {
    pub name: String,
    /// The SQL type from the catalog.
    pub kind: String,
    /// The function that converts JSON to the column's type.
    pub transform: Option<String>,
    /// A SQL expression from the catalog.
    pub default: Option<String>,
}

pub fn body(context: &Context<'_, '_>) -> Bytes {
    match &context.request.payload {
        Some(Payload::Json(body) | Payload::Raw(body)) => body.clone(),
        Some(Payload::Form(_)) | None => Bytes::new(),
    }
}

/// Looks up the columns that the body sets, and checks their values in strict mode.
pub fn columns(context: &Context<'_, '_>, table: &Table) -> Result<Vec<PayloadColumn>, Rejection> {
    let columns = known_columns(context, table)?;
    if context.config.database.strict_booleans {
        check_booleans(context, table, &columns)?;
    }
    Ok(columns)
}

fn known_columns(context: &Context<'_, '_>, table: &Table) -> Result<Vec<PayloadColumn>, Rejection> {
    context
        .request
        .columns
        .iter()
        .map(|name| {
            let column = table.column(name).ok_or_else(|| schema_error::no_column(&table.name, name))?;
            let transform = columns::representation(context.cache, "json", &column.nominal_type);
            // Read a represented domain as JSON; its own function converts it.
            let kind = if transform.is_some() { "json".to_owned() } else { column.nominal_type.clone() };
            Ok(PayloadColumn { name: column.name.clone(), kind, transform, default: column.default.clone() })
        })
        .collect()
}

/// Checks JSON bodies only, because CSV and forms can only contain text.
fn check_booleans(
    context: &Context<'_, '_>,
    table: &Table,
    columns: &[PayloadColumn],
) -> Result<(), Rejection> {
    let is_boolean =
        |name: &str| table.column(name).is_some_and(|column| column.base_type.as_deref() == Some("boolean"));
    let represented = |column: &&PayloadColumn| column.transform.is_some();
    let names: Vec<&str> = columns
        .iter()
        .filter(|column| !represented(column) && is_boolean(&column.name))
        .map(|column| column.name.as_str())
        .collect();
    if names.is_empty() || context.request.content != MediaType::Json {
        return Ok(());
    }
    match booleans::first_non_boolean(&body(context), &names) {
        Ok(None) => Ok(()),
        // PostgreSQL's own message for invalid input.
        Ok(Some(other)) => {
            let message = format!("invalid input syntax for type boolean: \"{other}\"");
            Err(ErrorBody::bad_request("22P02", message))
        }
        Err(_) => Err(ErrorBody::bad_request("PGRST102", INVALID_JSON)),
    }
}
