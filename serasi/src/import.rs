//! `serasi import supabase`: imports a Supabase project from a plain dump and the files of its storage (see
//! docs/from-supabase.md). The database changes in one transaction; without `--apply`, that transaction is
//! rolled back.

mod accounts;
mod check;
mod classify;
mod contents;
mod execute;
mod extensions;
mod files;
mod objects;
mod ours;
pub mod own;
mod rename;
pub mod report;
mod schemas;
mod session;
mod source;
mod split;
mod tokens;

use std::path::PathBuf;

use anyhow::{Context, bail, ensure};
use clap::{Args, Subcommand};
use platform::env::Env;
use platform::http::server::stop_signal;
use sqlx::PgConnection;
use storage_service::archive::{Blobs, SWEEP_LOCK};
use tokio::task::JoinHandle;

use crate::DataDir;
use crate::database::Database;
use crate::progress::Progress;
use crate::storage_check;
use contents::Contents;
use execute::Run;
use objects::Objects;
use rename::Rename;
use report::Report;
pub use schemas::{OUR_OWNER, OURS};
use schemas::{Origin, Staged};
pub use session::lock_out;
use session::{Fate, Session};
use source::Source;

/// Keeps a second import into the same database from starting.
const IMPORT_LOCK: i64 = 0x5e7a_51b0;

#[derive(Subcommand)]
pub enum Command {
    /// Import accounts, tables, policies and files of a Supabase project; without --apply, only show what
    /// would happen
    Supabase(Options),
}

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    data_dir: DataDir,
    /// Plain dump made by pg_dump or `supabase db dump`, optionally compressed with gzip. Can be repeated:
    /// the files are read in this order
    #[arg(long, value_name = "FILE", required = true)]
    dump: Vec<PathBuf>,
    /// Folder with the files of the buckets
    #[arg(long, value_name = "DIR")]
    storage: Option<PathBuf>,
    /// Import the schema `public` of the dump under another name, if Serasi already uses its names
    #[arg(long, value_name = "NAME")]
    schema: Option<String>,
    /// Import. Without it, nothing is changed
    #[arg(long)]
    apply: bool,
    /// Import even if files are missing or differ from their rows; their objects are left out
    #[arg(long)]
    skip_missing_files: bool,
}

/// # Errors
/// When the project can't be imported. In that case, nothing is imported, unless the message says otherwise.
pub async fn run(command: &Command, env: &Env) -> anyhow::Result<()> {
    let Command::Supabase(options) = command;
    if let Some(folder) = &options.storage {
        ensure!(folder.is_dir(), "{} is not a folder", folder.display());
    }
    let progress = Progress::new();
    let step = progress.step("Reading the dump");
    let rename = options.schema.as_deref().map(Rename::to).transpose()?;
    let source = Source { files: options.dump.clone(), rename };
    let contents = Contents::read(&source)?;
    step.done();
    let (database, _held) = Database::open(&options.data_dir.data_dir, env, &progress).await?;
    database.migrate(&progress).await?;
    let mut locks = database.connect().await?;
    ensure!(
        try_lock(&mut locks, IMPORT_LOCK).await?,
        "another import into this database is running: wait until it has ended"
    );
    check::names(&mut locks, &contents).await?;
    let blobs = match options.apply && options.storage.is_some() {
        true => Some(blobs(options, env, &database, &mut locks).await?),
        false => None,
    };
    // From here on, an interrupted import must revoke the role's privileges.
    let stop = tokio::spawn(stop_signal());
    let session = Session::begin(&database, locks, Origin::Supabase, &contents).await?;
    let job = Job { options, source, contents, blobs, progress };
    let report = job.run(session, stop).await?;
    let heading = if options.apply { "Imported:" } else { "Would be imported:" };
    print!("{heading}\n{report}");
    if !options.apply {
        println!("Nothing was changed. Run the command again with --apply to import.");
    }
    Ok(())
}

/// Tries to take a lock, which is held until the connection is closed.
async fn try_lock(connection: &mut PgConnection, lock: i64) -> sqlx::Result<bool> {
    sqlx::query_scalar("select pg_try_advisory_lock($1)").bind(lock).fetch_one(connection).await
}

/// Opens the image storage, which receives the files.
async fn blobs(
    options: &Options,
    env: &Env,
    database: &Database,
    locks: &mut PgConnection,
) -> anyhow::Result<Blobs> {
    // Files are stored before their rows are visible, and a large import takes longer than the sweep waits.
    ensure!(
        try_lock(locks, SWEEP_LOCK).await?,
        "the storage service is removing files without an object: try again in a minute"
    );
    let blobs = Blobs::open(storage_check::config(env, &options.data_dir.data_dir, database)?).await?;
    blobs.create().await.context("the image storage can't be used")?;
    Ok(blobs)
}

struct Job<'a> {
    options: &'a Options,
    source: Source,
    contents: Contents,
    blobs: Option<Blobs>,
    progress: Progress,
}

impl Job<'_> {
    async fn run(&self, mut session: Session, stop: JoinHandle<()>) -> anyhow::Result<Report> {
        let mut stored = Vec::new();
        let mut report = Report { left: self.contents.left.clone(), ..Report::default() };
        report.left.extend(session.missing.drain(..));
        let imported = tokio::select! {
            imported = self.import(&mut session, &mut report, &mut stored) => imported,
            _ = stop => Err(anyhow::anyhow!("interrupted")),
        };
        let (fate, ended) = session.end(self.options.apply && imported.is_ok()).await;
        let outcome = match fate {
            Fate::Committed => "the project was imported, but not everything was cleaned up",
            Fate::RolledBack => "nothing was imported",
            Fate::Unknown => {
                "it is unknown whether the project was imported, because the database did not answer: run the command again to find out"
            }
        };
        if let (Fate::RolledBack, Some(blobs)) = (fate, &self.blobs) {
            for version in &stored {
                let _ = blobs.remove(version).await;
            }
        }
        imported.and(ended).context(outcome)?;
        Ok(report)
    }

    async fn import(
        &self,
        session: &mut Session,
        report: &mut Report,
        stored: &mut Vec<String>,
    ) -> anyhow::Result<()> {
        let mut run = Run::new(&mut session.owner, &self.contents, Origin::Supabase);
        let bar = self.progress.bar("Importing rows", self.contents.total_rows());
        run.load(&self.source, &bar).await?;
        bar.finish_and_clear();
        session::lend_rows(&mut session.locks, run.connection).await?;
        self.platform_rows(&mut run, report, stored).await?;
        session::take_rows_back(&mut session.locks, run.connection).await?;
        let step = self.progress.step("Creating references, triggers and policies");
        run.finish().await?;
        report.open_tables = run.restore_row_security().await?;
        run.on_our_tables(&mut session.locks).await?;
        ensure!(self.contents.staged(Staged::Users).is_some(), "the dump has no accounts");
        step.done();
        for (table, rows) in &self.contents.rows {
            if Staged::ALL.iter().all(|staged| staged.original() != table) {
                report.counts.push((table.clone(), *rows));
            }
        }
        Ok(())
    }

    /// Imports accounts, buckets and objects, before references to them are created.
    async fn platform_rows(
        &self,
        run: &mut Run<'_>,
        report: &mut Report,
        stored: &mut Vec<String>,
    ) -> anyhow::Result<()> {
        let mut left = Vec::new();
        for table in Staged::ALL {
            let Some(columns) = &self.contents.staged(table) else { continue };
            let (name, count) = match table {
                Staged::Users => ("accounts", accounts::import(run.connection, columns, &mut left).await?),
                Staged::Identities => {
                    ("identities", accounts::identities(run.connection, columns, &mut left).await?)
                }
                Staged::Buckets => ("buckets", accounts::buckets(run.connection, columns, &mut left).await?),
                Staged::Objects => ("objects", self.objects(run, columns, report, stored).await?),
            };
            report.counts.push((name.to_owned(), count));
        }
        report.left.extend(left);
        Ok(())
    }

    async fn objects(
        &self,
        run: &mut Run<'_>,
        columns: &[String],
        report: &mut Report,
        stored: &mut Vec<String>,
    ) -> anyhow::Result<u64> {
        let total = self.contents.rows.get(Staged::Objects.original()).copied().unwrap_or_default();
        let Some(folder) = &self.options.storage else {
            report.without_files = total;
            return Ok(0);
        };
        let bar = self.progress.bar("Importing files", total);
        let mut objects =
            Objects { connection: run.connection, columns, folder, blobs: self.blobs.as_ref(), stored };
        let imported = objects.import(&bar).await?;
        bar.finish_and_clear();
        let lost = imported.missing.len() + imported.differing.len();
        if lost > 0 && self.options.apply && !self.options.skip_missing_files {
            let first =
                imported.missing.iter().chain(&imported.differing).next().cloned().unwrap_or_default();
            bail!(
                "{lost} objects have no file in {}, or one that differs from its row, such as {first}: run the command without \
                 --apply to list them, or with --skip-missing-files to leave them out",
                folder.display()
            );
        }
        report.bytes = imported.bytes;
        report.missing = imported.missing;
        report.differing = imported.differing;
        Ok(imported.objects)
    }
}
