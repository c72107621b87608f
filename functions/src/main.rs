//! Runs the functions on their own. `HOST` (127.0.0.1) and `PORT` (9000) set its address;
//! `ADMIN_PORT` serves `/live`, `/ready` and `/metrics` to operators.

use std::net::{IpAddr, Ipv4Addr};

use anyhow::Context;
use functions::{app, config::Config};
use platform::admin::AdminPort;
use platform::env::Env;
use platform::http::listening::{self, Purpose};
use platform::http::server::{Limits, serve, stop_signal};

/// Returns memory to the system after a burst of requests.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> anyhow::Result<()> {
    platform::memory::runtime()?.block_on(run())
}

async fn run() -> anyhow::Result<()> {
    let env = Env::from_process();
    let _log = platform::telemetry::start(&env)?;
    let limits = Limits::from_env(&env)?;
    let address = (env.parse_or("HOST", IpAddr::V4(Ipv4Addr::LOCALHOST))?, env.parse_or("PORT", 9000_u16)?);
    platform::telemetry::install_metrics();
    let functions = app::start(Config::from_env(&env)?)?;
    let listener = listening::open(&env, Purpose::Requests, address.0, address.1)
        .await
        .with_context(|| format!("{}:{}", address.0, address.1))?;
    let admin = AdminPort::open(&env, address.0).await?;
    tokio::try_join!(
        serve(listener, functions.router(), limits.clone(), stop_signal()),
        admin.serve(|| functions.admin_router(), &limits, stop_signal()),
    )?;
    Ok(())
}
