//! `serasi restore`: restores into an empty database and an empty image storage. If something fails, both are emptied again.

use std::collections::HashSet;
use std::fs::File;
use std::io::Read;

use anyhow::{Context, anyhow, ensure};
use platform::env::Env;
use platform::http::server::stop_signal;
use platform::progress::Progress;
use platform::secret::Secret;
use sha2::{Digest, Sha256};
use sqlx::{Connection, Executor, PgConnection};
use storage_service::archive::Blobs;

use super::archive::{self, Checked, OBJECTS};
use super::load::Load;
use super::place::Place;
use super::{Restore, lock, undo};
use crate::database::{Database, LOGINS, ensure_superuser};
use crate::programs::Programs;
use crate::storage_check;

/// Keeps a second restore into the same database from starting.
const RESTORE_LOCK: i64 = 0x5e7a_51bb;

/// # Errors
/// When the backup is damaged, or the database or image storage is not empty. In that case, nothing has changed.
pub async fn run(options: &Restore, env: &Env) -> anyhow::Result<()> {
    let progress = &Progress::new();
    let Restore { source, without_own_tables } = options;
    let (place, name) = Place::find(source.address(env)?, env).await?;
    let address = place.address(&name);
    let backup = place.fetch(&name).await?;
    let dump = &tempfile::tempfile().context("there is no temporary folder")?;
    let step = progress.step("Checking the backup");
    let checked = archive::check(&backup, place.key.as_ref(), dump);
    let checked = checked.with_context(|| format!("{address} can't be restored"))?;
    step.done();

    let folder = &source.data_dir.data_dir;
    let (database, _data_dir) = Database::open(folder, env, progress).await?;
    let mut connection = database.connect().await?;
    ensure_superuser(&mut connection, "serasi restore").await?;
    lock(&mut connection, RESTORE_LOCK, "restore into this database").await?;
    undo::if_interrupted(&database, &mut connection).await?;
    ensure_empty(&mut connection).await?;
    let programs = &Programs::for_restore(env, database.major_version().await?, progress).await?;
    let blobs = Blobs::open(storage_check::config(env, folder, &database)?).await?;
    ensure_no_other_pictures(&blobs, &checked.pictures).await?;

    let load = Load { database: &database, programs, dump, manifest: &checked.manifest, progress };
    let pictures = save_pictures(&blobs, &place, &backup, &checked, progress);
    let restored = tokio::select! {
        restored = load.run(!without_own_tables, pictures) => restored,
        () = stop_signal() => load.undo(anyhow!("interrupted")).await,
    };
    let report = match restored {
        Ok(report) => report,
        Err(error) => {
            for picture in &checked.pictures {
                let _ = blobs.remove(picture).await;
            }
            return Err(error.context("nothing was restored"));
        }
    };
    connection.execute("analyze").await?;
    if let Some(password) = env.optional("LOGIN_PASSWORD") {
        database.set_login_passwords(&LOGINS, |_| Secret::new(password)).await?;
    }
    println!("Restored {}", checked.summary(&address));
    print!("{report}");
    Ok(connection.close().await?)
}

async fn ensure_no_other_pictures(blobs: &Blobs, pictures: &[String]) -> anyhow::Result<()> {
    let known: HashSet<&str> = pictures.iter().map(String::as_str).collect();
    // A killed restore may have left pictures of this backup.
    let others = blobs.prepare(&known).await.context("the pictures can't be stored")?;
    ensure!(
        others == 0,
        "the image storage is not empty ({others} other files): restore into another STORAGE_DIR or bucket"
    );
    Ok(())
}

/// Nobody's tables and functions may be in the way.
async fn ensure_empty(connection: &mut PgConnection) -> anyhow::Result<()> {
    let is_empty: bool = sqlx::query_scalar(
        "select not exists (select from pg_class join pg_namespace on pg_namespace.oid = relnamespace
           where nspname !~ '^pg_' and nspname <> 'information_schema' and relkind in ('r', 'p', 'v', 'm', 'S', 'f')
             and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e'))
         and not exists (select from pg_proc where pronamespace = 'public'::regnamespace
             and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e'))
         and not exists (select from pg_namespace where nspname in ('app', 'serasi', 'auth', 'storage', 'migration', 'extensions'))",
    )
    .fetch_one(connection)
    .await?;
    ensure!(
        is_empty,
        "the database is not empty: restore into a new --data-dir, or into a new database with DATABASE_URL"
    );
    Ok(())
}

async fn save_pictures(
    blobs: &Blobs,
    place: &Place,
    backup: &File,
    checked: &Checked,
    progress: &Progress,
) -> anyhow::Result<()> {
    let bar = progress.bar("Restoring pictures", checked.pictures.len() as u64);
    let mut archive = archive::open(backup, place.key.as_ref())?;
    for entry in archive.entries()? {
        let mut entry = entry?;
        let name = entry.path()?.display().to_string();
        let Some(version) = name.strip_prefix(OBJECTS) else { continue };
        let mut content = Vec::new();
        entry.read_to_end(&mut content).with_context(|| name.clone())?;
        // The file may have changed since it was checked.
        let hash = format!("{:x}", Sha256::digest(&content));
        ensure!(
            checked.sums.get(&name) == Some(&hash),
            "{name} is damaged: its content differs from its hash"
        );
        blobs.write(version, &content).await.context("a picture can't be stored")?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(())
}
