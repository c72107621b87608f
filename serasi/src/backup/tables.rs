//! The rows of a backup: one compressed file in PostgreSQL's COPY format for each table, from one snapshot.
//! Unlike `pg_dump`, this needs no client programs, and the files work with every PostgreSQL from 15 on.

use std::fs::File;
use std::io::{BufWriter, Read, Write};

use anyhow::{Context, bail, ensure};
use flate2::read::GzDecoder;
use futures::TryStreamExt;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use super::compressed::Compressed;
use super::crypt::Writer;
use super::draft::Draft;
use super::manifest::{Applied, Contents, OwnTables, Sequence, Table, hex};
use super::own::Own;
use super::pictures::Named;
use super::record::{Record, Step};
use crate::progress::Progress;

/// The backup fails if an upgrade locks a table for longer than this.
const LOCK_TIMEOUT: &str = "30s";

/// The tables and columns to save. Generated columns are left out, because the database computes them.
const TABLES: &str = "
select nspname || '.' || relname,
  array(select attname::text from pg_catalog.pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum)
from pg_catalog.pg_class join pg_catalog.pg_namespace on pg_namespace.oid = relnamespace
where nspname in ('app', 'auth', 'storage') and relkind = 'r'
  and nspname || '.' || relname not in ('app.backups', 'app.system_reports')
order by 1";

const SETTINGS: &str = "set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
  set local timezone = 'UTC'; set local datestyle = 'ISO'; set local intervalstyle = 'postgres';
  set local extra_float_digits = 1; set local row_security = off";

pub struct Dumped {
    pub postgres: String,
    pub migrations: Vec<Applied>,
    pub tables: Vec<Table>,
    pub sequences: Vec<Sequence>,
    pub pictures: Vec<Named>,
    pub own_tables: Option<OwnTables>,
}

/// # Errors
/// When the database has no tables of Serasi, or when the rows can't be read or written.
pub async fn dump(
    connection: &mut PgConnection,
    draft: &Draft<'_>,
    own: &Own<'_>,
    progress: &Progress,
    record: &mut Record,
) -> anyhow::Result<Dumped> {
    let tables = tables(connection).await?;
    ensure!(!tables.is_empty(), "there is nothing to back up: the database has no tables of Serasi");
    let mut transaction = connection.begin_with("begin isolation level repeatable read read only").await?;
    lock(&mut transaction, &tables).await?;
    let migrations = migrations(&mut transaction).await?;
    ensure!(
        tables == self::tables(&mut transaction).await?,
        "the database was just upgraded: start the backup again"
    );
    let own_tables = own.save(&mut transaction, draft, progress).await?;
    let step = progress.step("Saving tables");
    let (mut dumped, count) = (Vec::new(), tables.len() as u64);
    for (done, (name, columns)) in (0..).zip(tables) {
        step.detail(&name);
        record.progress(Step::Tables, done, count).await;
        let path = file_name(&name)?;
        let (rows, file) = dump_table(&mut transaction, &name, &columns, draft.create(&path)?)
            .await
            .with_context(|| draft.cant_write())?;
        draft.store(&path).await?;
        dumped.push(Table { name, columns, rows, file });
    }
    let pictures = pictures(&mut transaction).await?;
    let sequences = sequences(&mut transaction).await?;
    let postgres = sqlx::query_scalar("show server_version").fetch_one(&mut *transaction).await?;
    transaction.commit().await?;
    step.done();
    Ok(Dumped { postgres, migrations, tables: dumped, sequences, pictures, own_tables })
}

/// The first query after this takes the snapshot. An upgrade that commits between the snapshot and a later
/// lock could leave tables that the snapshot sees as empty.
async fn lock(connection: &mut PgConnection, tables: &[(String, Vec<String>)]) -> anyhow::Result<()> {
    let names: Vec<String> = tables.iter().map(|(name, _)| quoted(name)).collect();
    let statement = format!(
        "{SETTINGS}; set local lock_timeout = '{LOCK_TIMEOUT}'; lock table {} in access share mode",
        names.join(", ")
    );
    let locked = sqlx::raw_sql(AssertSqlSafe(statement)).execute(connection).await;
    locked.context("the tables can't be read")?;
    Ok(())
}

/// Whether the database has tables of Serasi.
///
/// # Errors
/// When it can't be read.
pub async fn any(connection: &mut PgConnection) -> anyhow::Result<bool> {
    Ok(!tables(connection).await?.is_empty())
}

async fn tables(connection: &mut PgConnection) -> anyhow::Result<Vec<(String, Vec<String>)>> {
    Ok(sqlx::query_as(TABLES).fetch_all(connection).await?)
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
    Ok(applied.into_iter().map(|(version, checksum)| Applied { version, checksum: hex(checksum) }).collect())
}

async fn pictures(connection: &mut PgConnection) -> anyhow::Result<Vec<Named>> {
    let named: Vec<(String, i64)> = sqlx::query_as(
        "select version, max(coalesce((metadata ->> 'size')::bigint, 0)) from storage.objects
         where version is not null group by version order by version",
    )
    .fetch_all(connection)
    .await?;
    let named = named.into_iter();
    Ok(named
        .map(|(version, bytes)| Named { version, bytes: u64::try_from(bytes).unwrap_or_default() })
        .collect())
}

/// Sequences are not part of the snapshot. They are read after the rows, so that their values are never too low.
async fn sequences(connection: &mut PgConnection) -> anyhow::Result<Vec<Sequence>> {
    let found: Vec<(String, i64)> = sqlx::query_as(
        "select schemaname || '.' || sequencename, last_value from pg_catalog.pg_sequences
         where schemaname in ('app', 'auth', 'storage') and last_value is not null order by 1",
    )
    .fetch_all(connection)
    .await?;
    Ok(found.into_iter().map(|(name, last_value)| Sequence { name, last_value }).collect())
}

async fn dump_table(
    connection: &mut PgConnection,
    name: &str,
    columns: &[String],
    file: Writer<BufWriter<File>>,
) -> anyhow::Result<(u64, Contents)> {
    let statement = format!("copy {} ({}) to stdout", quoted(name), list(columns));
    let mut stream = connection.copy_out_raw(&statement).await?;
    let mut target = Compressed::new(file);
    let mut rows = 0;
    while let Some(chunk) = stream.try_next().await? {
        // In this format each line is a row, because line breaks in values are escaped.
        rows += chunk.iter().filter(|byte| **byte == b'\n').count() as u64;
        target.write_all(&chunk)?;
    }
    Ok((rows, target.finish()?))
}

/// Loads one table into the transaction of a restore, and compares the number of rows.
///
/// # Errors
/// When the table does not exist, or the rows don't fit it.
pub async fn load(
    connection: &mut PgConnection,
    table: &Table,
    file: Box<dyn Read + Send>,
) -> anyhow::Result<()> {
    let known: Vec<(String, Vec<String>)> = tables(connection).await?;
    let Some((_, columns)) = known.iter().find(|(name, _)| *name == table.name) else {
        bail!("its manifest is damaged: there is no table {}", table.name);
    };
    ensure!(
        table.columns.iter().all(|column| columns.contains(column)),
        "its manifest is damaged: {} has other columns",
        table.name
    );
    // Migrations add initial rows to some tables.
    let empty = format!("delete from {}", quoted(&table.name));
    connection.execute(AssertSqlSafe(empty)).await?;
    let statement = format!("copy {} ({}) from stdin", quoted(&table.name), list(&table.columns));
    let mut copy = connection.copy_in_raw(&statement).await?;
    let mut source = GzDecoder::new(file);
    let mut chunk = vec![0; 1 << 18];
    loop {
        match source.read(&mut chunk) {
            Ok(0) => break,
            Ok(length) => {
                copy.send(&chunk[..length]).await?;
            }
            Err(error) => {
                copy.abort("the backup can't be read").await?;
                return Err(error.into());
            }
        }
    }
    let rows = copy.finish().await?;
    ensure!(rows == table.rows, "{} has {rows} rows, and the manifest says {}", table.name, table.rows);
    Ok(())
}

/// # Errors
/// When a sequence does not exist.
pub async fn set_sequences(connection: &mut PgConnection, sequences: &[Sequence]) -> anyhow::Result<()> {
    for sequence in sequences {
        sqlx::query("select setval($1::regclass, $2)")
            .bind(quoted(&sequence.name))
            .bind(sequence.last_value)
            .execute(&mut *connection)
            .await
            .with_context(|| sequence.name.clone())?;
    }
    Ok(())
}

/// The file with the rows of a table. The name comes from a manifest, which is not trusted.
///
/// # Errors
/// When it is not a valid table name.
pub fn file_name(table: &str) -> anyhow::Result<String> {
    let plain = table.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '.'));
    ensure!(plain && !table.contains(".."), "its manifest is damaged: {table:?} is not a table");
    Ok(format!("tables/{table}.gz"))
}

fn quoted(name: &str) -> String {
    let quote = |part: &str| format!("\"{}\"", part.replace('"', "\"\""));
    match name.split_once('.') {
        Some((schema, name)) => format!("{}.{}", quote(schema), quote(name)),
        None => quote(name),
    }
}

fn list(columns: &[String]) -> String {
    let quoted: Vec<String> =
        columns.iter().map(|column| format!("\"{}\"", column.replace('"', "\"\""))).collect();
    quoted.join(", ")
}
