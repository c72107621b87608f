//! The gateway as a standalone program with PostgREST's command line.

mod arguments;
mod commands;
mod exposition;
mod listen;
mod log_format;
mod ready;
mod serve;

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

use platform::env::Env;

use crate::config::load::CANCEL_ABANDONED;
use crate::config::settings::EXAMPLE;
use crate::config::{Config, POSTGREST_VERSION, Source};
use arguments::{Arguments, Command};

/// Runs with the arguments and the variables of this process.
#[must_use]
pub fn main() -> ExitCode {
    match Env::from_process() {
        Ok(env) => run(std::env::args_os(), env),
        Err(error) => {
            eprintln!("rest-gateway: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the command in the arguments, which begin with the program's name. Prints errors to standard error.
pub fn run(arguments: impl IntoIterator<Item = OsString>, env: Env) -> ExitCode {
    let mut arguments = arguments.into_iter();
    let path = arguments.next().unwrap_or_default();
    let name = Path::new(&path).file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let arguments = match Arguments::parse(arguments) {
        Ok(arguments) => arguments,
        Err(problem) => {
            eprintln!("{problem}\n\n{}", arguments::help());
            return ExitCode::FAILURE;
        }
    };
    let runtime = platform::memory::runtime().map_err(anyhow::Error::from);
    match runtime.and_then(|runtime| runtime.block_on(execute(&name, arguments, env))) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{name}: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Under PostgREST's name, unknown settings are ignored as PostgREST does.
async fn execute(name: &str, arguments: Arguments, env: Env) -> anyhow::Result<ExitCode> {
    let stands_in = name == "postgrest";
    // PostgREST does not notice when a client disconnects.
    let env = if stands_in && env.optional(CANCEL_ABANDONED).is_none() {
        env.with(CANCEL_ABANDONED, "false")
    } else {
        env
    };
    let source = Source { env: env.clone(), file: arguments.file, ignores_unknown: stands_in };
    match arguments.command {
        Command::Help => print(&arguments::help()),
        Command::Version => print(&format!("PostgREST {}\n", version())),
        Command::Example => print(EXAMPLE),
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

/// PostgREST's version and the gateway's own.
fn version() -> String {
    format!("{POSTGREST_VERSION} ({} {})", env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))
}

/// Ignores a closed pipe.
fn print(text: &str) {
    use std::io::Write;
    let _ = std::io::stdout().write_all(text.as_bytes());
}
