//! Settings of the services' logins, statements that accept no parameters, and what the user in `DATABASE_URL` may do.

use sqlx::{AssertSqlSafe, PgConnection};

use super::LOGINS;

/// Sets a parameter for the sessions of the services' logins that do not have this value.
///
/// # Errors
/// When a statement fails.
pub async fn set_for_logins(
    connection: &mut PgConnection,
    parameter: &str,
    value: &str,
) -> anyhow::Result<()> {
    let others = "select rolname::text from pg_catalog.pg_roles
                  where rolname = any($1) and not coalesce(rolconfig, '{}') @> array[$2]";
    let setting = format!("{parameter}={value}");
    let others = sqlx::query_scalar(others).bind(LOGINS).bind(setting).fetch_all(&mut *connection);
    let others: Vec<String> = others.await?;
    for login in others {
        execute_format(connection, "alter role %I set %I = %L", &[&login, parameter, value]).await?;
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
