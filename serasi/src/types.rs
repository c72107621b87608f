//! `serasi types`: prints the TypeScript types of the API's schemas for postgrest-js.

use std::process::Stdio;

use anyhow::{Context, ensure};
use clap::Args;
use platform::env::Env;
use platform::progress::Progress;
use tokio::process::Command;

use crate::database::Database;
use crate::{DataDir, data_dir, npm, services, source};

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    data_dir: DataDir,
    /// Only this schema; can be repeated. The default is all schemas that the API serves (PGRST_DB_SCHEMAS)
    #[arg(long = "schema", value_name = "NAME")]
    schemas: Vec<String>,
}

pub async fn run(options: &Options, env: &Env) -> anyhow::Result<()> {
    let progress = Progress::new();
    let folder = source::root()?.join("frontend");
    npm::install(&folder, "Installing the frontend's packages", &progress).await?;
    let data_dir = &options.data_dir.data_dir;
    let served = match data_dir::running(data_dir) {
        Some(running) if env.optional("DATABASE_URL").is_none() => running.db_schemas,
        _ => services::schemas(env).to_owned(),
    };
    let schemas = if options.schemas.is_empty() { served } else { options.schemas.join(",") };
    let (database, _held) = Database::open(data_dir, env, &progress).await?;
    database.migrate(&progress).await?;
    let status = Command::new("node")
        .arg("scripts/types.mjs")
        .current_dir(&folder)
        .env("DB_URL", database.admin_url().expose())
        .env("DB_SCHEMAS", schemas)
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .status()
        .await
        .context("node can't be started: install Node.js 20.19 or later")?;
    ensure!(status.success(), "the types could not be generated");
    Ok(())
}
