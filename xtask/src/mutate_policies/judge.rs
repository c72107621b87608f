//! Runs the tests against a mutant.

use anyhow::Context;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

use super::Mutant;
use super::psql::{APPLIED, FILE, start_psql};
use super::suite::{Part, Suite};
use super::verdict::Verdict;
use crate::report;

/// Applies the mutants together and runs the selected test files.
///
/// # Errors
/// When psql or the server is gone.
pub(super) async fn judge(
    database: &str,
    suite: &Suite,
    mutants: &[&Mutant],
    part: Part,
) -> anyhow::Result<Verdict> {
    let mut psql = start_psql(database)?;
    let mut input = psql.stdin.take().context("a piped input")?;
    let script = suite.script(mutants, part, "");
    // psql stops reading at the first error.
    let writing = tokio::spawn(async move {
        let _ = input.write_all(script.as_bytes()).await;
    });
    let mut lines = BufReader::new(psql.stdout.take().context("a piped output")?).lines();
    let mut applied = false;
    let mut file = None;
    while let Some(line) = lines.next_line().await? {
        applied |= line == APPLIED;
        if let Some(name) = line.strip_prefix(FILE) {
            file = Some(name.to_owned());
        } else if let Some(file) = &file
            && is_failure(&line)
        {
            // One failure is enough. Stop psql.
            writing.abort();
            psql.kill().await?;
            return Ok(killed(suite, file, &line));
        }
    }
    let output = psql.wait_with_output().await?;
    writing.await?;
    let errors = String::from_utf8_lossy(&output.stderr);
    // Exit code 3: a statement failed. 2: the server is gone.
    anyhow::ensure!(matches!(output.status.code(), Some(0 | 3)), "psql: {errors}");
    let error = || {
        let line = errors.lines().find_map(|line| line.split_once("ERROR:"));
        line.map_or_else(|| errors.trim().to_owned(), |(_, text)| text.trim().to_owned())
    };
    Ok(match (output.status.success(), file) {
        (true, _) => Verdict::Survived,
        (false, Some(file)) => killed(suite, &file, &error()),
        (false, None) if applied => Verdict::Impossible("no test file".to_owned()),
        (false, None) => Verdict::Impossible(error()),
    })
}

/// A failed test, or a wrong number of tests.
fn is_failure(line: &str) -> bool {
    let line = line.trim_start();
    report::is_not_ok(line) || line.starts_with("# Looks like you ")
}

fn killed(suite: &Suite, file: &str, by: &str) -> Verdict {
    Verdict::Killed { proof: suite.proof_of(file), file: file.to_owned(), by: by.to_owned() }
}
