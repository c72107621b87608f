//! `serasi import supabase`: imports a Supabase project from a plain dump and the files of its storage (see
//! docs/from-supabase.md). The dump runs in a scratch database as a login without rights. From there, accounts, buckets and
//! objects are copied, and the project's own schemas are restored as `import_owner`. Without `--apply`, only the first happens.

mod dump;
mod files;
mod objects;
mod platform;
mod project;
mod report;
mod rows;
mod schemas;
mod scratch;
mod undo;

use std::path::PathBuf;

use ::platform::env::Env;
use ::platform::http::server::stop_signal;
use ::platform::progress::Progress;
use anyhow::{Context, bail, ensure};
use clap::{Args, Subcommand};
use sqlx::PgConnection;
use storage_service::archive::{Blobs, SWEEP_LOCK};

use crate::backup::{lock, try_lock};
use crate::database::{Database, ensure_superuser};
use crate::programs::Programs;
use crate::{DataDir, storage_check};
use dump::Scan;
use project::Project;
use report::Report;
use scratch::Scratch;

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
    options.schema.as_deref().map(project::check_new_name).transpose()?;
    let progress = Progress::new();
    let step = progress.step("Reading the dump");
    let scans = options.dump.iter().map(|path| dump::scan(path)).collect::<anyhow::Result<Vec<_>>>()?;
    step.done();
    let (database, _held) = Database::open(&options.data_dir.data_dir, env, &progress).await?;
    let mut locks = database.connect().await?;
    ensure_superuser(&mut locks, "serasi import").await?;
    database.migrate(&progress).await?;
    lock(&mut locks, IMPORT_LOCK, "import into this database").await?;
    undo::if_killed(&database, &mut locks).await?;
    let programs = Programs::for_restore(env, database.major_version().await?, &progress).await?;
    let blobs = match options.apply && options.storage.is_some() {
        true => Some(blobs(options, env, &database, &mut locks).await?),
        false => None,
    };
    let extensions = scans.iter().flat_map(|scan| scan.extensions.clone()).collect();
    let (mut scratch, missing) = Scratch::create(&database, &extensions).await?;
    if !missing.is_empty() {
        eprintln!("  The dump uses extensions that do not exist here: {}", missing.join(", "));
    }
    let (added, report) = (Added::default(), Report::default());
    let mut job = Job { options, scans, missing, database, programs, blobs, progress, added, report };
    let imported = tokio::select! {
        imported = job.run(&mut scratch) => imported,
        () = stop_signal() => Err(anyhow::anyhow!("interrupted")),
    };
    let imported = job.finish(imported).await;
    let ended = scratch.end().await.context("the database of the dump can't be removed");
    imported?;
    ended?;
    let heading = if options.apply { "Imported:" } else { "Would be imported:" };
    print!("{heading}\n{}", job.report);
    if !options.apply {
        println!("Nothing was changed. Run the command again with --apply to import.");
    }
    Ok(())
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

/// What an import has added, and removes if it fails.
#[derive(Default)]
struct Added {
    /// Before, what `import_owner` has is of an earlier import.
    has_begun: bool,
    /// Versions of stored files.
    files: Vec<String>,
    extensions: Vec<String>,
}

struct Job<'a> {
    options: &'a Options,
    scans: Vec<Scan>,
    missing: Vec<String>,
    database: Database,
    programs: Programs,
    blobs: Option<Blobs>,
    progress: Progress,
    added: Added,
    report: Report,
}

impl Job<'_> {
    async fn run(&mut self, scratch: &mut Scratch) -> anyhow::Result<()> {
        let step = self.progress.step("Loading the dump");
        let mut failures = Vec::new();
        for (path, scan) in self.options.dump.iter().zip(&self.scans) {
            failures.push(scratch.load(&self.programs, path, scan.bytes).await?);
        }
        let mut loaded = scratch.connect().await?;
        project::check(&mut loaded).await?;
        for (path, failures) in self.options.dump.iter().zip(failures) {
            let left_out = dump::check(failures, path, &self.missing)?;
            left_out.iter().for_each(|what| self.report.leave_unknown(what));
        }
        step.done();
        if let Some(name) = &self.options.schema {
            project::rename_public(&mut loaded, name).await?;
        }
        let mut project = Project::read(&mut loaded, &mut self.report).await?;
        let mut admin = self.database.connect().await?;
        project::move_extensions(scratch, &mut admin, &mut project).await?;
        project::check_names(&mut loaded, &mut admin).await?;
        self.added.has_begun = true;
        self.import_rows(&mut loaded).await?;
        if self.options.apply {
            let step = self.progress.step("Importing tables, functions and policies");
            self.copy_schemas(scratch, &project, &mut loaded, &mut admin).await?;
            step.done();
        }
        self.report.counts.extend(project.tables);
        Ok(undo::forget(&mut admin).await?)
    }

    /// Removes what a failed import has added.
    async fn finish(&mut self, imported: anyhow::Result<()>) -> anyhow::Result<()> {
        let Err(error) = imported else { return Ok(()) };
        if self.added.has_begun
            && let Err(undone) = undo::undo(&self.database, &self.added.extensions).await
        {
            bail!("{error:#}; {undone:#}: the next import into this database does that");
        }
        if let Some(blobs) = &self.blobs {
            for version in &self.added.files {
                let _ = blobs.remove(version).await;
            }
        }
        Err(error.context("nothing was imported"))
    }
}
