//! `serasi psql`: opens psql on the database.

use anyhow::{Context, ensure};
use clap::Args;
use platform::env::Env;
use platform::progress::Progress;

use crate::database::Database;
use crate::programs::Programs;
use crate::{DataDir, data_dir};

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    data_dir: DataDir,
    /// Options of psql
    #[arg(value_name = "ARGS", trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

/// # Errors
/// When no Serasi is running, or when psql is missing or fails.
pub async fn run(options: &Options, env: &Env) -> anyhow::Result<()> {
    let folder = &options.data_dir.data_dir;
    ensure!(
        env.optional("DATABASE_URL").is_some() || data_dir::running(folder).is_some(),
        "no Serasi is running on {}: start it with `serasi up`, or set DATABASE_URL",
        folder.display()
    );
    let progress = Progress::new();
    let (database, _) = Database::find(folder, env, &progress).await?;
    let server = database.major_version().await?;
    let programs = Programs::find(env, server, &progress).await?;
    let mut psql = programs.command("psql", database.direct_url())?;
    let status = psql.env_remove("LC_ALL").args(&options.arguments).status().await;
    let status = status.context("psql can't be started")?;
    ensure!(status.success(), "psql ended with {status}");
    Ok(())
}
