//! Runs the storage service on its own, as in a container. `HOST` (127.0.0.1) and `PORT` (5000) set its
//! address; `ADMIN_PORT` serves `/live` and `/ready` to operators.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

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
    let host = env.parse_or("HOST", IpAddr::V4(Ipv4Addr::LOCALHOST))?;
    let port = env.parse_or("PORT", DEFAULT_PORT)?;
    let storage = Arc::new(crate::start(Config::from_env(env)?).await?);
    let admin = match env.parse_or("ADMIN_PORT", 0_u16)? {
        0 => None,
        port => Some(listening::open(env, Purpose::Admin, host, port).await?),
    };
    let admin = async {
        match admin {
            Some(listener) => {
                serve(listener, storage.admin_router(), limits.for_operators(), stop_signal()).await
            }
            None => Ok(()),
        }
    };
    let listener = listening::open(env, Purpose::Requests, host, port).await?;
    // Until the database is available, requests get a 503.
    let database = async { Ok(storage.wait_for_database().await?) };
    let serving = async { Ok(serve(listener, storage.router(), limits.clone(), stop_signal()).await?) };
    let admin = async { anyhow::Ok(admin.await?) };
    tokio::try_join!(serving, admin, database)?;
    Ok(())
}
