//! Statements that accept no parameters.

use sqlx::{AssertSqlSafe, Executor, PgConnection};

use super::LOGINS;

/// Lets PostgreSQL end the statements of a service that has given up on them and closed its connection. The services can't set
/// this themselves: behind a pooler, it would apply to other clients, too.
///
/// # Errors
/// When a statement fails.
pub async fn set_settings(connection: &mut PgConnection) -> anyhow::Result<()> {
    let statements: Vec<String> = sqlx::query_scalar(
        "select format('alter role %I set client_connection_check_interval = %L', rolname, '2s') from pg_roles
         where rolname = any($1)
           and not coalesce(rolconfig, '{}')::text like '%client_connection_check_interval%'",
    )
    .bind(LOGINS)
    .fetch_all(&mut *connection)
    .await?;
    for statement in statements {
        connection.execute(AssertSqlSafe(statement)).await?;
    }
    Ok(())
}

/// The server quotes the values: `%I` for names, `%L` for literals.
///
/// # Errors
/// When a statement fails.
pub async fn execute_format(
    connection: &mut PgConnection,
    statements: &str,
    values: &[&str],
) -> sqlx::Result<()> {
    let quoted = "select pg_catalog.format($1, variadic $2::pg_catalog.text[])";
    let quoted = sqlx::query_scalar(quoted).bind(statements).bind(values).fetch_one(&mut *connection);
    let quoted: String = quoted.await?;
    sqlx::raw_sql(AssertSqlSafe(quoted)).execute(connection).await.map(drop)
}
