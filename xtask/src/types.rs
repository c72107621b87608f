//! Generates the frontend's `Database` types from the migrations.

use crate::run;
use crate::server::Server;

const FILE: &str = "frontend/src/lib/database.types.ts";

/// # Errors
/// When the types can't be generated or written.
pub fn write() -> anyhow::Result<()> {
    let server = Server::start(&["--api-only", "--no-demo"])?;
    std::fs::write(run::root().join(FILE), generated(&server.database_url()?)?)?;
    Ok(())
}

/// # Errors
/// When the types can't be generated.
pub fn are_current(database_url: &str) -> anyhow::Result<bool> {
    Ok(std::fs::read_to_string(run::root().join(FILE))? == generated(database_url)?)
}

fn generated(database_url: &str) -> anyhow::Result<String> {
    let output = run::command("node")
        .arg("scripts/types.mjs")
        .current_dir(run::root().join("frontend"))
        .env("DB_URL", database_url)
        .output()?;
    anyhow::ensure!(output.status.success(), "types.mjs failed: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8(output.stdout)?)
}
