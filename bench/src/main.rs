//! Runs measurements against a running product. `cargo xtask bench …` prepares one and calls this program.

mod auth;
mod faults;
mod flood;
mod fuzz;
mod ha;
mod machine;
mod open_loop;
mod product;
mod queries;
mod report;
mod soak;
mod speed;
mod storage;
mod wrk;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Serasi's benchmarks
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Database queries of the lists on the screens
    Queries(queries::Options),
    /// Sign-ins compared with the raw hash rate, and how a flood of password guesses affects others
    Auth(auth::Options),
    /// Malformed and unusual requests of every kind; nothing may break
    Fuzz(fuzz::Options),
    /// Simulated users at a steady rate; fails on errors or growth
    Soak(soak::Options),
    /// How one client's flood of requests affects other clients
    Flood(flood::Options),
    /// Speed of the gateway compared with pgbench
    Gateway(speed::Options),
    /// Speed of the image storage compared with nginx, with copying files and with the image library
    Storage(storage::Options),
    /// Inject faults under load, and report what clients see
    Faults(faults::Options),
    /// Inject faults into a running highly available deployment
    Ha(ha::Options),
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let within_limits = match Cli::parse().command {
        Command::Queries(options) => queries::run(&options).await,
        Command::Auth(options) => auth::run(&options).await,
        Command::Fuzz(options) => fuzz::run(&options).await,
        Command::Soak(options) => soak::run(&options).await,
        Command::Flood(options) => flood::run(&options).await,
        Command::Gateway(options) => speed::run(&options).await,
        Command::Storage(options) => storage::run(&options).await,
        Command::Faults(options) => faults::run(&options).await,
        Command::Ha(options) => ha::run(&options).await,
    };
    match within_limits {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("bench: {error:#}");
            ExitCode::from(2)
        }
    }
}
