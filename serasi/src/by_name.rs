//! When started through a link with a service's name, this program acts as that service, so that the image
//! has one program instead of five.

use std::path::Path;
use std::process::ExitCode;

use platform::env::Env;

/// `None` under any other name.
pub fn run() -> Option<ExitCode> {
    let path = std::env::args_os().next()?;
    let name = Path::new(&path).file_name()?.to_str()?;
    match name {
        "rest-gateway" | "postgrest" => Some(rest_gateway::standalone::main()),
        "auth-service" => Some(serve(name, auth_service::standalone::run)),
        "storage-service" => Some(serve(name, storage_service::standalone::run)),
        "functions" => Some(serve(name, functions::standalone::run)),
        _ => None,
    }
}

fn serve(name: &str, service: impl AsyncFnOnce(&Env) -> anyhow::Result<()>) -> ExitCode {
    let run = || {
        let env = Env::from_process()?;
        platform::memory::runtime()?.block_on(service(&env))
    };
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{name}: {error:#}");
            ExitCode::FAILURE
        }
    }
}
