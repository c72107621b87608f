//! Empties a database again whose restore failed or was killed after its first transaction.

use anyhow::Context;
use sqlx::{Connection, PgConnection};

use crate::database::Database;
use crate::import;

/// Ends the statements of a restore that was killed: they hold locks.
const TERMINATE: &str = "
select pg_catalog.pg_terminate_backend(pid, 10000) from pg_catalog.pg_stat_activity
where usename = 'import_owner' and datname = pg_catalog.current_database()";

/// Nothing of the operator's was in the database before.
const EMPTY: &str = "
set local statement_timeout = 0; set local lock_timeout = '60s'; set local client_min_messages = warning;
drop event trigger if exists secure_new_tables;
drop schema if exists app, auth, storage, migration, extensions cascade;
alter schema public owner to pg_database_owner;
do $$
declare role text;
begin
  for role in select rolname from pg_catalog.pg_roles where rolname in ('import_owner', 'serasi_owner')
  loop execute format('drop owned by %I cascade', role); end loop;
end $$;
grant usage on schema public to public;
alter default privileges grant execute on functions to public";

/// # Errors
/// When a statement fails.
pub async fn undo(database: &Database) -> anyhow::Result<()> {
    let mut connection = database.connect().await?;
    sqlx::raw_sql(TERMINATE).execute(&mut connection).await?;
    import::lock_out(database).await?;
    let mut transaction = connection.begin().await?;
    sqlx::raw_sql(EMPTY).execute(&mut *transaction).await?;
    transaction.commit().await?;
    Ok(connection.close().await?)
}

/// Empties a database in which a restore was killed.
///
/// # Errors
/// See [`undo`].
pub async fn if_interrupted(database: &Database, connection: &mut PgConnection) -> anyhow::Result<()> {
    if db::is_restoring(connection).await? {
        eprintln!("  A restore into this database was interrupted: what it left is removed.");
        undo(database).await.context("what an interrupted restore left can't be removed")?;
    }
    Ok(())
}
