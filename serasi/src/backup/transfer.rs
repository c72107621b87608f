//! Copies the tables of one database to another, through a folder.

use std::path::Path;

use platform::clock::Clock;
use platform::env::Env;
use sqlx::Connection;

use super::draft::Draft;
use super::manifest::{self, Contents, Manifest, PRODUCT, Pictures};
use super::own::{self, Own};
use super::place::{At, Place};
use super::record::Record;
use super::{restore, tables};
use crate::database::Database;
use crate::progress::Progress;

const NAME: &str = "serasi-20000101T000000Z";

fn at(folder: &Path) -> Place {
    Place { at: At::Folder(folder.to_path_buf()), key: None }
}

/// Saves all tables. Returns `None` if there are none. `programs`: the folder with the programs of the database's PostgreSQL.
///
/// # Errors
/// When the tables can't be read or written, or when the operator has tables and there is no usable `pg_dump`.
pub async fn save(
    database: &Database,
    programs: &Path,
    folder: &Path,
    env: &Env,
    progress: &Progress,
) -> anyhow::Result<Option<Manifest>> {
    let mut connection = database.connect().await?;
    if !tables::any(&mut connection).await? {
        return Ok(None);
    }
    let place = at(folder);
    let draft = Draft::begin(&place, NAME)?;
    let own = Own { database, env, programs: Some(programs), leave_out: false };
    let dumped = tables::dump(&mut connection, &draft, &own, progress, &mut Record::default()).await?;
    let created_at = Clock::system().now();
    let none = Contents { bytes: 0, sha256: String::new() };
    let manifest = Manifest {
        product: PRODUCT.to_owned(),
        format: manifest::format(dumped.own_tables.as_ref()),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        postgres: dumped.postgres,
        created_at: created_at.to_rfc3339(),
        seconds: 0.0,
        compression: "gzip".to_owned(),
        migrations: dumped.migrations,
        tables: dumped.tables,
        sequences: dumped.sequences,
        pictures: Pictures { count: 0, bytes: 0, missing: 0, list: none },
        own_tables: dumped.own_tables,
    };
    draft.finish(&serde_json::to_vec(&manifest)?).await?;
    connection.close().await?;
    Ok(Some(manifest))
}

/// Loads the saved tables; does nothing without a manifest.
///
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
    let stored = place.stored(NAME)?;
    let own_tables = own::contents(&stored, manifest).await?;
    let report =
        restore::load(database, &mut connection, &stored, manifest, own_tables.as_ref(), progress).await?;
    eprint!("{}", report.map(|report| report.to_string()).unwrap_or_default());
    sqlx::raw_sql("analyze").execute(&mut connection).await?;
    Ok(connection.close().await?)
}
