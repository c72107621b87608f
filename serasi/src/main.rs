//! `serasi`: starts the whole product with one command and manages its data.
//! The launcher only composes the services; it contains no business logic.

mod availability;
mod background;
mod backup;
mod bare;
mod by_name;
mod create_superadmin;
mod data_dir;
mod database;
mod demo;
mod extensions;
mod failures;
mod front;
mod frontend;
mod healthy;
mod import;
mod import_owner;
mod keys;
mod npm;
mod postgres;
mod programs;
mod psql;
mod reachable;
mod ready;
mod reset;
mod reset_factor;
mod script;
mod services;
mod source;
mod status;
mod storage_check;
#[cfg(test)]
mod tests;
mod types;
mod up;
mod upgrade;
mod watch_backups;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, CommandFactory, Parser, Subcommand};
use platform::env::Env;

#[derive(Parser)]
#[command(about = site::ABOUT, version = platform::version::version(), disable_help_subcommand = true, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    up: up::Options,
}

#[derive(Subcommand)]
enum Command {
    /// Start everything on one port (the default command)
    Up(up::Options),
    /// Show the address and keys of a running Serasi
    Status(status::Options),
    /// Migrate the database to this version's schema
    Migrate(DataDir),
    #[command(about = site::seed::ABOUT)]
    Seed(demo::SeedOptions),
    /// Add the demo data to a database without accounts
    Demo(DataDir),
    /// Create a superadmin, who can create admins
    CreateSuperadmin(create_superadmin::Options),
    /// Remove the second factors of an account, when no superadmin can
    ResetFactor(reset_factor::Options),
    /// Serve only the built frontend, for separately deployed services
    Pages(site::serve::Options),
    /// Print ANON_KEY, SERVICE_ROLE_KEY and PGRST_JWT_SECRET for separately deployed services, derived from
    /// JWT_SECRET
    Keys(keys::Options),
    /// Open psql on the database of a running Serasi
    Psql(psql::Options),
    /// Print the TypeScript types of the schemas that the API serves
    Types(types::Options),
    /// Exit with 0 if a URL answers with 2xx within two seconds, for health checks
    Healthy(healthy::Options),
    /// Manage the stored images
    #[command(subcommand)]
    Storage(storage_check::Command),
    /// Save the database and the images to a folder or an S3 bucket
    Backup(backup::Options),
    /// Compare every file of a backup with its hash
    Verify(backup::Source),
    /// Restore a backup into an empty database and image storage
    Restore(backup::Restore),
    /// Import a project from another backend
    #[command(subcommand)]
    Import(import::Command),
    /// Print a new BACKUP_KEY, which encrypts backups
    BackupKey,
    /// Delete all data of the embedded database and the uploaded images
    Reset(reset::Options),
}

/// The option of all commands that use a data directory.
#[derive(Args, Clone)]
pub struct DataDir {
    /// Folder with the embedded database, the images and the secrets
    #[arg(long, value_name = "DIR", default_value = ".serasi")]
    pub data_dir: PathBuf,
}

/// Returns memory to the system after a burst of requests.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    if let Some(outcome) = by_name::run() {
        return outcome;
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refuse(&error),
    };
    let env = match Env::from_process() {
        Ok(env) => env,
        Err(error) => return fail(&error.into()),
    };
    // PostgreSQL is a child of the current thread and stops when that thread ends, so run on the main
    // thread.
    let outcome = platform::telemetry::start(&env).map_err(Into::into).and_then(|_log| {
        let runtime = platform::memory::runtime()?;
        let outcome = runtime.block_on(run(cli, &env));
        runtime.shutdown_background();
        outcome
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => fail(&error),
    }
}

fn fail(error: &anyhow::Error) -> ExitCode {
    eprintln!("serasi: {}", one_line(&chain(error)));
    ExitCode::FAILURE
}

async fn run(cli: Cli, env: &Env) -> anyhow::Result<()> {
    match cli.command {
        None => up::run(&cli.up, env).await,
        Some(Command::Up(options)) => up::run(&options, env).await,
        Some(Command::Status(options)) => status::run(&options).await,
        Some(Command::Migrate(options)) => upgrade::migrate(&options, env).await,
        Some(Command::Seed(options)) => demo::seed(&options, env).await,
        Some(Command::Demo(options)) => demo::demo(&options, env).await,
        Some(Command::CreateSuperadmin(options)) => create_superadmin::run(&options, env).await,
        Some(Command::ResetFactor(options)) => reset_factor::run(&options, env).await,
        Some(Command::Pages(options)) => site::serve::run(&options, env).await,
        Some(Command::Keys(options)) => keys::run(&options, env),
        Some(Command::Psql(options)) => psql::run(&options, env).await,
        Some(Command::Types(options)) => types::run(&options, env).await,
        Some(Command::Healthy(options)) => healthy::run(&options).await,
        Some(Command::Storage(command)) => storage_check::run(&command, env).await,
        Some(Command::Backup(options)) if options.watch => watch_backups::run(&options, env).await,
        Some(Command::Backup(options)) => backup::run(&options, env).await,
        Some(Command::Verify(options)) => backup::verify(&options, env).await,
        Some(Command::Restore(options)) => backup::restore(&options, env).await,
        Some(Command::Import(command)) => import::run(&command, env).await,
        Some(Command::BackupKey) => {
            println!("{}", backup::generate_key());
            Ok(())
        }
        Some(Command::Reset(options)) => reset::run(&options),
    }
}

/// Prints clap's help and version unchanged, but usage errors as one line with a hint.
fn refuse(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        print!("{error}");
        return ExitCode::SUCCESS;
    }
    let text = error.to_string();
    let mistake = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
    let help = format!("{} --help", Cli::command().get_name());
    eprintln!("serasi: {mistake}; `{help}` shows the usage");
    ExitCode::from(2)
}

/// The error and its causes. Some errors repeat their cause in their own text.
fn chain(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
