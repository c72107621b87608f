//! Runs the gateway standalone, configured by PostgREST's environment variables.

use std::process::ExitCode;
use std::time::Duration;

use axum::{Router, middleware};
use futures::future::try_join;
use platform::env::Env;
use platform::http::limits;
use platform::http::server::{self, Limits};
use platform::telemetry;
use rest_gateway::{Config, start};
use tokio::net::{TcpListener, UnixListener};
use tokio::time::timeout;

const FIRST_LOAD: Duration = Duration::from_secs(5);

/// Returns memory to the system after a burst of requests.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let runtime = platform::memory::runtime().map_err(anyhow::Error::from);
    match runtime.and_then(|runtime| runtime.block_on(run())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("rest-gateway: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> anyhow::Result<()> {
    let env = Env::from_process();
    let config = Config::from_env(&env)?;
    let named =
        if env.optional("RUST_LOG").is_some() { env } else { env.with("RUST_LOG", config.server.log_level) };
    let _log = telemetry::start(&named)?;
    let limits = Limits::from_env(&named)?;
    let settings = config.server.clone();
    let gateway = start(config).await?;
    let public = async {
        // Wait briefly for the schema cache, so that the first requests don't get a 503. Don't wait
        // forever: while the database is down, clients need that 503.
        let _ = timeout(FIRST_LOAD, gateway.loaded()).await;
        match &settings.unix_socket {
            Some(path) => on_socket(path, gateway.router()).await,
            None => on_port(&settings.host, settings.port, gateway.router(), limits.clone()).await,
        }
    };
    let admin = async {
        match settings.admin_port {
            Some(port) => {
                on_port(&settings.admin_host, port, gateway.admin_router(), limits.for_operators()).await
            }
            None => Ok(()),
        }
    };
    let served = try_join(public, admin).await;
    gateway.stop();
    served.map(|_| ())
}

async fn on_port(host: &str, port: u16, app: Router, limits: Limits) -> anyhow::Result<()> {
    let listener = TcpListener::bind((host, port))
        .await
        .map_err(|error| anyhow::anyhow!("{host}:{port} can't be bound: {error}"))?;
    Ok(server::serve(listener, app, limits, server::stop_signal()).await?)
}

async fn on_socket(path: &str, app: Router) -> anyhow::Result<()> {
    // Remove the socket of a process that was killed.
    let _ = std::fs::remove_file(path);
    let listener =
        UnixListener::bind(path).map_err(|error| anyhow::anyhow!("{path} can't be created: {error}"))?;
    let app = app.layer(middleware::from_fn(limits::bounded));
    Ok(axum::serve(listener, app).with_graceful_shutdown(server::stop_signal()).await?)
}
