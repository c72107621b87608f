//! `serasi restore`: into an empty database and an empty blob store. The database changes in one transaction.

use std::collections::HashSet;

use anyhow::{Context, ensure};
use platform::env::Env;
use platform::secret::Secret;
use sqlx::{Connection, Executor, PgConnection};
use storage_service::archive::Blobs;

use super::manifest::Manifest;
use super::options::Source;
use super::pictures::Picture;
use super::record::Record;
use super::stored::Stored;
use super::{find, tables, verify};
use crate::database::Database;
use crate::progress::Progress;
use crate::storage_check;

/// # Errors
/// When the backup is damaged or the target is not empty. In that case, nothing has changed.
pub async fn run(options: &Source, env: &Env) -> anyhow::Result<()> {
    let progress = Progress::new();
    let (place, name) = find::find(options.address(env)?, env).await?;
    let address = place.address(&name);
    let backup = place.stored(&name)?;
    let checked = verify::check(&backup, &progress, &mut Record::default()).await;
    let (manifest, pictures) = checked.with_context(|| format!("{address} can't be restored"))?;

    let folder = &options.data_dir.data_dir;
    let (database, _held) = Database::open(folder, env, &progress).await?;
    let mut connection = database.connect().await?;
    ensure_empty(&mut connection).await?;
    let blobs = Blobs::open(storage_check::config(env, folder, &database)?).await?;
    let known: HashSet<&str> = pictures.iter().map(|picture| picture.version.as_str()).collect();
    // Pictures of this backup are left over from a killed restore.
    let others = blobs.prepare(&known).await.context("the pictures can't be stored")?;
    ensure!(
        others == 0,
        "the image storage is not empty ({others} other files): restore into another STORAGE_DIR or bucket"
    );

    let restored = async {
        save_pictures(&blobs, &backup, &pictures, &progress).await?;
        load(&mut connection, &backup, &manifest, &progress).await
    };
    if let Err(error) = restored.await {
        for picture in &pictures {
            let _ = blobs.remove(&picture.version).await;
        }
        return Err(error.context("nothing was restored"));
    }
    connection.execute("analyze").await?;
    if let Some(password) = env.optional("LOGIN_PASSWORD") {
        database.set_login_passwords(|_| Secret::new(password)).await?;
    }
    println!("Restored {}", manifest.summary(&address));
    Ok(connection.close().await?)
}

async fn ensure_empty(connection: &mut PgConnection) -> anyhow::Result<()> {
    let tables: i64 = sqlx::query_scalar(
        "select count(*) from pg_catalog.pg_class join pg_catalog.pg_namespace on pg_namespace.oid = relnamespace
         where nspname in ('app', 'auth', 'storage', 'migration') and relkind in ('r', 'p', 'v')",
    )
    .fetch_one(connection)
    .await?;
    ensure!(
        tables == 0,
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

/// Creates the tables of the backup's version, loads them, and upgrades them.
///
/// # Errors
/// When the rows don't fit the tables. The database then stays empty.
pub async fn load(
    connection: &mut PgConnection,
    backup: &Stored<'_>,
    manifest: &Manifest,
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
    transaction.commit().await?;
    step.done();
    Ok(())
}
