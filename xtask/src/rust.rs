//! The Rust tests. Their databases are created on the server of a real `serasi up`.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::Context;

use crate::build::TestProgram;
use crate::report::{self, Count};
use crate::server::Server;
use crate::tools::Pooler;
use crate::{build, run, tools};

/// The programs that take longest run first, so that all end at about the same time.
const LONGEST: [&str; 7] = [
    "serasi it",
    "serasi matrix",
    "rest-gateway it",
    "auth-service it",
    "db it",
    "pictures memory",
    "storage-service it",
];

/// Upgrades during requests have to finish before the requests' lock timeout. So they run before the other
/// parts, which would compete for the cores.
const ALONE: &str = "upgrades::requests_succeed";
const WITH_ALONE: &str = "db it";

/// Its ignored tests need Garage; those of the other programs need a recent PgBouncer.
const WITH_GARAGE: &str = "storage-service s3";

/// The tests that need the cores to themselves.
///
/// # Errors
/// When a tool can't be installed.
pub fn run_alone(server: &Server) -> anyhow::Result<Count> {
    let pooler = tools::pooler()?;
    let built = build::development()?;
    let test = built.tests.iter().find(|test| test.name == WITH_ALONE).context("the tests of db were built")?;
    let arguments = [ALONE, "--test-threads=1"].map(str::to_owned);
    run_program(test, &server.database_url()?, &arguments, &pooler)
}

/// By default there are as many as cores, and most tests wait for a server or a clock.
const THREADS: &str = "3";

/// Whether the tests of these crates include some that run alone.
pub fn includes_alone(crates: &BTreeSet<String>) -> bool {
    crates.is_empty() || WITH_ALONE.split(' ').next().is_some_and(|name| crates.contains(name))
}

/// The tests of some crates, or of all if `crates` is empty. Without names, all but those that run alone.
///
/// # Errors
/// When something does not compile, or a tool can't be installed.
pub fn run(server: &Server, names: &[String], crates: &BTreeSet<String>) -> anyhow::Result<Count> {
    tools::clients()?;
    tools::proxies()?;
    let pooler = tools::pooler()?;
    // Tests that stop, promote or copy a server start their own.
    tools::postgresql_15()?;
    let database = server.database_url()?;
    let built = build::development()?;
    let is_wanted = |test: &&TestProgram| crates.is_empty() || crates.contains(test.crate_name());
    let mut programs: Vec<_> = built.tests.iter().filter(is_wanted).collect();
    programs.sort_by_key(|test| LONGEST.iter().position(|name| test.name == *name).unwrap_or(LONGEST.len()));
    let waiting = Mutex::new(programs.into_iter());
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
    thread::scope(|scope| {
        let work = |label| {
            run::label(label);
            let mut count = Count::default();
            while let Some(program) = next() {
                count += run_program(program, &database, names, &pooler)?;
            }
            anyhow::Ok(count)
        };
        let workers = ["rust 1", "rust 2"].map(|label| scope.spawn(move || work(label)));
        let mut count = Count::default();
        for worker in workers {
            count += worker.join().unwrap_or_else(|_| Err(anyhow::anyhow!("a test worker panicked")))?;
        }
        Ok(count)
    })
}

fn run_program(
    test: &TestProgram,
    database: &str,
    names: &[String],
    pooler: &Pooler,
) -> anyhow::Result<Count> {
    run::print(&format!("running {}", test.name));
    let garage = tools::garage();
    let mut command = run::command(&test.path.display().to_string());
    // libtest reports durations only behind an unstable option.
    command
        .args(["-Zunstable-options", "--report-time"])
        .args(names)
        .env("RUSTC_BOOTSTRAP", "1")
        .env("RUST_TEST_THREADS", THREADS);
    if names.is_empty() && test.name == WITH_ALONE {
        command.args(["--skip", ALONE]);
    }
    // The ignored tests of a program all need the same tool.
    let includes_ignored =
        if test.name == WITH_GARAGE { garage.is_file() } else { pooler.follows_statements };
    if includes_ignored {
        command.arg("--include-ignored");
    }
    command.env("PGBOUNCER", &pooler.program).env("GARAGE", &garage);
    command.current_dir(&test.folder).env("CARGO_MANIFEST_DIR", &test.folder);
    let (output, success) = run::captured_output(command.env("TEST_DATABASE_URL", database))?;
    Ok(report::cargo_test(&output).or_failed(success))
}
