//! Empties a database again after a restore failed or was killed.

use anyhow::Context;
use sqlx::{Connection, PgConnection};

use crate::database::Database;
use crate::import_owner;

/// Drops everything, because the database was empty before the restore. Extensions that it had are older than the first schema.
const EMPTY: &str = "
set local statement_timeout = 0; set local lock_timeout = '60s'; set local client_min_messages = warning;
drop event trigger if exists secure_new_tables;
alter schema public owner to pg_database_owner;
do $$
declare name text;
begin
  for name in select extname from pg_catalog.pg_extension
    where extname <> 'plpgsql' and oid > pg_catalog.to_regnamespace('migration')::pg_catalog.oid
  loop execute format('drop extension %I cascade', name); end loop;
  for name in select rolname from pg_catalog.pg_roles where rolname in ('import_owner', 'serasi_owner', 'developer')
  loop execute format('drop owned by %I cascade', name); end loop;
  for name in select rolname from pg_catalog.pg_roles where rolname in ('anon', 'authenticated', 'service_role')
  loop execute format('alter default privileges in schema public revoke usage, select on sequences from %I', name); end loop;
end $$;
drop schema if exists app, serasi, auth, storage, migration, extensions cascade;
grant usage on schema public to public;
alter default privileges grant execute on functions to public";

/// Drops everything that a restore created.
///
/// # Errors
/// When a statement fails.
pub async fn undo(database: &Database) -> anyhow::Result<()> {
    let mut connection = database.connect().await?;
    import_owner::end_sessions(&mut connection).await?;
    import_owner::lock_out(database).await?;
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
        eprintln!("  A restore into this database was interrupted: removing what it left.");
        undo(database).await.context("the remains of an interrupted restore can't be removed")?;
    }
    Ok(())
}
