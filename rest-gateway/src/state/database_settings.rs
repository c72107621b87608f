//! Reads the settings that are stored in the database.

use axum::http::StatusCode;
use tokio_postgres::Client;

use crate::config::server::STATUS_LOG;
use crate::config::{Config, ErrorVerbosity, database, settings};
use crate::error_body::{ErrorBody, Rejection};
use crate::pool::error::DatabaseError;
use crate::query::fragment::quoted;

/// A value that no function uses.
const UNSET: &str = "\u{1}unset";

/// Returns the names without the prefix, and the values. The settings of the login role take precedence over those of
/// the `db-pre-config` function.
///
/// # Errors
/// When the role's settings can't be read. A function that fails is only logged.
pub async fn read(
    client: &mut Client,
    config: &Config,
) -> Result<Vec<(String, String)>, tokio_postgres::Error> {
    let of_role = of_role(client).await?;
    let named =
        of_role.iter().find(|(name, _)| name == "db_pre_config").map(|(_, function)| function.as_str());
    let function = match named {
        Some(name) => Some(database::function(name)),
        None => config.database.pre_config.clone(),
    };
    let Some((schema, name)) = function.filter(|(_, name)| !name.is_empty()) else { return Ok(of_role) };
    let schema = schema.map(|schema| format!("{}.", quoted(&schema))).unwrap_or_default();
    let mut settings = match of_function(client, &format!("{schema}{}()", quoted(&name))).await {
        Ok(settings) => settings,
        Err(error) if error.as_db_error().is_some() => {
            let error_body = error_body(&error);
            let problem = "Failed to query database settings for the config parameters.";
            tracing::error!(target: STATUS_LOG, "{problem}{}", error_body.body(ErrorVerbosity::Verbose));
            Vec::new()
        }
        Err(error) => return Err(error),
    };
    // The role's settings take precedence, because later ones override earlier ones.
    settings.extend(of_role);
    Ok(settings)
}

/// The error in the format of a response.
pub fn error_body(error: &tokio_postgres::Error) -> Rejection {
    match error.as_db_error() {
        Some(server) => {
            ErrorBody::new(StatusCode::SERVICE_UNAVAILABLE, server.code().code(), server.message())
                .details(server.detail())
                .hint(server.hint())
        }
        None => DatabaseError::ConnectionLost(error.to_string()).error_body(),
    }
}

async fn of_role(client: &Client) -> Result<Vec<(String, String)>, tokio_postgres::Error> {
    let rows = client.query(include_str!("database_settings.sql"), &[]).await?;
    rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
}

/// Rolls back, so that the function's settings don't outlive the transaction.
async fn of_function(
    client: &mut Client,
    call: &str,
) -> Result<Vec<(String, String)>, tokio_postgres::Error> {
    let names: Vec<String> = settings::in_database().map(|name| format!("pgrst.{name}")).collect();
    let transaction = client.build_transaction().read_only(true).start().await?;
    // Hide settings of the session, which may be outdated.
    let reset = "select set_config(name, $2, true) from unnest($1::text[]) name";
    transaction.query(reset, &[&names, &UNSET]).await?;
    transaction.query(&format!("select from {call}"), &[]).await?;
    let read = "select substr(name, 7), current_setting(name, true) from unnest($1::text[]) name
        where current_setting(name, true) <> $2";
    let rows = transaction.query(read, &[&names, &UNSET]).await?;
    transaction.rollback().await?;
    rows.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect()
}
