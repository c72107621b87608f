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
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let path = arguments.first().cloned().unwrap_or_default();
    let name = Path::new(&path).file_name().unwrap_or(path.as_os_str()).to_string_lossy();
    let arguments = match Arguments::parse(arguments) {
        Ok(arguments) => arguments,
        Err(problem) => {
            let _ = problem.print();
            return if problem.use_stderr() { ExitCode::FAILURE } else { ExitCode::SUCCESS };
        }
    };
    let runtime = platform::memory::runtime().map_err(anyhow::Error::from);
    match runtime.and_then(|runtime| runtime.block_on(execute(&name, arguments, env))) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{name}: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Under PostgREST's name, unknown settings are ignored as PostgREST does.
async fn execute(name: &str, arguments: Arguments, env: Env) -> anyhow::Result<ExitCode> {
    let source = Source { env: env.clone(), file: arguments.file, stands_in: name == "postgrest" };
    match arguments.command {
        Command { version: true, .. } => {
            let (name, own) = (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
            print(&format!("PostgREST {POSTGREST_VERSION} ({name} {own})\n"));
        }
        Command { example: true, .. } => print(EXAMPLE),
        Command { ready: true, .. } => return Ok(ready::run(&source).await),
        Command { dump_config: true, .. } => print(&commands::dump_config(read(source)?).await?),
        Command { dump_schema: true, .. } => return commands::dump_schema(read(source)?).await,
        _ => serve::run(read(source)?, env).await?,
    }
    Ok(ExitCode::SUCCESS)
}

fn read(source: Source) -> anyhow::Result<Config> {
    Config::read(source).map_err(|error| anyhow::anyhow!("Error in config {error}"))
}

/// Ignores a closed pipe.
fn print(text: &str) {
    use std::io::Write;
    let _ = std::io::stdout().write_all(text.as_bytes());
}
