//! `cargo xtask bench`: runs the benchmarks of `bench/` against a real `serasi up` with generated data.

use std::process::Command;

use anyhow::Context;
use clap::{Args, Subcommand};

use crate::build::Build;
use crate::server::{Server, free_port};
use crate::{npm, run, tools};

#[derive(Subcommand)]
pub enum Bench {
    /// Database queries for lists, filters and searches, as a visitor and as the tables' owner
    Lists(Options),
    /// Database queries for the tables of the admin pages, as an admin and as a superadmin
    Admin(Options),
    /// Database queries for enquiries, applications, notifications, reviews and reports, as their busiest readers
    Marketplace(Options),
    /// Sign-ins compared with the raw hash rate, and how a flood of password guesses affects others
    Auth(Options),
    /// Speed of the gateway compared with pgbench
    Gateway(Options),
    /// How one client's flood of requests affects other clients
    Flood(Options),
    /// Reload of a schema with 10,000 tables while the gateway answers requests
    Schema(Options),
    /// Speed of the image storage compared with nginx, with copying files and with the image library
    Storage(Options),
    /// Lighthouse for home, search and a profile with demo data, on a phone with a slow network
    Web(Options),
}

#[derive(Args)]
pub struct Options {
    /// How many rows to generate: influencers, accounts of each kind, or enquiries and so on of each kind
    #[arg(long, value_name = "N")]
    rows: Option<u64>,
    /// Options for the benchmark itself, such as --rounds, --seconds and --only
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    options: Vec<String>,
}

/// # Errors
/// When the server does not start, the data can't be generated, or a limit is exceeded.
pub fn run(bench: &Bench) -> anyhow::Result<()> {
    match bench {
        Bench::Lists(options) => queries("lists", options, 1_000_000, |rows| vec![("--influencers", rows)]),
        Bench::Admin(options) => queries("admin", options, 100_000, |rows| {
            vec![("--influencers", rows), ("--agencies", rows), ("--vendors", rows)]
        }),
        Bench::Marketplace(options) => queries("marketplace", options, 1_000_000, |rows| {
            let (tenth, hundredth) = (rows / 10, rows / 100);
            let people = [("--influencers", tenth), ("--agencies", rows / 500), ("--gigs", hundredth)];
            let kinds = ["--enquiries", "--applications", "--notifications"].map(|kind| (kind, rows));
            // A collaboration has two reviews.
            [&people[..], &kinds, &[("--reviews", rows / 2), ("--reports", tenth)]].concat()
        }),
        Bench::Auth(options) => measure("auth", options, &[], &[]),
        Bench::Gateway(options) => {
            let pgbench = tools::load_generators()?;
            // Each agency may post 500 gigs, so the inserts need several hundred agencies.
            let amounts = [
                ("--influencers", options.rows.unwrap_or(100_000)),
                ("--agencies", 1000),
                ("--vendors", 1000),
            ];
            let amounts = [&amounts[..], &[("--gigs", 10_000)]].concat();
            measure("gateway", options, &amounts, &["--pgbench".to_owned(), pgbench.display().to_string()])
        }
        Bench::Flood(options) => {
            measure("flood", options, &[("--influencers", options.rows.unwrap_or(100_000))], &[])
        }
        Bench::Schema(options) => measure("schema", options, &[("--agencies", 100)], &[]),
        Bench::Storage(options) => {
            tools::wrk()?;
            let nginx = tools::nginx()?.display().to_string();
            let port = free_port()?.to_string();
            measure("storage", options, &[], &["--nginx".to_owned(), nginx, "--nginx-port".to_owned(), port])
        }
        Bench::Web(options) => web(options),
    }
}

/// Generates rows in a development build, and measures queries.
fn queries(
    name: &str,
    options: &Options,
    rows: u64,
    amounts: impl Fn(u64) -> Vec<(&'static str, u64)>,
) -> anyhow::Result<()> {
    let server = Server::start(&["--api-only", "--no-demo"])?;
    let began = std::time::Instant::now();
    seed(&server, &amounts(options.rows.unwrap_or(rows)))?;
    println!("generated in {} s", began.elapsed().as_secs());
    let mut bench = server.build.command("bench");
    bench.args([name, "--database", &server.database_url()?]).args(&options.options);
    run::must(&mut bench).map(drop)
}

/// Measures a service as the images contain it.
fn measure(
    name: &str,
    options: &Options,
    amounts: &[(&str, u64)],
    arguments: &[String],
) -> anyhow::Result<()> {
    let server = Server::start_build(Build::Dist, &["--api-only", "--no-demo"])?;
    seed(&server, amounts)?;
    let mut bench = server.build.command("bench");
    bench.args([name, "--url", &server.url]);
    if matches!(name, "gateway" | "storage") {
        bench.args(["--pid", &server.process_id().to_string(), "--data-dir"]).arg(server.data_dir());
    }
    pass_on(&mut bench, &server)?;
    run::must(bench.args(arguments).args(&options.options)).map(drop)
}

fn seed(server: &Server, amounts: &[(&str, u64)]) -> anyhow::Result<()> {
    if amounts.is_empty() {
        return Ok(());
    }
    let mut seed = server.build.command("serasi");
    seed.arg("seed").env("DATABASE_URL", server.database_url()?);
    run::must(seed.args(amounts.iter().map(|(name, rows)| format!("{name}={rows}")))).map(drop)
}

/// Passes keys through the environment, which other users can't read.
fn pass_on(command: &mut Command, server: &Server) -> anyhow::Result<()> {
    let settings = server.settings()?;
    for name in ["ANON_KEY", "DB_URL", "JWT_SECRET", "SERVICE_ROLE_KEY"] {
        let value = settings.get(name).with_context(|| format!("`serasi status` names no {name}"))?;
        command.env(name, value);
    }
    Ok(())
}

/// Runs Lighthouse on the landing pages.
fn web(options: &Options) -> anyhow::Result<()> {
    let browser = tools::chromium()?;
    npm::install("bench/web")?;
    let server = Server::start(&[])?;
    let mut node = run::command("node");
    node.args(["measure.mjs", "--url", &server.url]).args(&options.options).env("CHROMIUM_PATH", browser);
    run::must(node.current_dir(run::root().join("bench/web"))).map(drop)
}
