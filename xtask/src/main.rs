//! `cargo xtask …`: commands for developers and CI.

mod bench;
mod build;
mod cluster;
mod containers;
mod dev;
mod end_to_end;
mod failures;
mod frontend;
mod guide;
mod install;
mod lint;
mod mutate;
mod npm;
mod policies;
mod release;
mod report;
mod run;
mod rust;
mod schema;
mod scratch;
mod server;
mod test;
mod tidy;
mod times;
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
    /// Run the tests: all of them, or only some
    Test(test::Options),
    /// Run everything on one port with hot reload: rebuild, restart and re-apply on change
    Dev(dev::Options),
    /// Check the repository's rules: crate and import boundaries, file sizes, links and commands of documents
    Tidy,
    /// Weaken every policy, grant, guard and constraint once; fails unless a test fails each time
    Mutate(mutate::Options),
    /// Run benchmarks and check their limits
    Bench(bench::Bench),
    /// Send malformed and unusual requests of every kind to a real server; nothing may break
    Fuzz(bench::Options),
    /// Simulate users on a real server for minutes; fails on errors or growing memory
    Soak(bench::Options),
    /// Inject faults under load, and check what clients see against limits
    Faults(bench::Options),
    /// Build the released program: one file that includes the pages, in an archive with checksums and a bill
    /// of materials
    Release(release::Release),
    /// Regenerate frontend/src/lib/database.types.ts from the migrations
    Types,
    /// Rewrite db/schema.snapshot, which tests compare with new and upgraded databases
    Schema,
}

/// Whether these words, from `xtask` on, are a command.
fn parse(words: &[String]) -> Result<(), String> {
    match Cli::try_parse_from(words) {
        Ok(_) => Ok(()),
        Err(error) => Err(error.to_string().lines().next().unwrap_or_default().to_owned()),
    }
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Test(options) => match options.suite() {
            ("containers", []) => containers::run(),
            ("ha", faults) => containers::run_ha(faults),
            ("install", archives) => install::run(archives),
            _ => test::run(&options),
        },
        Command::Dev(options) => dev::run(&options),
        Command::Tidy => tidy::run(),
        Command::Mutate(options) => mutate::run(&options),
        Command::Bench(bench) => bench::run(&bench),
        Command::Fuzz(options) => bench::load("fuzz", &options),
        Command::Soak(options) => bench::load("soak", &options),
        Command::Faults(options) => bench::faults(&options),
        Command::Release(options) => release::run(&options),
        Command::Types => types::write(),
        Command::Schema => schema::write(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
