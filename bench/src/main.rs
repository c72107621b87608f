//! Measures a running database; `cargo xtask bench …` prepares one and calls this.

mod admin;
mod auth;
mod faults;
mod flood;
mod fuzz;
mod gateway;
mod lists;
mod machine;
mod reader;
mod report;
mod soak;
mod statistics;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Serasi's measurements.
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Lists, filters and searches in the database, as a visitor and as the tables' owner
    Lists(lists::Options),
    /// The tables of the admin pages in the database, as an admin and as a superadmin
    Admin(admin::Options),
    /// Sign-ins against the raw hash rate, and what others notice of a flood of guesses
    Auth(auth::Options),
    /// Malformed and unusual requests of every kind: nothing may break
    Fuzz(fuzz::Options),
    /// Mixed use at a steady rate: no errors, no growth
    Soak(soak::Options),
    /// What others notice while one client floods the gateway
    Gateway(flood::Options),
    /// Breaks what the product depends on, under load, and says what its clients see
    Faults(faults::Options),
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let kept = match Cli::parse().command {
        Command::Lists(options) => lists::run(&options).await,
        Command::Admin(options) => admin::run(&options).await,
        Command::Auth(options) => auth::run(&options).await,
        Command::Fuzz(options) => fuzz::run(&options).await,
        Command::Soak(options) => soak::run(&options).await,
        Command::Gateway(options) => flood::run(&options).await,
        Command::Faults(options) => faults::run(&options).await,
    };
    match kept {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("bench: {error:#}");
            ExitCode::from(2)
        }
    }
}
