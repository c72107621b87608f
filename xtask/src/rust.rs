//! The Rust tests. Their databases are created on the server of a real `serasi up`.

use crate::report::{self, Count};
use crate::server::Server;
use crate::{build, run, tools};

/// # Errors
/// When something does not compile, or a tool can't be installed.
pub fn run(server: &Server, names: &[String]) -> anyhow::Result<Count> {
    tools::python()?;
    tools::proxies()?;
    let database = server.database_url()?;
    let mut count = Count::default();
    for test in &build::development()?.tests {
        run::print(&format!("running {}", test.name));
        let mut command = run::command(&test.path.display().to_string());
        // libtest reports durations only behind an unstable option.
        command.args(["-Zunstable-options", "--report-time"]).args(names).env("RUSTC_BOOTSTRAP", "1");
        command.current_dir(&test.folder).env("CARGO_MANIFEST_DIR", &test.folder);
        let (output, success) = run::captured_output(command.env("TEST_DATABASE_URL", &database))?;
        count += report::cargo_test(&output).or_failed(success);
    }
    Ok(count)
}
