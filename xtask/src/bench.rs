//! `cargo xtask bench`, `fuzz`, `soak` and `faults`: run the programs of `bench/` against a real `serasi up`.

use std::fs::File;
use std::process::Command;

use anyhow::Context;
use clap::{Args, ValueEnum};

use crate::build::Build;
use crate::report::Count;
use crate::server::{Server, free_port};
use crate::{npm, run, tools};

#[derive(Clone, Copy, ValueEnum)]
enum Name {
    /// Database queries for the lists, filters and searches of the public pages
    Lists,
    /// Database queries for the tables of the admin pages
    Admin,
    /// Database queries for enquiries, applications, notifications, reviews and reports, as their busiest readers
    Marketplace,
    /// Sign-ins compared with the raw hash rate, and how a flood of password guesses affects others
    Auth,
    /// Speed of the gateway compared with pgbench
    Gateway,
    /// How one client's flood of requests affects other clients
    Flood,
    /// Speed of the image storage compared with nginx and with copying files
    Storage,
    /// Lighthouse for home, search and a profile with demo data, on a phone with a slow network
    Web,
}

#[derive(Args)]
pub struct Bench {
    #[arg(value_enum)]
    name: Name,
    /// How many rows to generate: influencers, accounts of each kind, or enquiries and so on of each kind
    #[arg(long, value_name = "N")]
    rows: Option<u64>,
    /// Options for the benchmark itself, such as --rounds, --seconds and --only
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    options: Vec<String>,
}

#[derive(Args)]
pub struct Options {
    /// Use the release build instead of the development build
    #[arg(long)]
    release: bool,
    /// Options of the program itself: see `cargo run -p bench -- help`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    options: Vec<String>,
}

/// # Errors
/// When the server does not start, the data can't be generated, or a limit is exceeded.
pub fn run(bench: &Bench) -> anyhow::Result<()> {
    let rows = |usual: u64| bench.rows.unwrap_or(usual);
    match bench.name {
        Name::Lists => queries(bench, "lists", &[("--influencers", rows(1_000_000))]),
        Name::Admin => {
            let people = ["--influencers", "--agencies", "--vendors"].map(|kind| (kind, rows(100_000)));
            queries(bench, "admin", &people)
        }
        Name::Marketplace => {
            let rows = rows(1_000_000);
            let people = [("--influencers", rows / 10), ("--agencies", rows / 500), ("--gigs", rows / 100)];
            let kinds = ["--enquiries", "--applications", "--notifications"].map(|kind| (kind, rows));
            // A collaboration has two reviews.
            let reviews = [("--reviews", rows / 2), ("--reports", rows / 10)];
            queries(bench, "marketplace", &[&people[..], &kinds, &reviews].concat())
        }
        Name::Auth => measure(bench, "auth", &[], &[]),
        Name::Gateway => {
            let pgbench = tools::load_generators()?.display().to_string();
            let people = [("--influencers", rows(100_000)), ("--agencies", 1000), ("--vendors", 1000)];
            let amounts = [&people[..], &[("--gigs", 10_000)]].concat();
            measure(bench, "gateway", &amounts, &["--pgbench", &pgbench])
        }
        Name::Flood => measure(bench, "flood", &[("--influencers", rows(100_000))], &[]),
        Name::Storage => {
            tools::wrk()?;
            let (nginx, port) = (tools::nginx()?.display().to_string(), free_port()?.to_string());
            measure(bench, "storage", &[], &["--nginx", &nginx, "--nginx-port", &port])
        }
        Name::Web => web(bench),
    }
}

/// Generates rows in a development build, and measures queries.
fn queries(bench: &Bench, screens: &str, amounts: &[(&str, u64)]) -> anyhow::Result<()> {
    let server = Server::start(&["--api-only", "--no-demo"])?;
    seed(&server, amounts)?;
    run::must(program(&server, "queries")?.arg(screens).args(&bench.options)).map(drop)
}

/// Measures a service as the images contain it.
fn measure(bench: &Bench, name: &str, amounts: &[(&str, u64)], arguments: &[&str]) -> anyhow::Result<()> {
    let server = Server::start_build(Build::Dist, &["--api-only", "--no-demo"])?;
    seed(&server, amounts)?;
    run::must(program(&server, name)?.args(arguments).args(&bench.options)).map(drop)
}

fn seed(server: &Server, amounts: &[(&str, u64)]) -> anyhow::Result<()> {
    if amounts.is_empty() {
        return Ok(());
    }
    let mut seed = server.build.command("serasi");
    seed.arg("seed").env("DATABASE_URL", server.database_url()?);
    run::must(seed.args(amounts.iter().map(|(name, rows)| format!("{name}={rows}")))).map(drop)
}

/// A command of `bench`. Keys are passed through the environment, which other users can't read.
fn program(server: &Server, name: &str) -> anyhow::Result<Command> {
    let settings = server.settings()?;
    let mut bench = server.build.command("bench");
    bench.args([name, "--url", &server.url, "--pid", &server.process_id().to_string(), "--data-dir"]);
    bench.arg(server.data_dir());
    for name in ["ANON_KEY", "DB_URL", "JWT_SECRET", "SERVICE_ROLE_KEY"] {
        let value = settings.get(name).with_context(|| format!("`serasi status` names no {name}"))?;
        bench.env(name, value);
    }
    Ok(bench)
}

/// Runs Lighthouse on the landing pages.
fn web(bench: &Bench) -> anyhow::Result<()> {
    let browser = tools::chromium()?;
    npm::install("bench/web")?;
    let server = Server::start(&[])?;
    let mut node = run::command("node");
    node.args(["measure.mjs", "--url", &server.url]).args(&bench.options).env("CHROMIUM_PATH", browser);
    run::must(node.current_dir(run::root().join("bench/web"))).map(drop)
}

/// `fuzz` or `soak`, with demo data.
///
/// # Errors
/// When the server does not start, or the program found a fault.
pub fn load(name: &str, options: &Options) -> anyhow::Result<()> {
    let folder = tempfile::Builder::new().prefix("serasi-log-").tempdir()?.keep();
    let log = folder.join("server.log");
    println!("the server's log: {}", log.display());
    let build = Build::release_if(options.release);
    let server = Server::start_with_log(build, &["--api-only"], File::create(&log)?.into())?;
    server.prefer_speed_to_safety()?;
    run::must(program(&server, name)?.arg("--log").arg(&log).args(&options.options)).map(drop)
}

/// The fuzzer's short run of the test command.
pub fn test() -> Count {
    let tested = load("fuzz", &Options { release: false, options: Vec::new() });
    Count::check(tested.inspect_err(|error| eprintln!("fuzz: {error:#}")).is_ok())
}

/// # Errors
/// When a limit is exceeded, or a fault can't be produced on this machine.
pub fn faults(options: &Options) -> anyhow::Result<()> {
    let build = Build::release_if(options.release);
    build.make()?;
    let mut bench = build.command("bench");
    bench.arg("faults").arg("--serasi").arg(build.path("serasi"));
    bench.arg("--postgresql").arg(tools::postgresql_15()?);
    // Without libfaketime, the clock faults say so.
    if let Ok(library) = tools::faketime() {
        bench.arg("--faketime").arg(library);
    }
    run::must(bench.args(&options.options)).map(drop)
}
