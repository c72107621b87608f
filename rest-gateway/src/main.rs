//! Runs the gateway standalone, with PostgREST's command line, configuration file and environment variables.

use std::process::ExitCode;

use platform::env::Env;

/// Returns memory to the system after a burst of requests.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    match Env::from_process() {
        Ok(env) => rest_gateway::standalone::run(std::env::args_os(), env),
        Err(error) => {
            eprintln!("rest-gateway: {error}");
            ExitCode::FAILURE
        }
    }
}
