//! `cargo xtask …`: what developers and CI run.

mod bench;
mod cluster;
mod end_to_end;
mod faults;
mod frontend;
mod fuzz;
mod lint;
mod mutate_policies;
mod policies;
mod report;
mod run;
mod rust;
mod server;
mod soak;
mod test;
mod tidy;
mod tools;
mod types;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Serasi's developer commands.
#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run the tests: all of them, or only the named parts
    Test {
        #[arg(value_enum)]
        parts: Vec<test::Part>,
    },
    /// Check what the compiler can't: who imports whom, file sizes, forbidden words
    Tidy,
    /// Weaken every policy, grant, guard and constraint once: some test must turn red
    MutatePolicies(mutate_policies::Options),
    /// Measure what is promised, against limits, in one run
    #[command(subcommand)]
    Bench(bench::Bench),
    /// Send malformed and unusual requests of every kind to a real server: nothing may break
    Fuzz(fuzz::Fuzz),
    /// Use a real server as people do, for minutes: no errors, no growth
    Soak(soak::Soak),
    /// Break what the product depends on, under load, and hold what clients see against limits
    Faults(faults::Faults),
    /// Write frontend/src/lib/database.types.ts anew from the migrations
    Types,
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Test { parts } => test::run(&parts),
        Command::Tidy => tidy::run(),
        Command::MutatePolicies(options) => mutate_policies::run(&options),
        Command::Bench(bench) => bench::run(&bench),
        Command::Fuzz(options) => fuzz::run(&options),
        Command::Soak(options) => soak::run(&options),
        Command::Faults(options) => faults::run(&options),
        Command::Types => types::write(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
