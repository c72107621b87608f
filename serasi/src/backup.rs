//! `serasi backup`, `serasi verify` and `serasi restore`. See docs/operate.md for the commands and the
//! format.

mod archive;
mod crypt;
pub mod dump;
pub mod load;
mod manifest;
mod pictures;
mod place;
mod record;
mod restore;
mod schedule;
mod toc;
mod undo;
mod verify;

use std::io::Seek;
use std::num::NonZeroU32;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use chrono::TimeDelta;
use clap::Args;
use platform::clock::Clock;
use platform::env::{ConfigError, Env};
use platform::http::server::stop_signal;
use platform::progress::Progress;
use sqlx::{Connection, PgConnection};

use crate::DataDir;
use crate::database::Database;
use archive::{Size, Writer};
pub use crypt::generate as generate_key;
use manifest::Manifest;
use place::{Place, time_of};
use record::Record;
pub use restore::run as restore;
pub use schedule::Schedule;
pub use verify::run as verify;

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    pub data_dir: DataDir,
    /// The folder for the backups, or s3://BUCKET/PREFIX [default: the setting BACKUP_TO]
    #[arg(long, value_name = "PLACE")]
    pub to: Option<String>,
    /// Afterwards, remove all backups except the newest COUNT [default: the setting BACKUP_KEEP]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..))]
    keep: Option<u32>,
    /// Afterwards, compare every file of the backup with its hash
    #[arg(long)]
    verify: bool,
    /// Do nothing unless a superadmin requested a backup, or BACKUP_EVERY hours have passed since the last one
    #[arg(long)]
    if_due: bool,
    /// Keep running, and make the backups that are due or requested by superadmins
    #[arg(long, conflicts_with_all = ["verify", "if_due", "keep"])]
    pub watch: bool,
}

/// An existing backup.
#[derive(Args)]
pub struct Source {
    #[command(flatten)]
    data_dir: DataDir,
    /// The file or s3:// address of a backup, or of a place, whose newest backup is used [default: the setting BACKUP_TO]
    #[arg(value_name = "BACKUP")]
    from: Option<String>,
}

#[derive(Args)]
pub struct Restore {
    #[command(flatten)]
    source: Source,
    /// Leave out your own tables, functions and policies
    #[arg(long)]
    without_own_tables: bool,
}

impl Source {
    fn address<'a>(&'a self, env: &'a Env) -> anyhow::Result<&'a str> {
        let from = self.from.as_deref().or_else(|| env.optional("BACKUP_TO"));
        from.context("say which backup: a folder or s3://BUCKET/PREFIX")
    }
}

/// `BACKUP_KEEP`: how many backups are kept.
fn keep_from_env(env: &Env) -> Result<Option<u32>, ConfigError> {
    let name = "BACKUP_KEEP";
    env.optional(name).map(|_| Ok(env.parse_or(name, NonZeroU32::MIN)?.get())).transpose()
}

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
    let keep = options.keep.or(keep_from_env(env)?);
    let progress = Progress::new();
    let interrupted = "interrupted: the unfinished backup was removed";
    let (database, _held) = tokio::select! {
        opened = Database::open(folder, env, &progress) => opened?,
        () = stop_signal() => bail!(interrupted),
    };
    let mut record = Record::default();
    let job = Job { options, env, place, database, keep, progress };
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
    keep: Option<u32>,
    progress: Progress,
}

impl Job<'_> {
    async fn run(&self, record: &mut Record) -> anyhow::Result<()> {
        let Self { options, place, progress, .. } = self;
        let mut connection = self.database.connect().await?;
        let free = try_lock(&mut connection, BACKUP_LOCK).await?;
        if free {
            record::end_interrupted(&mut connection).await?;
            place.remove_incomplete().await?;
        }
        if options.if_due && !(free && self.is_due(&mut connection).await?) {
            println!("No backup is due.");
            return Ok(connection.close().await?);
        }
        ensure!(free, "another backup of this database is running: wait until it has ended");
        *record = Record::begin(&self.database).await;
        let (name, manifest, size) = self.write(&mut connection, record).await?;
        println!("{}", archive::summary(&manifest, size, &place.address(&name)));
        if options.verify {
            let backup = place.fetch(&name).await?;
            record.progress("verify", 0, 1).await;
            let step = progress.step("Checking the backup");
            let checked = archive::check(&backup, place.key.as_ref(), std::io::sink());
            record.verified(place, &name, &checked).await;
            checked.with_context(|| format!("{} can't be restored", place.address(&name)))?;
            step.done();
            println!("Verified.");
        }
        let mut backups = place.backups().await?;
        let keep = self.keep.map_or(backups.len(), |keep| keep as usize);
        let expired = backups.len().saturating_sub(keep);
        for name in backups.drain(..expired) {
            place.remove(&name).await?;
        }
        record.mark_removed(place, &backups).await;
        if expired > 0 {
            println!("Removed {expired} older backups; {} are kept.", backups.len());
        }
        Ok(connection.close().await?)
    }

    /// Checks again while holding the lock, because another program may have made the backup since.
    async fn is_due(&self, connection: &mut PgConnection) -> anyhow::Result<bool> {
        if record::is_requested(connection).await? {
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
        let written = async {
            let mut archive = Writer::new(draft.file.as_file().try_clone()?, place.key.as_ref(), &manifest)?;
            dump.rewind()?;
            archive.add(archive::DUMP, dump.metadata()?.len(), &dump)?;
            self.save_pictures(&named, &mut archive, connection, record).await?;
            Ok(archive.finish()?)
        };
        let written: anyhow::Result<Size> = written.await;
        let size = written.with_context(|| place.cant_write())?;
        let name = place.publish(draft).await?;
        record.complete(place, &name, manifest.rows, size).await;
        Ok((name, manifest, size))
    }
}
