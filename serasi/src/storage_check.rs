//! `serasi storage check`: compares the stored pictures with their database rows.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Subcommand};
use platform::database::LISTEN_URL;
use platform::env::Env;
use platform::progress::Progress;
use platform::random;
use platform::secret::Secret;
use storage_service::Config;
use storage_service::check::{self, Finding};
use storage_service::config::ORPHAN_AGE;

use crate::DataDir;
use crate::database::Database;
use crate::database::temporary_login::TemporaryLogin;

#[derive(Subcommand)]
pub enum Command {
    /// List stored files without an object, and objects without a file; delete them only with --remove and
    /// --remove-rows
    Check(Options),
}

#[derive(Args)]
pub struct Options {
    #[command(flatten)]
    data_dir: DataDir,
    /// Delete files without an object
    #[arg(long)]
    remove: bool,
    /// Ignore files younger than this many minutes: a running upload saves its file before its object
    #[arg(long, default_value_t = ORPHAN_AGE.as_secs() / 60)]
    minimum_age: u64,
    /// Delete objects whose file is missing
    #[arg(long)]
    remove_rows: bool,
}

pub async fn run(command: &Command, env: &Env) -> anyhow::Result<()> {
    let Command::Check(options) = command;
    let folder = &options.data_dir.data_dir;
    let (database, _held) = Database::open(folder, env, &Progress::new()).await?;
    let wanted = check::Options {
        remove_blobs: options.remove,
        remove_rows: options.remove_rows,
        minimum_age: Duration::from_secs(options.minimum_age.saturating_mul(60)),
    };
    let login = TemporaryLogin::create(&database, Some("storage_admin")).await?;
    // Another URL could be a superuser's.
    let env = env.clone().with(LISTEN_URL, "");
    let checked = check(config_as(&env, folder, &login.url, &random::token(48))?, wanted, options).await;
    login.end().await?;
    checked
}

async fn check(config: Config, wanted: check::Options, options: &Options) -> anyhow::Result<()> {
    let found = check::check(config, wanted, |finding| match finding {
        Finding::OrphanedBlob { version, bytes } => {
            println!("file without object: {version} ({bytes} bytes)");
        }
        Finding::MissingBlob { bucket, name } => println!("object without file: {bucket}/{name}"),
    });
    let found = found.await?;
    println!("{} files and {} objects checked.", found.blobs, found.objects);
    let outcome = |removed| if removed { "removed" } else { "found" };
    println!(
        "{} files without object {} ({} bytes).",
        found.orphaned_blobs,
        outcome(options.remove),
        found.orphaned_bytes
    );
    println!("{} objects without file {}.", found.missing_blobs, outcome(options.remove_rows));
    if found.orphaned_blobs > 0 && !options.remove {
        println!("`serasi storage check --remove` removes the files.");
    }
    Ok(())
}

/// The folder of the images.
pub fn folder(env: &Env, data_dir: &Path) -> PathBuf {
    env.optional("STORAGE_DIR").map_or_else(|| data_dir.join("storage"), PathBuf::from)
}

/// The settings of the storage service for commands that open its blob store.
pub fn config(env: &Env, data_dir: &Path, database: &Database) -> anyhow::Result<Config> {
    // Nothing is signed here, but the service requires a key.
    config_as(env, data_dir, database.admin_url(), &random::token(48))
}

pub fn config_as(env: &Env, data_dir: &Path, url: &Secret, jwt_secret: &str) -> anyhow::Result<Config> {
    let env = env
        .clone()
        .with("DATABASE_URL", url.expose())
        .with("STORAGE_DIR", folder(env, data_dir).display().to_string())
        .with("JWT_SECRET", jwt_secret);
    Ok(Config::from_env(&env)?)
}
