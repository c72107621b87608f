//! Measures a running database; `cargo xtask bench …` prepares one and calls this.

mod gateway;
mod lists;
mod machine;
mod reader;
mod report;
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
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let kept = match Cli::parse().command {
        Command::Lists(options) => lists::run(&options).await,
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
