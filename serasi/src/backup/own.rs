//! Saves the operator's tables, functions, policies and triggers with `pg_dump`, in the same snapshot as Serasi's tables.

mod objects;
mod program;

use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, ensure};
use flate2::read::GzDecoder;
use platform::env::Env;
use sqlx::PgConnection;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::Child;

use super::compressed::Compressed;
use super::draft::Draft;
use super::manifest::{self, Contents, Manifest, Saved};
use super::stored::Stored;
use crate::database::Database;
use crate::import::own::OwnTables;
use crate::progress::Progress;
pub use objects::exist;
use program::{Connection, Program};

/// The name of the dump in a backup.
pub const FILE: &str = "own-tables.sql.gz";

/// The longest error message of `pg_dump` that is kept, in bytes.
const LONGEST_MESSAGE: u64 = 4096;
/// How long `pg_dump` may take to exit after the end of its output.
const END_LIMIT: Duration = Duration::from_secs(60);

/// How the operator's tables are saved.
pub struct Own<'a> {
    pub database: &'a Database,
    pub env: &'a Env,
    /// A folder in which to look for `pg_dump` before the usual ones.
    pub programs: Option<&'a Path>,
    pub leave_out: bool,
}

impl Own<'_> {
    /// Saves the operator's tables in the snapshot of the transaction. Returns `None` if there are none.
    ///
    /// # Errors
    /// When there is no usable `pg_dump`, when it fails, or when a restore would reject its dump.
    pub async fn save(
        &self,
        transaction: &mut PgConnection,
        draft: &Draft<'_>,
        progress: &Progress,
    ) -> anyhow::Result<Option<manifest::OwnTables>> {
        if !exist(transaction).await? {
            return Ok(None);
        }
        if self.leave_out {
            eprintln!("  Your own tables, functions and policies are left out of this backup.");
            return Ok(Some(manifest::OwnTables::LeftOut));
        }
        let program = Program::find(self.env, self.programs, server_major(transaction).await?)?;
        let step = progress.step("Saving your own tables");
        let snapshot: String =
            sqlx::query_scalar("select pg_catalog.pg_export_snapshot()").fetch_one(transaction).await?;
        let connection = Connection::of(self.database)?;
        let mut command = program.command(&connection, &snapshot);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let child = command.spawn().with_context(|| format!("{} can't be run", program.shown()))?;
        let file = receive(child, draft).await?;
        let own = read(Box::new(GzDecoder::new(draft.open(FILE)?)))
            .await
            .context("your own tables could not be restored from this backup")?;
        step.done();
        let left = own.left_out().to_string();
        if !left.is_empty() {
            eprint!("  A restore will leave out these objects of yours:\n{left}");
        }
        draft.store(FILE).await?;
        let saved = Saved { pg_dump: program.version, rows: own.rows(), file };
        Ok(Some(manifest::OwnTables::Saved(saved)))
    }
}

async fn server_major(connection: &mut PgConnection) -> anyhow::Result<u32> {
    let number: String = sqlx::query_scalar("show server_version_num").fetch_one(connection).await?;
    Ok(number.parse::<u32>().context("the server's version")? / 10_000)
}

/// Streams the output of `pg_dump` into the backup.
async fn receive(mut child: Child, draft: &Draft<'_>) -> anyhow::Result<Contents> {
    let output = child.stdout.take().context("the output of pg_dump")?;
    let messages = child.stderr.take().context("the messages of pg_dump")?;
    let (written, said) = tokio::join!(write(output, draft), message(messages));
    let file = written.with_context(|| draft.cant_write())?;
    let status = tokio::time::timeout(END_LIMIT, child.wait()).await.context("pg_dump did not exit")??;
    ensure!(status.success(), "your own tables can't be saved: {}", said.trim());
    Ok(file)
}

async fn write(mut output: impl AsyncRead + Unpin, draft: &Draft<'_>) -> anyhow::Result<Contents> {
    let mut target = Compressed::new(draft.create(FILE)?);
    let mut chunk = vec![0; 1 << 16];
    loop {
        match output.read(&mut chunk).await? {
            0 => return Ok(target.finish()?),
            length => target.write_all(&chunk[..length])?,
        }
    }
}

/// Returns the beginning of the messages. Reads the rest, too: with a full pipe, `pg_dump` would block.
async fn message(mut messages: impl AsyncRead + Unpin) -> String {
    let mut said = Vec::new();
    let _ = (&mut messages).take(LONGEST_MESSAGE).read_to_end(&mut said).await;
    let _ = tokio::io::copy(&mut messages, &mut tokio::io::sink()).await;
    String::from_utf8_lossy(&said).into_owned()
}

/// Reads the dump in a blocking thread, so that parsing it does not block the async runtime.
async fn read(dump: Box<dyn std::io::Read + Send>) -> anyhow::Result<OwnTables> {
    tokio::task::spawn_blocking(move || OwnTables::read(FILE, dump)).await?
}

/// Opens the dump of a backup, decrypted and decompressed.
///
/// # Errors
/// When it is missing, or can't be downloaded or decrypted.
pub async fn open(backup: &Stored<'_>) -> anyhow::Result<Box<dyn std::io::Read + Send>> {
    let file = backup.open(FILE).await.with_context(|| FILE.to_owned())?;
    Ok(Box::new(GzDecoder::new(file)))
}

/// Reads the whole dump of a backup without running it. `None` if the backup has none.
///
/// # Errors
/// When the dump is damaged, or a restore would reject it.
pub async fn contents(backup: &Stored<'_>, manifest: &Manifest) -> anyhow::Result<Option<OwnTables>> {
    let Some(saved) = manifest.saved_own_tables() else { return Ok(None) };
    let own = read(open(backup).await?).await?;
    let rows = own.rows();
    ensure!(rows == saved.rows, "{FILE} has {rows} rows, and the manifest says {}", saved.rows);
    Ok(Some(own))
}
