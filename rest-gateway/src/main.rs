//! Runs the gateway standalone, with PostgREST's command line, configuration file and environment variables.

use std::process::ExitCode;

/// Returns memory to the system after a burst of requests.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    rest_gateway::standalone::main()
}
