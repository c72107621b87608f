//! Runs the storage service on its own, as in a container. `HOST` (127.0.0.1) and `PORT` (5000) set its
//! address; `ADMIN_PORT` serves `/live`, `/ready` and `/metrics` to operators.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use platform::admin::AdminPort;
use platform::env::Env;
use platform::http::listening::{self, Purpose};
use platform::http::server::{Limits, serve, stop_signal};

use crate::Config;

const DEFAULT_PORT: u16 = 5000;

/// Serves until a stop signal.
///
/// # Errors
/// Fails when a setting is invalid or an address is in use.
pub async fn run(env: &Env) -> anyhow::Result<()> {
    let _log = platform::telemetry::start(env)?;
    let limits = Limits::from_env(env)?;
    platform::telemetry::install_metrics();
    let host = env.parse_or("HOST", IpAddr::V4(Ipv4Addr::LOCALHOST))?;
    let port = env.parse_or("PORT", DEFAULT_PORT)?;
    let storage = Arc::new(crate::start(Config::from_env(env)?).await?);
    let admin = AdminPort::open(env, host).await?;
    let listener = listening::open(env, Purpose::Requests, host, port).await?;
    // Until the database is available, requests get a 503.
    let database = async { Ok(storage.wait_for_database().await?) };
    let serving = async { Ok(serve(listener, storage.router(), limits.clone(), stop_signal()).await?) };
    let admin = async { anyhow::Ok(admin.serve(|| storage.admin_router(), &limits, stop_signal()).await?) };
    tokio::try_join!(serving, admin, database)?;
    Ok(())
}
