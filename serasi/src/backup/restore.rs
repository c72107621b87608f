//! `serasi restore`: restores into an empty database and an empty blob store. Serasi's tables are restored in one transaction,
//! then the operator's in another, as the role `import_owner`. If the second fails, the database is emptied again.

use std::collections::HashSet;

use anyhow::{Context, ensure};
use platform::env::Env;
use platform::secret::Secret;
use sqlx::{Connection, Executor, PgConnection};
use storage_service::archive::Blobs;

use super::manifest::Manifest;
use super::options::Restore;
use super::pictures::Picture;
use super::record::Record;
use super::stored::Stored;
use super::verify::{self, Checked};
use super::{find, own, tables, undo};
use crate::database::{Database, LOGINS};
use crate::import::own::OwnTables;
use crate::import::report::Report;
use crate::progress::Progress;
use crate::storage_check;

/// Keeps a second restore into the same database from starting.
const RESTORE_LOCK: i64 = 0x5e7a_51bb;

/// # Errors
/// When the backup is damaged, or the database or blob store is not empty. In that case, nothing has changed.
pub async fn run(options: &Restore, env: &Env) -> anyhow::Result<()> {
    let progress = Progress::new();
    let Restore { source, without_own_tables } = options;
    let (place, name) = find::find(source.address(env)?, env).await?;
    let address = place.address(&name);
    let backup = place.stored(&name)?;
    let checked = verify::check(&backup, &progress, &mut Record::default()).await;
    let Checked { manifest, pictures, own_tables } =
        checked.with_context(|| format!("{address} can't be restored"))?;
    let own_tables = own_tables.filter(|_| !without_own_tables);

    let folder = &source.data_dir.data_dir;
    let (database, _held) = Database::open(folder, env, &progress).await?;
    let mut connection = database.connect().await?;
    lock(&mut connection).await?;
    undo::if_interrupted(&database, &mut connection).await?;
    ensure_empty(&mut connection, own_tables.is_some()).await?;
    let blobs = Blobs::open(storage_check::config(env, folder, &database)?).await?;
    let known: HashSet<&str> = pictures.iter().map(|picture| picture.version.as_str()).collect();
    // A killed restore may have left pictures of this backup.
    let others = blobs.prepare(&known).await.context("the pictures can't be stored")?;
    ensure!(
        others == 0,
        "the image storage is not empty ({others} other files): restore into another STORAGE_DIR or bucket"
    );

    let restored = async {
        save_pictures(&blobs, &backup, &pictures, &progress).await?;
        load(&database, &mut connection, &backup, &manifest, own_tables.as_ref(), &progress).await
    };
    let report = match restored.await {
        Ok(report) => report,
        Err(error) => {
            for picture in &pictures {
                let _ = blobs.remove(&picture.version).await;
            }
            return Err(error.context("nothing was restored"));
        }
    };
    connection.execute("analyze").await?;
    if let Some(password) = env.optional("LOGIN_PASSWORD") {
        database.set_login_passwords(&LOGINS, |_| Secret::new(password)).await?;
    }
    println!("Restored {}", manifest.summary(&address));
    if *without_own_tables && manifest.saved_own_tables().is_some() {
        println!("Your own tables were left out.");
    }
    print!("{}", report.map(|report| report.to_string()).unwrap_or_default());
    Ok(connection.close().await?)
}

async fn lock(connection: &mut PgConnection) -> anyhow::Result<()> {
    let question = "select pg_try_advisory_lock($1)";
    let is_free: bool = sqlx::query_scalar(question).bind(RESTORE_LOCK).fetch_one(connection).await?;
    ensure!(is_free, "another restore into this database is running: wait until it has ended");
    Ok(())
}

/// `with_own_tables`: whether the operator's tables are restored, so that the database must not have any yet.
async fn ensure_empty(connection: &mut PgConnection, with_own_tables: bool) -> anyhow::Result<()> {
    let tables: i64 = sqlx::query_scalar(
        "select count(*) from pg_catalog.pg_class join pg_catalog.pg_namespace on pg_namespace.oid = relnamespace
         where nspname in ('app', 'auth', 'storage', 'migration') and relkind in ('r', 'p', 'v')",
    )
    .fetch_one(&mut *connection)
    .await?;
    let is_empty = tables == 0 && !(with_own_tables && own::exist(connection).await?);
    ensure!(
        is_empty,
        "the database is not empty: restore into a new --data-dir, or into a new database with DATABASE_URL"
    );
    Ok(())
}

async fn save_pictures(
    blobs: &Blobs,
    backup: &Stored<'_>,
    pictures: &[Picture],
    progress: &Progress,
) -> anyhow::Result<()> {
    let bar = progress.bar("Restoring pictures", pictures.len() as u64);
    for picture in pictures {
        let file = picture.file_name();
        let content = backup.read(&file).await.with_context(|| file.clone())?;
        // The file may have changed since the check.
        ensure!(picture.has(&content), "{file} is damaged: its content differs from its hash");
        blobs.write(&picture.version, &content).await.context("a picture can't be stored")?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(())
}

/// Restores Serasi's tables, then the operator's. Returns a report on the operator's, if there are any.
///
/// # Errors
/// When something can't be restored. The database is empty again, unless the message says that this failed.
pub async fn load(
    database: &Database,
    connection: &mut PgConnection,
    backup: &Stored<'_>,
    manifest: &Manifest,
    own_tables: Option<&OwnTables>,
    progress: &Progress,
) -> anyhow::Result<Option<Report>> {
    load_tables(connection, backup, manifest, own_tables.is_some(), progress).await?;
    let Some(own_tables) = own_tables else { return Ok(None) };
    let loaded = async {
        let report = own_tables.load(database, own::FILE, own::open(backup).await?, progress).await?;
        db::end_restore(connection).await?;
        anyhow::Ok(report)
    };
    match loaded.await {
        Ok(report) => Ok(Some(report)),
        Err(error) => match undo::undo(database).await {
            Ok(()) => Err(error),
            Err(undone) => Err(error.context(format!(
                "the database could not be emptied again ({undone:#}): the next `serasi restore` into it will do that"
            ))),
        },
    }
}

/// Creates the tables of the backup's version, loads the rows, and applies newer migrations. `continues`: marks the database as
/// incomplete, because the operator's tables follow.
async fn load_tables(
    connection: &mut PgConnection,
    backup: &Stored<'_>,
    manifest: &Manifest,
    continues: bool,
    progress: &Progress,
) -> anyhow::Result<()> {
    let step = progress.step("Restoring tables");
    let mut transaction = connection.begin().await?;
    db::create_tables(&mut transaction, manifest.last_migration()).await?;
    // Triggers don't run and references are not checked: the rows come from a consistent snapshot.
    sqlx::raw_sql("set local statement_timeout = 0; set local session_replication_role = replica; set local row_security = off")
        .execute(&mut *transaction)
        .await?;
    for table in &manifest.tables {
        step.detail(&table.name);
        let file = backup.open(&tables::file_name(&table.name)?).await?;
        tables::load(&mut transaction, table, file).await.with_context(|| table.name.clone())?;
    }
    tables::set_sequences(&mut transaction, &manifest.sequences).await?;
    sqlx::raw_sql("set local session_replication_role = origin; set local row_security = on")
        .execute(&mut *transaction)
        .await?;
    db::migrate(&mut transaction, |what| step.detail(what)).await.context("the backup can't be upgraded")?;
    if continues {
        db::begin_restore(&mut transaction).await?;
    }
    transaction.commit().await?;
    step.done();
    Ok(())
}
