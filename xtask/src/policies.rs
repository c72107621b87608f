//! The pgTAP tests: every file of db/tests on a freshly migrated database.

use std::path::{Path, PathBuf};

use anyhow::Context;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use crate::report::{self, Count};
use crate::server::Server;
use crate::{run, tools};

const DATABASE: &str = "serasi_policies";

/// # Errors
/// When the server, psql or pgTAP is not to be had.
pub fn run() -> anyhow::Result<Count> {
    let pgtap = tools::pgtap()?;
    let server = Server::start(&["--api-only", "--no-demo"])?;
    let url = server.database_url()?;
    let database = prepare(&url)?;
    let tests = run::root().join("db/tests");
    // Once here instead of once in each file.
    psql(&database, &["-c", "create schema if not exists tap"], None)?;
    psql(&database, &["-c", "set search_path = tap, public"], Some(&pgtap))?;

    let mut count = Count::default();
    for file in test_files(&tests)? {
        let name = file.strip_prefix(&tests).unwrap_or(&file).display().to_string();
        let (said, success) = run::heard(
            run::command("psql").args(["-XqAt", "-v", "ON_ERROR_STOP=1", "-d", &database, "-f"]).arg(&file),
        )?;
        let mut counted = report::tap(&said);
        // A plan that was not kept means that the file ended early.
        let kept =
            !said.contains("# Looks like you planned") && said.lines().any(|line| line.starts_with("1.."));
        counted = counted.or_failed(success && kept);
        println!("{name}: {} passed, {} failed", counted.passed, counted.failed);
        count += counted;
    }
    Ok(count)
}

/// A database of its own, so that a test that forgets to roll back harms nobody.
fn prepare(url: &str) -> anyhow::Result<String> {
    let own = format!("{}/{DATABASE}", url.rsplit_once('/').context("a URL with a database")?.0);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut connection = PgConnection::connect(url).await?;
        connection.execute(AssertSqlSafe(format!("create database {DATABASE}"))).await?;
        let mut inside = PgConnection::connect(&own).await?;
        db::migrate(&mut inside, |_| ()).await?;
        anyhow::Ok(())
    })?;
    Ok(own)
}

fn psql(database: &str, before: &[&str], file: Option<&Path>) -> anyhow::Result<()> {
    let mut command = run::command("psql");
    command.args(["-Xq", "-v", "ON_ERROR_STOP=1", "-d", database]).args(before);
    if let Some(file) = file {
        command.arg("-f").arg(file);
    }
    run::must(command.stdout(std::process::Stdio::null())).map(|_| ())
}

/// All SQL files but the helpers, in a fixed order.
fn test_files(tests: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for folder in std::fs::read_dir(tests)?.collect::<Result<Vec<_>, _>>()? {
        if folder.path().is_dir() {
            for file in std::fs::read_dir(folder.path())? {
                files.push(file?.path());
            }
        }
    }
    files.retain(|file| file.extension().is_some_and(|extension| extension == "sql"));
    files.sort();
    Ok(files)
}
