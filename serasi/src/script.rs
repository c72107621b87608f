//! Runs SQL of a dump with psql, whose own commands are switched off. What the SQL may do depends on its login alone.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read};
use std::process::Stdio;

use anyhow::{Context, bail, ensure};
use platform::random;
use platform::secret::Secret;
use tokio::io::{AsyncReadExt, AsyncWriteExt, BufWriter};
use tokio::process::{ChildStdin, Command};

use crate::failures::{self, Failure};
use crate::programs::Programs;

/// The longest piece of a line that is read at once.
const CHUNK: u64 = 1 << 16;
/// The longest text of errors and warnings.
const MOST_BYTES: u64 = 16 << 20;

/// Returns the statements that failed.
///
/// # Errors
/// When psql can't be run, the script can't be read, or psql has too many messages.
pub async fn run(programs: &Programs, url: &Secret, script: impl BufRead) -> anyhow::Result<Vec<Failure>> {
    let mut command = programs.command("psql", url)?;
    command.args(["--no-psqlrc", "--quiet", "--no-password", "--file=-", "--set=ON_ERROR_STOP=0"]);
    command.args(["--set=VERBOSITY=verbose", "--set=ECHO=errors"]);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().context("psql can't be started")?;
    let to = child.stdin.take().context("psql's input")?;
    let from = child.stderr.take().context("psql's messages")?;
    let (sent, messages) = tokio::join!(send(script, to), read(from));
    let (restricted, messages) = (sent.context("the dump can't be read")?, messages?);
    ensure!((messages.len() as u64) < MOST_BYTES, "the dump causes more than 16 MiB of errors and warnings");
    let status = child.wait().await?;
    if !matches!(status.code(), Some(0 | 3)) {
        let last = messages.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
        bail!("psql ended with {status}: {last}");
    }
    let mut failures = failures::parse(&messages);
    failures.retain(|failure| !(failure.code.is_empty() && restricted.contains(&failure.line)));
    // The first line that psql read was ours.
    failures.iter_mut().for_each(|failure| failure.line -= 1);
    Ok(failures)
}

/// Runs what a program such as `pg_dump` writes.
///
/// # Errors
/// See [`run`], and when the program fails.
pub async fn run_output(
    programs: &Programs,
    url: &Secret,
    mut program: Command,
) -> anyhow::Result<Vec<Failure>> {
    let program = program.as_std_mut().stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = program.spawn().context("pg_dump or pg_restore can't be started")?;
    let script = BufReader::new(child.stdout.take().context("the output of pg_dump or pg_restore")?);
    let failures = run(programs, url, script).await?;
    let output = child.wait_with_output()?;
    ensure!(
        output.status.success(),
        "the dump can't be read: {}",
        String::from_utf8_lossy(&output.stderr).trim()
    );
    Ok(failures)
}

/// Returns the lines with `\restrict` and `\unrestrict`, which `pg_dump` writes. All other commands of psql are errors. When psql
/// ends early, its messages say why.
async fn send(mut script: impl BufRead, to: ChildStdin) -> std::io::Result<BTreeSet<u64>> {
    let mut to = BufWriter::new(to);
    let (mut piece, mut restricted) =
        (format!("\\restrict {}\n", random::token(20)).into_bytes(), BTreeSet::new());
    let (mut line, mut begins) = (0, true);
    loop {
        if begins {
            line += 1;
            if line > 1 && (piece.starts_with(b"\\restrict ") || piece.starts_with(b"\\unrestrict ")) {
                restricted.insert(line);
            }
        }
        begins = piece.ends_with(b"\n");
        if to.write_all(&piece).await.is_err() {
            return Ok(restricted);
        }
        piece.clear();
        if script.by_ref().take(CHUNK).read_until(b'\n', &mut piece)? == 0 {
            let _ = to.shutdown().await;
            return Ok(restricted);
        }
    }
}

/// Reads the beginning, and drops the rest: with a full pipe, psql would block.
async fn read(mut from: impl tokio::io::AsyncRead + Unpin) -> std::io::Result<String> {
    let mut messages = Vec::new();
    (&mut from).take(MOST_BYTES).read_to_end(&mut messages).await?;
    tokio::io::copy(&mut from, &mut tokio::io::sink()).await?;
    Ok(String::from_utf8_lossy(&messages).into_owned())
}
