//! Removes what an import that failed or was killed has added.

use anyhow::Context;
use sqlx::{Connection, Executor, PgConnection};

use crate::database::Database;
use crate::database::statements::execute_format;
use crate::import_owner;

/// A database takes one import, so that everything of `import_owner` is of this one. Nothing of a dump runs: its functions are
/// dropped first.
const UNDO: &str = "
set local statement_timeout = 0; set local lock_timeout = '60s'; set local client_min_messages = warning;
do $$
declare
  imported record;
begin
  for imported in select polname, polrelid::regclass as relation from pg_policy where obj_description(oid, 'pg_policy') = 'imported by serasi'
  loop execute format('drop policy %I on %s', imported.polname, imported.relation); end loop;
  if to_regrole('import_owner') is not null then drop owned by import_owner cascade; end if;
  if to_regclass('import_staging.users') is null then return; end if;
  set local session_replication_role = replica;
  delete from storage.objects where id in (select id from import_staging.objects);
  delete from storage.buckets where id in (select id from import_staging.buckets);
  set local session_replication_role = origin;
  delete from auth.users where id in (select id from import_staging.users);
  drop schema import_staging cascade;
end $$";

/// `extensions`: those that the import created.
///
/// # Errors
/// When a statement fails.
pub async fn undo(database: &Database, extensions: &[String]) -> anyhow::Result<()> {
    let mut connection = database.connect().await?;
    let mut transaction = connection.begin().await?;
    transaction.execute(UNDO).await.context("what the import added can't be removed")?;
    for extension in extensions {
        execute_format(&mut transaction, "drop extension if exists %I", &[extension]).await?;
    }
    transaction.commit().await?;
    // Another database of this server may have imported something, too.
    let _ = connection.execute("drop role if exists import_owner").await;
    Ok(connection.close().await?)
}

/// # Errors
/// See [`undo`].
pub async fn if_killed(database: &Database, connection: &mut PgConnection) -> anyhow::Result<()> {
    let was_killed = "select to_regclass('import_staging.users') is not null";
    if sqlx::query_scalar(was_killed).fetch_one(&mut *connection).await? {
        eprintln!("  An import into this database was interrupted: removing what it left.");
        import_owner::end_sessions(connection).await?;
        import_owner::lock_out(database).await?;
        undo(database, &[]).await?;
    }
    Ok(())
}

/// Keeps what the import added.
///
/// # Errors
/// When the statement fails.
pub async fn forget(connection: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::raw_sql("drop schema if exists import_staging cascade; notify pgrst, 'reload schema'")
        .execute(connection)
        .await
        .map(drop)
}
