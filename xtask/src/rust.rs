//! The Rust tests. Their databases are created on the server of a real `serasi up`.

use std::collections::BTreeSet;
use std::thread;

use crate::build::TestProgram;
use crate::report::{self, Count};
use crate::server::Server;
use crate::tools::Pooler;
use crate::{build, run, tools};

/// The permission matrix. Its tests share one server and run one at a time, so it runs beside the other programs.
const MATRIX: &str = "serasi matrix";

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
    let tests: Vec<_> = built.tests.iter().filter(|test| test.name == WITH_ALONE).collect();
    let arguments = [ALONE, "--test-threads=1"].map(str::to_owned);
    run_programs(&tests, &server.database_url()?, &arguments, &pooler)
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
    let (matrix, others): (Vec<_>, Vec<_>) =
        built.tests.iter().filter(is_wanted).partition(|test| test.name == MATRIX);
    thread::scope(|scope| {
        let beside = scope.spawn(|| {
            run::label("matrix");
            run_programs(&matrix, &database, names, &pooler)
        });
        let mut count = run_programs(&others, &database, names, &pooler)?;
        count += beside.join().unwrap_or_else(|_| Err(anyhow::anyhow!("the matrix panicked")))?;
        Ok(count)
    })
}

fn run_programs(
    tests: &[&TestProgram],
    database: &str,
    names: &[String],
    pooler: &Pooler,
) -> anyhow::Result<Count> {
    let garage = tools::garage();
    let mut count = Count::default();
    for test in tests {
        run::print(&format!("running {}", test.name));
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
        count += report::cargo_test(&output).or_failed(success);
    }
    Ok(count)
}
