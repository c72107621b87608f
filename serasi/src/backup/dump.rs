//! The database of a backup: one snapshot, saved by `pg_dump`.

use std::fs::File;
use std::process::Stdio;

use anyhow::{Context, ensure};
use db::Contents;
use platform::clock::Clock;
use platform::env::Env;
use platform::progress::Progress;
use sqlx::{AssertSqlSafe, Connection, PgConnection};

use super::manifest::{Applied, FORMAT, Manifest, PRODUCT, hex};
use super::pictures;
use crate::database::Database;
use crate::programs::Programs;
use crate::{extensions, import_owner};

/// Tables without rows in a backup: they describe the running installation.
const WITHOUT_ROWS: [&str; 2] = ["serasi.backups", "serasi.system_reports"];

/// Serasi's tables, quoted.
pub const TABLES: &str = "
select pg_catalog.format('%I.%I', nspname, relname)
from pg_catalog.pg_class join pg_catalog.pg_namespace on pg_namespace.oid = relnamespace
where nspname in ('app', 'serasi', 'auth', 'storage') and relkind = 'r'
  and nspname || '.' || relname not in ('serasi.backups', 'serasi.system_reports')
order by 1";

/// All tables that a superuser can count.
const COUNTED: &str = "
select pg_catalog.format('%I.%I', nspname, relname)
from pg_catalog.pg_class join pg_catalog.pg_namespace on pg_namespace.oid = relnamespace
where nspname !~ '^pg_' and nspname not in ('information_schema', 'migration') and relkind = 'r'
  and nspname || '.' || relname not in ('serasi.backups', 'serasi.system_reports')";

/// Tables of which the user does not see all rows: one that does not bypass row security sees them by its own policies.
const HIDDEN: &str = "
select pg_catalog.format('%I.%I', nspname, relname)
from pg_catalog.pg_class join pg_catalog.pg_namespace on pg_namespace.oid = relnamespace
where relkind in ('r', 'p') and pg_catalog.row_security_active(pg_class.oid) and (
  select pg_catalog.bool_or(polpermissive and pg_catalog.pg_get_expr(polqual, polrelid) = 'true') and pg_catalog.bool_and(polpermissive)
  from pg_catalog.pg_policy
  where polrelid = pg_class.oid and polcmd in ('r', '*')
    and (polroles = '{0}' or exists (select from pg_catalog.unnest(polroles) as reader where reader <> 0 and pg_catalog.pg_has_role(reader, 'usage')))
) is not true
order by 1 limit 20";

/// `pg_dump` waits for a table that is being altered for as long.
const LOCK_TIMEOUT: &str = "30s";

const SETTINGS: &str = "set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local row_security = on";

/// Whether there is something to save.
///
/// # Errors
/// When the database can't be queried.
pub async fn has_tables(connection: &mut PgConnection) -> sqlx::Result<bool> {
    Ok(sqlx::query(TABLES).fetch_optional(connection).await?.is_some())
}

/// # Errors
/// When the database has no tables of Serasi, or `pg_dump` is missing or fails. The message names the reason.
pub async fn save(
    database: &Database,
    connection: &mut PgConnection,
    to: &File,
    env: &Env,
    progress: &Progress,
) -> anyhow::Result<(Manifest, Vec<(String, i64)>)> {
    let tables: Vec<String> = sqlx::query_scalar(TABLES).fetch_all(&mut *connection).await?;
    ensure!(!tables.is_empty(), "there is nothing to back up: the database has no tables of Serasi");
    let programs = Programs::find(env, database.major_version().await?, progress).await?;
    let mut transaction = connection.begin_with("begin isolation level repeatable read read only").await?;
    // The first query after this takes the snapshot. An upgrade that commits between the snapshot and a later lock could leave
    // tables that the snapshot sees as empty.
    let lock = format!(
        "{SETTINGS}; set local lock_timeout = '{LOCK_TIMEOUT}'; lock table {} in access share mode",
        tables.join(", ")
    );
    let locked = sqlx::raw_sql(AssertSqlSafe(lock)).execute(&mut *transaction).await;
    locked.context("the tables can't be read")?;
    let migrations = migrations(&mut transaction).await?;
    let same: Vec<String> = sqlx::query_scalar(TABLES).fetch_all(&mut *transaction).await?;
    ensure!(tables == same, "the database was just upgraded: start the backup again");
    ensure_no_rows_are_hidden(&mut transaction).await?;
    let named = pictures::named(&mut transaction).await?;
    let snapshot: String =
        sqlx::query_scalar("select pg_catalog.pg_export_snapshot()").fetch_one(&mut *transaction).await?;
    let step = progress.step("Saving the database");
    let dump = pg_dump(&programs, database, to, &snapshot);
    let (dumped, rows) = tokio::join!(dump, count(&mut transaction));
    dumped.context("the database can't be saved")?;
    let manifest = Manifest {
        product: PRODUCT.to_owned(),
        format: FORMAT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        postgres: sqlx::query_scalar("select pg_catalog.current_setting('server_version')")
            .fetch_one(&mut *transaction)
            .await?,
        created_at: Clock::system().now().to_rfc3339(),
        bare: db::contents(&mut transaction).await? == Some(Contents::Backend),
        migrations,
        rows: rows?,
        on_our_tables: import_owner::on_our_tables(&mut transaction, false).await?,
        extensions: extensions::all(&mut transaction).await?,
    };
    transaction.commit().await?;
    step.done();
    Ok((manifest, named))
}

async fn pg_dump(programs: &Programs, database: &Database, to: &File, snapshot: &str) -> anyhow::Result<()> {
    let mut command = programs.command("pg_dump", database.direct_url())?;
    command.args(["--format=custom", "--compress=1", "--encoding=UTF8", "--no-password", "--no-blobs"]);
    // Without it, pg_dump refuses tables with row security, although no row is hidden.
    command.arg("--enable-row-security");
    command.args([format!("--lock-wait-timeout={LOCK_TIMEOUT}"), format!("--snapshot={snapshot}")]);
    command.args(WITHOUT_ROWS.map(|table| format!("--exclude-table-data={table}")));
    command.stdin(Stdio::null()).stdout(to.try_clone()?).stderr(Stdio::piped());
    let output = command.spawn().context("pg_dump can't be started")?.wait_with_output().await?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr).trim());
    Ok(())
}

/// # Errors
/// When row security hides rows of a table from the user. The message names it.
async fn ensure_no_rows_are_hidden(connection: &mut PgConnection) -> anyhow::Result<()> {
    let hidden: Vec<String> = sqlx::query_scalar(HIDDEN).fetch_all(connection).await?;
    ensure!(
        hidden.is_empty(),
        "the backup would lack rows that row security hides from this user: create a policy for service_role with `using (true)` on {}",
        hidden.join(", ")
    );
    Ok(())
}

async fn migrations(connection: &mut PgConnection) -> anyhow::Result<Vec<Applied>> {
    ensure!(
        !db::is_restoring(connection).await?,
        "a restore into this database was interrupted, so it is incomplete: run `serasi restore` again"
    );
    let applied: Vec<(i64, Vec<u8>)> =
        sqlx::query_as("select version, checksum from migration.applied where success order by version")
            .fetch_all(connection)
            .await
            .context("the version of Serasi in the database can't be read")?;
    ensure!(
        applied.iter().any(|(version, _)| *version == db::BASELINE),
        "the database is of an earlier version: run `serasi migrate` first"
    );
    Ok(applied.into_iter().map(|(version, checksum)| Applied { version, checksum: hex(&checksum) }).collect())
}

async fn count(connection: &mut PgConnection) -> anyhow::Result<u64> {
    let tables: Vec<String> = sqlx::query_scalar(COUNTED).fetch_all(&mut *connection).await?;
    let mut rows = 0;
    for table in tables {
        let count = format!("select pg_catalog.count(*) from only {table}");
        rows += sqlx::query_scalar::<_, i64>(AssertSqlSafe(count)).fetch_one(&mut *connection).await?;
    }
    Ok(u64::try_from(rows)?)
}
