//! The pgTAP tests: every file of db/tests on a freshly migrated database on the embedded PostgreSQL, and on a restored
//! backup of such a database on the oldest supported version. Both servers are only for these tests: they also check the
//! roles, which all databases of a server share, and which other tests change.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Instant;

use anyhow::{Context, anyhow};
use sqlx::{AssertSqlSafe, Connection, Executor};

use crate::build::Build;
use crate::cluster::Cluster;
use crate::report::{self, Count};
use crate::server::Server;
use crate::{run, schema, times, tools};

const DATABASE: &str = "serasi_policies";

/// Runs the tests on the embedded server and on PostgreSQL 15, side by side.
///
/// # Errors
/// When a server, psql or pgTAP is unavailable.
pub fn run(names: &[String]) -> anyhow::Result<Count> {
    let pgtap = tools::pgtap()?;
    let server = Server::start_for_tests(&["--api-only", "--no-demo"])?;
    let embedded = &server.database_url()?;
    std::thread::scope(|scope| {
        let oldest = scope.spawn(|| {
            run::label("policies");
            on_the_oldest(embedded, &pgtap, names)
        });
        let mut count = on(&fresh(embedded, DATABASE)?, &pgtap, names)?;
        // Report the embedded server's result even if the other one is unavailable.
        count += oldest.join().unwrap_or_else(|_| Err(anyhow!("panicked"))).unwrap_or_else(|error| {
            run::print(&format!("PostgreSQL 15: {error:#}"));
            Count { passed: 0, failed: 1 }
        });
        Ok(count)
    })
}

fn on_the_oldest(embedded: &str, pgtap: &Path, names: &[String]) -> anyhow::Result<Count> {
    let cluster = Cluster::start(&tools::postgresql_15()?)?;
    let oldest = cluster.database_url();
    // Checks that the migrations work on the older version, too.
    fresh(&oldest, "serasi_fresh")?;
    let restored = create(&oldest, DATABASE)?;
    restore_into(&restored, &fresh(embedded, "serasi_saved")?)?;
    on(&restored, pgtap, names)
}

/// Saves the demo data of one database, and restores it into the other.
fn restore_into(target: &str, source: &str) -> anyhow::Result<()> {
    in_database(source, db::DEMO_SEED)?;
    let folder = tempfile::tempdir()?;
    let serasi = |arguments: &[&str], database: &str| {
        let mut serasi = Build::Development.command("serasi");
        serasi.args(arguments).arg(folder.path().join("backups")).env("DATABASE_URL", database);
        run::must(serasi.env("STORAGE_DIR", folder.path().join("storage")).env_remove("BACKUP_KEY")).map(drop)
    };
    serasi(&["backup", "--to"], source)?;
    serasi(&["restore"], target)
}

fn on(database: &str, pgtap: &Path, names: &[String]) -> anyhow::Result<Count> {
    let version = version_of(database)?;
    let mut count = Count::default();
    if names.is_empty() {
        count += structure(database, &version)?;
    }
    load_pgtap(database, pgtap)?;
    let tests = run::root().join("db/tests");
    let mut files = test_files(&tests)?;
    let name_of = |file: &Path| file.strip_prefix(&tests).unwrap_or(file).display().to_string();
    files.retain(|file| names.is_empty() || names.iter().any(|wanted| name_of(file).contains(wanted)));
    let mut run_file = |file: &Path, options: &[&str]| {
        let test = format!("PostgreSQL {version}, {}", name_of(file));
        let began = Instant::now();
        let outcome = psql_quietly(database, file, options)?;
        run::print(&format!("{test}: {} passed, {} failed", outcome.passed, outcome.failed));
        times::record_test(&test, began.elapsed());
        count += outcome;
        anyhow::Ok(())
    };
    // Runs last, because the other files would read the crowd's dead rows in each of their checks.
    let (plans, others): (Vec<_>, Vec<_>) =
        files.into_iter().partition(|file| file.starts_with(tests.join("plans")));
    for file in others {
        run_file(&file, &[])?;
    }
    if !plans.is_empty() {
        run::must(psql(database).arg("-f").arg(tests.join("keep_crowd.sql")).stdout(Stdio::null()))?;
    }
    for file in plans {
        run::must(psql(database).args(["-c", "vacuum"]))?;
        run_file(&file, &["-v", "crowd=kept"])?;
    }
    Ok(count)
}

/// Installs pgTAP once here instead of in each file, with the privileges that setup.sql would grant.
///
/// # Errors
/// When psql fails.
pub fn load_pgtap(database: &str, pgtap: &Path) -> anyhow::Result<()> {
    let mut install = psql(database);
    install.args(["-c", "create schema tap", "-c", "set search_path = tap, public", "-f"]).arg(pgtap);
    install.args(["-c", "grant usage on schema tap to public"]);
    install.args(["-c", "grant execute on all functions in schema tap to public"]);
    run::must(install.stdout(Stdio::null())).map(drop)
}

/// Compares the structure with the reviewed file.
fn structure(database: &str, version: &str) -> anyhow::Result<Count> {
    let difference = schema::difference(database)?;
    if !difference.is_empty() {
        run::print(&format!(
            "PostgreSQL {version}: not ok db/schema.snapshot differs. If this is what you intended, run `cargo xtask schema`"
        ));
        run::print(&difference);
    }
    Ok(Count::check(difference.is_empty()))
}

/// Prints only failures, because there are thousands of passing cells.
fn psql_quietly(database: &str, file: &Path, options: &[&str]) -> anyhow::Result<Count> {
    let output =
        psql(database).args(options).arg("-f").arg(file).output().context("psql can't be started")?;
    let output_text = String::from_utf8_lossy(&output.stdout);
    for line in output_text.lines().filter(|line| !line.is_empty() && !line.starts_with("ok ")) {
        if line.starts_with("not ok ") || line.starts_with("#   ") || line.starts_with("# tried") {
            run::print(line);
        }
    }
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
    // A wrong plan count means that the file ended early.
    let kept = !output_text.contains("# Looks like you planned")
        && output_text.lines().any(|line| line.starts_with("1.."));
    Ok(report::tap(&output_text).or_failed(output.status.success() && kept))
}

/// Creates a separate database, so that a test that forgets to roll back affects nothing else. Returns its URL.
fn create(url: &str, name: &str) -> anyhow::Result<String> {
    in_database(url, &format!("create database {name}"))?;
    Ok(format!("{}/{name}", url.rsplit_once('/').context("a URL with a database")?.0))
}

/// A separate database with the schema.
///
/// # Errors
/// When it can't be created or migrated.
pub fn fresh(url: &str, name: &str) -> anyhow::Result<String> {
    let own = create(url, name)?;
    run::block_on(async { Ok(db::migrate(&mut db::connect(&own).await?, |_| ()).await?) })?;
    Ok(own)
}

fn in_database(url: &str, script: &str) -> anyhow::Result<()> {
    run::block_on(async {
        let mut connection = db::connect(url).await?;
        connection.execute(AssertSqlSafe(script)).await?;
        Ok(connection.close().await?)
    })
}

fn version_of(database: &str) -> anyhow::Result<String> {
    run::block_on(async {
        let mut connection = db::connect(database).await?;
        Ok(sqlx::query_scalar("show server_version").fetch_one(&mut connection).await?)
    })
}

pub fn psql(database: &str) -> std::process::Command {
    // Debian's `psql` is a Perl script that starts this program, and takes longer than the program does to connect.
    let program = Path::new(tools::POSTGRESQL_15).join("psql");
    let mut command =
        run::command(if program.is_file() { program.to_str().unwrap_or("psql") } else { "psql" });
    command.args(["-Xq", "-v", "ON_ERROR_STOP=1", "-d", database]);
    command
}

/// The SQL files in subfolders. Shared includes are outside the subfolders.
///
/// # Errors
/// When a folder can't be read.
pub fn test_files(tests: &Path) -> anyhow::Result<Vec<PathBuf>> {
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The rows of the permission matrix: section, first, last.
    const MATRIX: [(&str, u32, u32); 7] = [
        ("UR", 1, 17),
        ("PR", 1, 8),
        ("IN", 1, 34),
        ("AG", 1, 10),
        ("VE", 1, 8),
        ("GI", 1, 13),
        ("ST", 2, 14),
    ];

    #[test]
    fn every_row_of_the_matrix_has_a_test() {
        let folder = run::root().join("db/tests/policies");
        let text: String = test_files(&run::root().join("db/tests"))
            .unwrap()
            .iter()
            .filter(|file| file.starts_with(&folder))
            .map(|file| std::fs::read_to_string(file).unwrap())
            .collect();
        // Either in a table row, or in the name of a check below it.
        let words: BTreeSet<&str> = text.split([' ', '\n', '\'', ':']).collect();

        let missing: Vec<String> = MATRIX
            .iter()
            .flat_map(|(section, first, last)| (*first..=*last).map(move |row| format!("{section}-{row}")))
            .filter(|row| !words.contains(row.as_str()))
            .collect();

        assert_eq!(missing, Vec::<String>::new());
    }
}
