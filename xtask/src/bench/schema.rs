//! Measures how the build that the images contain reloads a schema of many tables.

use clap::Args;

use super::{pass_on, seed};
use crate::build::Build;
use crate::run;
use crate::server::Server;

#[derive(Args)]
pub struct Schema {
    /// How many tables to create
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    tables: usize,
    /// Options for the benchmark itself
    #[arg(last = true)]
    options: Vec<String>,
}

/// # Errors
/// When the server does not start or a limit is broken.
pub fn run(options: &Schema) -> anyhow::Result<()> {
    let server = Server::start_build(Build::Dist, &["--api-only", "--no-demo"])?;
    seed(&server, &["--agencies", "100"])?;
    let mut bench = server.build.command("bench");
    bench.args(["schema", "--url", &server.url, "--tables", &options.tables.to_string()]);
    pass_on(&mut bench, &server, &["ANON_KEY", "DB_URL"])?;
    run::must(bench.args(&options.options))?;
    Ok(())
}
