//! Runs the gateway standalone, with PostgREST's command line, configuration file and environment variables.

use std::path::Path;
use std::process::ExitCode;

use platform::env::Env;
use rest_gateway::standalone::{self, arguments};

/// Returns memory to the system after a burst of requests.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let mut given = std::env::args_os();
    let called = given.next().unwrap_or_default();
    let name = Path::new(&called).file_name().unwrap_or(called.as_ref()).to_string_lossy().into_owned();
    let arguments = match arguments::Arguments::parse(given) {
        Ok(arguments) => arguments,
        Err(problem) => {
            eprintln!("{problem}\n\n{}", arguments::help());
            return ExitCode::FAILURE;
        }
    };
    let runtime = platform::memory::runtime().map_err(anyhow::Error::from);
    match runtime.and_then(|runtime| runtime.block_on(standalone::run(&name, arguments, Env::from_process())))
    {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{name}: {error}");
            ExitCode::FAILURE
        }
    }
}
