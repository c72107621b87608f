//! Copies one database to another, through a file.

use std::path::{Path, PathBuf};

use anyhow::Context;
use platform::env::Env;
use sqlx::{Connection, PgConnection};

use super::manifest::Manifest;
use super::{dump, restore};
use crate::database::Database;
use crate::programs::{BUNDLED, Programs};
use crate::progress::Progress;

/// A saved database: its dump, and what the dump does not say.
pub struct Saved {
    dump: PathBuf,
    manifest: Manifest,
}

/// Saves a database. Returns `None` if it has no tables.
///
/// # Errors
/// When the database can't be read or the file can't be written.
pub async fn save(
    database: &Database,
    folder: &Path,
    env: &Env,
    progress: &Progress,
) -> anyhow::Result<Option<Saved>> {
    let mut connection = database.connect().await?;
    if !has_tables(&mut connection).await? {
        return Ok(None);
    }
    let path = folder.join(super::archive::DUMP);
    let file = std::fs::File::create(&path).with_context(|| path.display().to_string())?;
    let (manifest, _) = dump::save(database, &mut connection, &file, env, progress).await?;
    connection.close().await?;
    Ok(Some(Saved { dump: path, manifest }))
}

async fn has_tables(connection: &mut PgConnection) -> sqlx::Result<bool> {
    Ok(sqlx::query(dump::TABLES).fetch_optional(connection).await?.is_some())
}

/// Loads a saved database into an empty one.
///
/// # Errors
/// When it can't be loaded.
pub async fn load(
    database: &Database,
    saved: Option<&Saved>,
    env: &Env,
    progress: &Progress,
) -> anyhow::Result<()> {
    let Some(Saved { dump, manifest }) = saved else { return Ok(()) };
    let programs = Programs::find(env, database.major_version().await?.max(BUNDLED), progress).await?;
    eprint!("{}", restore::load(database, &programs, dump, manifest, true, progress).await?);
    let mut connection = database.connect().await?;
    sqlx::raw_sql("analyze").execute(&mut connection).await?;
    Ok(connection.close().await?)
}
