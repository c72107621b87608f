//! `cargo xtask bench`: runs the benchmarks of `bench/` against a real `serasi up` with generated data.

mod auth;
mod gateway;
mod schema;
mod storage;
mod web;

use std::process::Command;

use anyhow::Context;
use clap::{Args, Subcommand};

use crate::build::Build;
use crate::run;
use crate::server::Server;

#[derive(Subcommand)]
pub enum Bench {
    /// Database queries for lists, filters and searches, as a visitor and as the tables' owner
    Lists(Lists),
    /// Database queries for the tables of the admin pages, as an admin and as a superadmin
    Admin(Admin),
    /// Database queries for enquiries, applications, notifications, reviews and reports, as their busiest readers
    Marketplace(Marketplace),
    /// Sign-ins compared with the raw hash rate, and how a flood of password guesses affects others
    Auth(auth::Auth),
    /// Speed of the gateway compared with pgbench; with --flood, how one client's flood affects other clients
    Gateway(gateway::Gateway),
    /// Reload of a schema with 10,000 tables while the gateway answers requests
    Schema(schema::Schema),
    /// Speed of the image storage compared with nginx, with copying files and with the image library
    Storage(storage::Storage),
    /// Lighthouse for home, search and a profile with demo data, on a phone with a slow network
    Web(web::Web),
}

#[derive(Args)]
pub struct Lists {
    /// How many influencers to generate
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    influencers: u64,
    /// Superuser URL of a database that already contains data
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// Options for the benchmark itself
    #[arg(last = true)]
    options: Vec<String>,
}

#[derive(Args)]
pub struct Admin {
    /// How many influencers, agencies and vendors to generate, each
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    accounts: u64,
    /// Superuser URL of a database that already contains data; staff and log entries are added to it
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// Options for the benchmark itself
    #[arg(last = true)]
    options: Vec<String>,
}

#[derive(Args)]
pub struct Marketplace {
    /// How many enquiries, applications, notifications and reviews to generate, each; and a tenth as many reports
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    rows: u64,
    /// Superuser URL of a database that already contains data; two busy accounts are added to it
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// Options for the benchmark itself
    #[arg(last = true)]
    options: Vec<String>,
}

/// # Errors
/// When the server does not start, the data can't be generated, or a limit is exceeded.
pub fn run(bench: &Bench) -> anyhow::Result<()> {
    match bench {
        Bench::Lists(options) => lists(options),
        Bench::Admin(options) => admin(options),
        Bench::Marketplace(options) => marketplace(options),
        Bench::Auth(options) => auth::run(options),
        Bench::Gateway(options) => gateway::run(options),
        Bench::Schema(options) => schema::run(options),
        Bench::Storage(options) => storage::run(options),
        Bench::Web(options) => web::run(options),
    }
}

fn lists(options: &Lists) -> anyhow::Result<()> {
    if let Some(database) = &options.database {
        Build::Development.make()?;
        return measure("lists", database, &options.options);
    }
    let server = Server::start(&["--api-only", "--no-demo"])?;
    let database = server.database_url()?;
    let began = std::time::Instant::now();
    let rows = options.influencers.to_string();
    seed(&server, &["--influencers", &rows])?;
    println!("{rows} influencers generated in {} s (limit 180 s for 1,000,000)", began.elapsed().as_secs());
    measure("lists", &database, &options.options)
}

fn admin(options: &Admin) -> anyhow::Result<()> {
    if let Some(database) = &options.database {
        Build::Development.make()?;
        return measure("admin", database, &options.options);
    }
    let server = Server::start(&["--api-only", "--no-demo"])?;
    let database = server.database_url()?;
    let rows = options.accounts.to_string();
    seed(&server, &["--influencers", &rows, "--agencies", &rows, "--vendors", &rows])?;
    measure("admin", &database, &options.options)
}

fn marketplace(options: &Marketplace) -> anyhow::Result<()> {
    if let Some(database) = &options.database {
        Build::Development.make()?;
        return measure("marketplace", database, &options.options);
    }
    let server = Server::start(&["--api-only", "--no-demo"])?;
    let database = server.database_url()?;
    let part = |divisor: u64| (options.rows / divisor).to_string();
    // A collaboration has two reviews.
    let (rows, pairs, tenth, hundredth) = (part(1), part(2), part(10), part(100));
    seed(&server, &["--influencers", &tenth, "--agencies", &part(500), "--gigs", &hundredth])?;
    seed(&server, &["--enquiries", &rows, "--applications", &rows, "--notifications", &rows])?;
    seed(&server, &["--reviews", &pairs, "--reports", &tenth])?;
    measure("marketplace", &database, &options.options)
}

fn seed(server: &Server, amounts: &[&str]) -> anyhow::Result<()> {
    let mut seed = server.build.command("serasi");
    run::must(seed.arg("seed").args(amounts).env("DATABASE_URL", server.database_url()?))?;
    Ok(())
}

/// Passes keys through the environment, which other users can't read.
fn pass_on(command: &mut Command, server: &Server, names: &[&str]) -> anyhow::Result<()> {
    let settings = server.settings()?;
    for name in names {
        let value = settings.get(*name).with_context(|| format!("`serasi status` names no {name}"))?;
        command.env(name, value);
    }
    Ok(())
}

fn measure(name: &str, database: &str, options: &[String]) -> anyhow::Result<()> {
    run::must(Build::Development.command("bench").args([name, "--database", database]).args(options))?;
    Ok(())
}
