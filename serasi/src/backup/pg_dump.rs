//! Runs `pg_dump` and `pg_restore`. They write to and read from open files, which may have no name.

use std::fs::File;
use std::io::{self, Seek, Write};
use std::process::Stdio;

use anyhow::{Context, bail, ensure};
use platform::secret::Secret;
use tokio::io::{AsyncBufReadExt, BufReader};

use crate::programs::Programs;

/// The most errors that are read.
const MOST_ERRORS: usize = 1000;

/// Saves a database in the custom format.
///
/// # Errors
/// When `pg_dump` can't be run or fails.
pub async fn dump(
    programs: &Programs,
    url: &Secret,
    to: &File,
    options: impl IntoIterator<Item = String>,
) -> anyhow::Result<()> {
    let mut command = programs.command("pg_dump", url)?;
    command.args(["--format=custom", "--compress=1", "--encoding=UTF8", "--no-password", "--no-blobs"]);
    command.args(options).stdin(Stdio::null()).stdout(to.try_clone()?).stderr(Stdio::piped());
    let output = command.spawn().context("pg_dump can't be started")?.wait_with_output().await?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr).trim());
    Ok(())
}

fn from_start(mut dump: &File) -> io::Result<Stdio> {
    dump.rewind()?;
    Ok(dump.try_clone()?.into())
}

/// The table of contents of a dump.
///
/// # Errors
/// When it is not a dump in the custom format.
pub async fn list(programs: &Programs, dump: &File) -> anyhow::Result<String> {
    let output = programs.offline("pg_restore").arg("--list").stdin(from_start(dump)?).output().await;
    let output = output.context("pg_restore can't be started")?;
    ensure!(
        output.status.success(),
        "the dump of the database is damaged: {}",
        String::from_utf8_lossy(&output.stderr).trim()
    );
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Restores the entries of the list, as a login that has no more rights than the dump needs. Returns privileges that could not be
/// granted, because their roles don't exist.
///
/// # Errors
/// When a statement fails. What ran before is not undone.
pub async fn restore(
    programs: &Programs,
    url: &Secret,
    dump: &File,
    list: &str,
) -> anyhow::Result<Vec<String>> {
    if list.is_empty() {
        return Ok(Vec::new());
    }
    let mut file = tempfile::NamedTempFile::new().context("there is no temporary folder")?;
    file.write_all(list.as_bytes())?;
    let mut command = programs.command("pg_restore", url)?;
    command.args(["--no-owner", "--no-password"]).arg(format!("--use-list={}", file.path().display()));
    command.stdin(from_start(dump)?).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().context("pg_restore can't be started")?;
    let errors = errors(child.stderr.take().context("the messages of pg_restore")?).await?;
    let status = child.wait().await?;
    // 1: only errors that were ignored.
    let is_told = if errors.is_empty() { status.success() } else { matches!(status.code(), Some(0 | 1)) };
    ensure!(
        is_told && errors.len() < MOST_ERRORS,
        "pg_restore ended with {status} after {} errors",
        errors.len()
    );
    let mut tolerated = Vec::new();
    for Failure { message, statement } in errors {
        match statement.split(' ').next().unwrap_or_default() {
            "GRANT" | "REVOKE" => tolerated.push(statement),
            // PostgreSQL before 17 does not have it.
            "SET" if statement.starts_with("SET transaction_timeout") => (),
            _ => bail!("{message}"),
        }
    }
    Ok(tolerated)
}

struct Failure {
    message: String,
    /// The first line of the statement. Empty for errors in rows.
    statement: String,
}

/// Reads the errors, each with the statement that failed.
async fn errors(messages: impl tokio::io::AsyncRead + Unpin) -> anyhow::Result<Vec<Failure>> {
    let mut lines = BufReader::new(messages).split(b'\n');
    let (mut failures, mut in_message) = (Vec::<Failure>::new(), false);
    while let Some(line) = lines.next_segment().await? {
        let line = String::from_utf8_lossy(&line).into_owned();
        if let Some(message) = line.strip_prefix("pg_restore: error: ") {
            let message = message.trim_start_matches("could not execute query: ").to_owned();
            in_message = failures.len() < MOST_ERRORS;
            if in_message {
                failures.push(Failure { message, statement: String::new() });
            }
        } else if let Some(statement) = line.strip_prefix("Command was: ") {
            if let Some(failure) = failures.last_mut().filter(|_| in_message) {
                failure.statement = statement.to_owned();
            }
            in_message = false;
        } else if line.starts_with("pg_restore: ") {
            in_message = false;
        } else if let Some(failure) = failures.last_mut().filter(|_| in_message) {
            failure.message += &format!(" {}", line.trim());
        }
    }
    Ok(failures)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn errors_are_read_with_their_statements() {
        let said = "pg_restore: error: could not execute query: ERROR:  role \"r\" does not exist\n\
            Command was: GRANT SELECT ON TABLE public.t TO r;\n\n\n\
            pg_restore: error: COPY failed for table \"t\": ERROR:  duplicate key\nDETAIL:  Key (a)=(1) already exists.\n\
            pg_restore: warning: errors ignored on restore: 2\nmore\n";
        let failures = errors(said.as_bytes()).await.unwrap();
        assert_eq!(failures[0].statement, "GRANT SELECT ON TABLE public.t TO r;");
        let expected =
            "COPY failed for table \"t\": ERROR:  duplicate key DETAIL:  Key (a)=(1) already exists.";
        assert_eq!((failures.len(), failures[1].message.as_str()), (2, expected));
    }
}
