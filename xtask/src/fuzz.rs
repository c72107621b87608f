//! `cargo xtask fuzz`: sends the requests of `bench/src/fuzz` to a real `serasi up` with demo data.

use std::fs::File;
use std::process::Command;

use anyhow::Context;
use clap::Args;

use crate::build::Build;
use crate::report::Count;
use crate::run;
use crate::server::Server;

/// Number of requests in the test command.
const REQUESTS: u64 = 20_000;
const SEED: u64 = 17;

#[derive(Args)]
pub struct Fuzz {
    /// Number of requests
    #[arg(long, default_value_t = REQUESTS)]
    requests: u64,
    /// Seed of the random generator: the same seed generates the same requests
    #[arg(long, default_value_t = SEED)]
    seed: u64,
    /// Send only the request with this number, and print its response
    #[arg(long)]
    only: Option<u64>,
    /// Use the release build, for many requests
    #[arg(long)]
    release: bool,
}

/// # Errors
/// When the server does not start or a request found a fault.
pub fn run(options: &Fuzz) -> anyhow::Result<()> {
    let build = Build::release_if(options.release);
    let mut arguments = vec!["--requests".to_owned(), options.requests.to_string()];
    arguments.extend(["--seed".to_owned(), options.seed.to_string()]);
    arguments.extend(options.only.into_iter().flat_map(|number| ["--only".to_owned(), number.to_string()]));
    let (_server, mut command) = with_server(build, "fuzz", &arguments)?;
    run::must(&mut command)?;
    Ok(())
}

/// The short run of the test command.
///
/// # Errors
/// When the server does not start.
pub fn test() -> anyhow::Result<Count> {
    let options = Fuzz { requests: REQUESTS, seed: SEED, only: None, release: false };
    match run(&options) {
        Ok(()) => Ok(Count::check(true)),
        Err(error) => {
            eprintln!("fuzz: {error:#}");
            Ok(Count::check(false))
        }
    }
}

/// Starts a server for a command of `bench` and returns both. The server stops when it is dropped.
///
/// # Errors
/// When the server does not start.
pub fn with_server(build: Build, name: &str, arguments: &[String]) -> anyhow::Result<(Server, Command)> {
    let folder = tempfile::Builder::new().prefix("serasi-log-").tempdir()?.keep();
    let log = folder.join("server.log");
    println!("the server's log: {}", log.display());
    let server = Server::start_with_log(build, &["--api-only"], File::create(&log)?.into())?;
    server.prefer_speed_to_safety()?;
    let settings = server.settings()?;
    let setting = |name: &str| settings.get(name).with_context(|| format!("`serasi status` names no {name}"));
    let mut command = build.command("bench");
    command.args([name, "--url", &server.url, "--pid", &server.process_id().to_string(), "--log"]).arg(&log);
    command.args(arguments);
    for name in ["ANON_KEY", "SERVICE_ROLE_KEY", "JWT_SECRET"] {
        command.env(name, setting(name)?);
    }
    command.env("DATABASE_URL", setting("DB_URL")?);
    Ok((server, command))
}
