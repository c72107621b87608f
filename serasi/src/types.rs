//! `serasi types`: prints the TypeScript types of the public schema for postgrest-js.

use std::process::Stdio;

use anyhow::{Context, ensure};
use platform::env::Env;
use tokio::process::Command;

use crate::database::Database;
use crate::progress::Progress;
use crate::{DataDir, npm, source};

pub async fn run(options: &DataDir, env: &Env) -> anyhow::Result<()> {
    let progress = Progress::new();
    let folder = source::root()?.join("frontend");
    npm::install(&folder, "Installing the frontend's packages", &progress).await?;
    let (database, _held) = Database::open(&options.data_dir, env, &progress).await?;
    database.migrate(&progress).await?;
    let status = Command::new("node")
        .arg("scripts/types.mjs")
        .current_dir(&folder)
        .env("DB_URL", database.admin_url().expose())
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .status()
        .await
        .context("node can't be started: install Node.js 20.19 or later")?;
    ensure!(status.success(), "the types could not be generated");
    Ok(())
}
