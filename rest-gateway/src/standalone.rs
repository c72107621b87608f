//! The gateway as a program of its own, with PostgREST's command line.

pub mod arguments;
mod commands;
mod listen;
mod ready;
mod serve;

use std::process::ExitCode;

use platform::env::Env;

use crate::config::source::Source;
use crate::config::{Config, POSTGREST_VERSION, example};
use arguments::{Arguments, Command};

/// Runs a command and returns the exit code. Under PostgREST's name, unknown settings are ignored as there.
pub async fn run(name: &str, arguments: Arguments, env: Env) -> anyhow::Result<ExitCode> {
    let mut source = Source::new(env.clone(), arguments.file);
    source.ignores_unknown = name == "postgrest";
    match arguments.command {
        Command::Help => print(&arguments::help()),
        Command::Version => print(&format!("PostgREST {}\n", version())),
        Command::Example => print(example::EXAMPLE),
        Command::Ready => return Ok(ready::run(&source).await),
        Command::DumpConfig => print(&commands::dump_config(read(source)?).await?),
        Command::DumpSchema => return commands::dump_schema(read(source)?).await,
        Command::Serve => serve::run(read(source)?, env).await?,
    }
    Ok(ExitCode::SUCCESS)
}

fn read(source: Source) -> anyhow::Result<Config> {
    Config::read(source).map_err(|error| anyhow::anyhow!("Error in config {error}"))
}

/// PostgREST's version, and ours.
fn version() -> String {
    format!("{POSTGREST_VERSION} ({} {})", env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))
}

/// A reader that has gone away is no error.
fn print(text: &str) {
    use std::io::Write;
    let _ = std::io::stdout().write_all(text.as_bytes());
}
