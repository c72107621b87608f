//! `serasi backup`, `serasi verify` and `serasi restore`. docs/operate.md describes them, and the format.

mod find;
mod manifest;
mod options;
mod pictures;
mod place;
mod restore;
mod retention;
mod schedule;
mod stored;
mod tables;
mod verify;

use std::path::Path;
use std::time::Instant;

use anyhow::{Context, bail, ensure};
use platform::clock::Clock;
use platform::env::Env;
use platform::http::server::stop_signal;
use sqlx::{Connection, PgConnection};
use storage_service::archive::Blobs;

use crate::database::Database;
use crate::progress::Progress;
use crate::storage_check;
use manifest::{FORMAT, Manifest, PRODUCT};
pub use options::{Options, Source};
use place::Place;
pub use restore::run as restore;
pub use schedule::Schedule;
pub use verify::run as verify;

/// Keeps a second backup of the same database from starting.
const BACKUP_LOCK: i64 = 0x5e7a_51ba;

/// # Errors
/// When the backup can't be made. Nothing that looks like a backup is left then.
pub async fn run(options: &Options, env: &Env) -> anyhow::Result<()> {
    let to = options.to.as_deref().or_else(|| env.optional("BACKUP_TO"));
    let to =
        to.context("say where the backup goes: --to FOLDER or --to s3://BUCKET/PREFIX, or set BACKUP_TO")?;
    let place = Place::open(to, env)?;
    tokio::select! {
        made = make(options, env, &place) => made,
        () = stop_signal() => bail!("interrupted: the unfinished backup was removed"),
    }
}

async fn make(options: &Options, env: &Env, place: &Place) -> anyhow::Result<()> {
    let folder = &options.data_dir.data_dir;
    ensure!(
        env.optional("DATABASE_URL").is_some() || folder.exists(),
        "there is nothing to back up: {} does not exist; set --data-dir or DATABASE_URL",
        folder.display()
    );
    let (count, days) = options::kept(env)?;
    let progress = Progress::new();
    let (database, _held) = Database::open(folder, env, &progress).await?;
    let mut connection = database.connect().await?;
    let free: bool = sqlx::query_scalar("select pg_try_advisory_lock($1)")
        .bind(BACKUP_LOCK)
        .fetch_one(&mut connection)
        .await?;
    ensure!(free, "another backup of this database is running: wait until it has ended");
    place.remove_incomplete().await?;
    let (name, manifest) = write(place, &mut connection, &database, env, folder, &progress).await?;
    let kept =
        retention::apply(place, options.keep.or(count), options.keep_days.or(days), Clock::system().now())
            .await?;
    println!("{}", manifest.summary(&place.address(&name)));
    if kept.removed > 0 {
        println!("Removed {} older backups; {} are kept.", kept.removed, kept.kept);
    }
    connection.close().await?;
    Ok(())
}

async fn write(
    place: &Place,
    connection: &mut PgConnection,
    database: &Database,
    env: &Env,
    data_dir: &Path,
    progress: &Progress,
) -> anyhow::Result<(String, Manifest)> {
    let (began, created_at) = (Instant::now(), Clock::system().now());
    let name = place::name(created_at);
    let draft = place.begin(&name)?;
    let dumped = tables::dump(connection, &draft, progress).await?;
    let blobs = Blobs::open(storage_check::config(env, data_dir, database)?).await?;
    let pictures = pictures::save(&blobs, &dumped.pictures, &draft, connection, progress).await?;
    let manifest = Manifest {
        product: PRODUCT.to_owned(),
        format: FORMAT,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        postgres: dumped.postgres,
        created_at: created_at.to_rfc3339(),
        seconds: began.elapsed().as_secs_f64(),
        compression: "gzip".to_owned(),
        migrations: dumped.migrations,
        tables: dumped.tables,
        sequences: dumped.sequences,
        pictures,
    };
    draft.finish(&serde_json::to_vec_pretty(&manifest)?).await?;
    Ok((name, manifest))
}
