//! `serasi backup`, `serasi verify` and `serasi restore`. See docs/operate.md for the commands and the
//! format.

mod archive;
mod attempt;
mod crypt;
pub mod dump;
mod manifest;
mod options;
pub mod pg_dump;
mod pictures;
mod place;
mod queue;
mod record;
pub mod restore;
mod retention;
mod schedule;
pub mod toc;
mod undo;
mod verify;

use std::io::Seek;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use chrono::TimeDelta;
use platform::clock::Clock;
use platform::env::Env;
use platform::http::server::stop_signal;
use platform::progress::Progress;
use sqlx::{Connection, PgConnection};
use storage_service::archive::Blobs;

use crate::database::Database;
use crate::storage_check;
use archive::{Size, Writer};
pub use crypt::generate as generate_key;
use manifest::Manifest;
pub use options::{Options, Restore, Source};
use place::{Place, time_of};
use record::Record;
pub use restore::run as restore;
pub use schedule::Schedule;
pub use verify::run as verify;

/// Keeps a second backup of the same database from starting.
const BACKUP_LOCK: i64 = 0x5e7a_51ba;

/// Tries to take a lock on the database, which is held until the connection is closed.
///
/// # Errors
/// When the statement fails.
pub async fn try_lock(connection: &mut PgConnection, lock: i64) -> sqlx::Result<bool> {
    sqlx::query_scalar("select pg_try_advisory_lock($1)").bind(lock).fetch_one(connection).await
}

/// Like [`try_lock`], for a few seconds: PostgreSQL may just be ending the session of a program that was stopped.
///
/// # Errors
/// When another program has the lock. `what`: what it does.
pub async fn lock(connection: &mut PgConnection, lock: i64, what: &str) -> anyhow::Result<()> {
    for _ in 0..30 {
        if try_lock(connection, lock).await? {
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    bail!("another {what} is running: wait until it has ended")
}

/// # Errors
/// When the backup can't be made. No incomplete backup is left.
pub async fn run(options: &Options, env: &Env) -> anyhow::Result<()> {
    let to = options.to.as_deref().or_else(|| env.optional("BACKUP_TO"));
    let to =
        to.context("say where the backup goes: --to FOLDER or --to s3://BUCKET/PREFIX, or set BACKUP_TO")?;
    let place = Place::open(to, env)?;
    let folder = &options.data_dir.data_dir;
    ensure!(
        env.optional("DATABASE_URL").is_some() || folder.exists(),
        "there is nothing to back up: {} does not exist; set --data-dir or DATABASE_URL",
        folder.display()
    );
    let kept = options::kept(env)?;
    let progress = Progress::new();
    let interrupted = "interrupted: the unfinished backup was removed";
    let (database, _held) = tokio::select! {
        opened = Database::open(folder, env, &progress) => opened?,
        () = stop_signal() => bail!(interrupted),
    };
    let mut record = Record::default();
    let job = Job { options, env, place, database, kept, progress };
    let outcome = tokio::select! {
        made = job.run(&mut record) => made,
        () = stop_signal() => Err(anyhow::anyhow!(interrupted)),
    };
    if let Err(error) = &outcome {
        record.fail(error).await;
    }
    outcome
}

struct Job<'a> {
    options: &'a Options,
    env: &'a Env,
    place: Place,
    database: Database,
    kept: (Option<u32>, Option<u32>),
    progress: Progress,
}

impl Job<'_> {
    async fn run(&self, record: &mut Record) -> anyhow::Result<()> {
        let Self { options, place, progress, .. } = self;
        let mut connection = self.database.connect().await?;
        let free = try_lock(&mut connection, BACKUP_LOCK).await?;
        if options.if_due && !(free && self.is_due(&mut connection).await?) {
            println!("No backup is due.");
            return Ok(connection.close().await?);
        }
        ensure!(free, "another backup of this database is running: wait until it has ended");
        *record = Record::begin(&self.database).await;
        place.remove_incomplete().await?;
        let (name, manifest, size) = self.write(&mut connection, record).await?;
        println!("{}", archive::summary(&manifest, size, &place.address(&name)));
        if options.verify {
            let local = place.fetch(&name).await?;
            let checked = verify::check(place, &local, std::io::sink(), progress, record).await;
            record.verified(place, &name, &checked).await;
            checked.with_context(|| format!("{} can't be restored", place.address(&name)))?;
            println!("Verified.");
        }
        let (count, days) = self.kept;
        let backups = place.backups().await?;
        let expired = retention::expired(
            &backups,
            options.keep.or(count),
            options.keep_days.or(days),
            Clock::system().now(),
        );
        for name in &expired {
            place.remove(name).await?;
        }
        let left: Vec<String> = backups.iter().filter(|name| !expired.contains(name)).cloned().collect();
        record.mark_removed(place, &left).await;
        if !expired.is_empty() {
            println!("Removed {} older backups; {} are kept.", expired.len(), left.len());
        }
        Ok(connection.close().await?)
    }

    /// Checks again while holding the lock, because another program may have made the backup since.
    async fn is_due(&self, connection: &mut PgConnection) -> anyhow::Result<bool> {
        if queue::has_open(connection).await? {
            return Ok(true);
        }
        let hours: u32 = self.env.parse_or("BACKUP_EVERY", 0)?;
        let (backups, now) = (self.place.backups().await?, Clock::system().now());
        let newest = backups.last().and_then(|name| time_of(name));
        Ok(hours > 0 && schedule::due_at(newest, TimeDelta::hours(hours.into()), now) <= now)
    }

    async fn write(
        &self,
        connection: &mut PgConnection,
        record: &mut Record,
    ) -> anyhow::Result<(String, Manifest, Size)> {
        let Self { env, place, database, progress, .. } = self;
        let draft = place.begin(Clock::system().now())?;
        // Not encrypted, and gone with this process.
        let mut dump = tempfile::tempfile_in(draft.folder()).with_context(|| place.cant_write())?;
        record.progress("tables", 0, 1).await;
        let (manifest, named) = dump::save(database, connection, &dump, env, progress).await?;
        let config = storage_check::config(env, &self.options.data_dir.data_dir, database)?;
        let blobs = Blobs::open(config).await?;
        let written = async {
            let mut archive = Writer::new(draft.file.try_clone()?, place.key.as_ref(), &manifest)?;
            dump.rewind()?;
            archive.add(archive::DUMP, dump.metadata()?.len(), &dump)?;
            pictures::save(&blobs, &named, &mut archive, connection, progress, record).await?;
            Ok(archive.finish()?)
        };
        let written: anyhow::Result<Size> = written.await;
        let size = written.with_context(|| place.cant_write())?;
        let name = place.publish(draft).await?;
        record.complete(place, &name, manifest.rows, size).await;
        Ok((name, manifest, size))
    }
}
