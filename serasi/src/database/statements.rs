//! Settings of the services' logins, statements that accept no parameters, and what the user in `DATABASE_URL` may do.

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

/// # Errors
/// When the query fails.
pub async fn is_superuser(connection: &mut PgConnection) -> sqlx::Result<bool> {
    let question = "select rolsuper from pg_catalog.pg_roles where rolname = current_user";
    sqlx::query_scalar(question).fetch_one(connection).await
}

/// For what loads rows without their triggers, and creates objects of another role.
///
/// # Errors
/// When the user is not a superuser. The message says what to do.
pub async fn ensure_superuser(connection: &mut PgConnection, command: &str) -> anyhow::Result<()> {
    anyhow::ensure!(
        is_superuser(connection).await?,
        "`{command}` needs a superuser, which the user in DATABASE_URL is not: use it with the embedded database or a server of your own"
    );
    Ok(())
}
