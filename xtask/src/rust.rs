//! The Rust tests. Their databases are created on the server of a real `serasi up`.

use crate::report::{self, Count};
use crate::server::Server;
use crate::{run, tools};

/// # Errors
/// When the server does not start.
pub fn run() -> anyhow::Result<Count> {
    tools::python()?;
    tools::proxies()?;
    let server = Server::start_for_tests(&["--api-only", "--no-demo"])?;
    let (output, success) = run::heard(
        run::command("cargo")
            .args(["test", "--workspace", "--no-fail-fast"])
            .env("TEST_DATABASE_URL", server.database_url()?),
    )?;
    Ok(report::cargo_test(&output).or_failed(success))
}
