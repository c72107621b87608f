//! `cargo xtask bench`: a real `serasi up` with generated data, and the measurements of `bench/` against it.

mod auth;
mod gateway;
mod web;

use clap::{Args, Subcommand};

use crate::run;
use crate::server::Server;

#[derive(Subcommand)]
pub enum Bench {
    /// Lists, filters and searches in the database, as a visitor and as the tables' owner
    Lists(Lists),
    /// The tables of the admin pages in the database, as an admin and as a superadmin
    Admin(Admin),
    /// Sign-ins against the raw hash rate, and what others notice of a flood of guesses
    Auth(auth::Auth),
    /// What others notice while one client floods the gateway
    Gateway(gateway::Gateway),
    /// Lighthouse, as a phone on a slow network, on home, search and a profile with demo data
    Web(web::Web),
}

#[derive(Args)]
pub struct Lists {
    /// How many influencers to generate
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    influencers: u64,
    /// A database that is already filled, as a superuser's address
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// Passed on to the measurement
    #[arg(last = true)]
    options: Vec<String>,
}

#[derive(Args)]
pub struct Admin {
    /// How many influencers, agencies and vendors to generate, of each
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    accounts: u64,
    /// A database that is already filled, as a superuser's address; staff and a log are added to it
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// Passed on to the measurement
    #[arg(last = true)]
    options: Vec<String>,
}

/// # Errors
/// When the server does not start, the data can't be generated or a limit is broken.
pub fn run(bench: &Bench) -> anyhow::Result<()> {
    match bench {
        Bench::Lists(options) => lists(options),
        Bench::Admin(options) => admin(options),
        Bench::Auth(options) => auth::run(options),
        Bench::Gateway(options) => gateway::run(options),
        Bench::Web(options) => web::run(options),
    }
}

fn lists(options: &Lists) -> anyhow::Result<()> {
    if let Some(database) = &options.database {
        return measure("lists", database, &options.options);
    }
    let server = Server::start(&["--api-only", "--no-demo"])?;
    let database = server.database_url()?;
    let began = std::time::Instant::now();
    let rows = options.influencers.to_string();
    seed(&database, &["--influencers", &rows])?;
    println!("{rows} influencers generated in {} s (limit 180 s for 1,000,000)", began.elapsed().as_secs());
    measure("lists", &database, &options.options)
}

fn admin(options: &Admin) -> anyhow::Result<()> {
    if let Some(database) = &options.database {
        return measure("admin", database, &options.options);
    }
    let server = Server::start(&["--api-only", "--no-demo"])?;
    let database = server.database_url()?;
    let rows = options.accounts.to_string();
    seed(&database, &["--influencers", &rows, "--agencies", &rows, "--vendors", &rows])?;
    measure("admin", &database, &options.options)
}

fn seed(database: &str, amounts: &[&str]) -> anyhow::Result<()> {
    run::must(
        run::command("cargo")
            .args(["run", "--quiet", "--package", "serasi", "--", "seed"])
            .args(amounts)
            .env("DATABASE_URL", database),
    )?;
    Ok(())
}

fn measure(name: &str, database: &str, options: &[String]) -> anyhow::Result<()> {
    run::must(
        run::command("cargo")
            .args(["run", "--quiet", "--package", "bench", "--", name, "--database", database])
            .args(options),
    )?;
    Ok(())
}
