//! Copies the tables of one database to another, through a folder.

use std::path::Path;

use platform::clock::Clock;
use sqlx::Connection;

use super::draft::Draft;
use super::manifest::{Contents, FORMAT, Manifest, PRODUCT, Pictures};
use super::place::{At, Place};
use super::record::Record;
use super::{restore, tables};
use crate::database::Database;
use crate::progress::Progress;

const NAME: &str = "serasi-20000101T000000Z";

fn at(folder: &Path) -> Place {
    Place { at: At::Folder(folder.to_path_buf()), key: None }
}

/// # Errors
/// When the tables can't be read or written.
pub async fn save(
    database: &Database,
    folder: &Path,
    progress: &Progress,
) -> anyhow::Result<Option<Manifest>> {
    let mut connection = database.connect().await?;
    if !tables::any(&mut connection).await? {
        return Ok(None);
    }
    let place = at(folder);
    let draft = Draft::begin(&place, NAME)?;
    let dumped = tables::dump(&mut connection, &draft, progress, &mut Record::default()).await?;
    let created_at = Clock::system().now();
    let none = Contents { bytes: 0, sha256: String::new() };
    let manifest = Manifest {
        product: PRODUCT.to_owned(),
        format: FORMAT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        postgres: dumped.postgres,
        created_at: created_at.to_rfc3339(),
        seconds: 0.0,
        compression: "gzip".to_owned(),
        migrations: dumped.migrations,
        tables: dumped.tables,
        sequences: dumped.sequences,
        pictures: Pictures { count: 0, bytes: 0, missing: 0, list: none },
    };
    draft.finish(&serde_json::to_vec(&manifest)?).await?;
    connection.close().await?;
    Ok(Some(manifest))
}

/// # Errors
/// When the tables can't be loaded.
pub async fn load(
    database: &Database,
    folder: &Path,
    manifest: Option<&Manifest>,
    progress: &Progress,
) -> anyhow::Result<()> {
    let Some(manifest) = manifest else { return Ok(()) };
    let mut connection = database.connect().await?;
    let place = at(folder);
    restore::load(&mut connection, &place.stored(NAME)?, manifest, progress).await?;
    sqlx::raw_sql("analyze").execute(&mut connection).await?;
    Ok(connection.close().await?)
}
