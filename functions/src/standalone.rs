//! Runs the functions on their own. `HOST` (127.0.0.1) and `PORT` (9000) set its address;
//! `ADMIN_PORT` serves `/live`, `/ready` and `/metrics` to operators.

use std::net::{IpAddr, Ipv4Addr};

use anyhow::Context;
use platform::admin::AdminPort;
use platform::env::Env;
use platform::http::listening::{self, Purpose};
use platform::http::server::{Limits, serve, stop_signal};

use crate::app;
use crate::background::{Background, BackgroundConfig};
use crate::config::Config;

/// Serves until a stop signal.
///
/// # Errors
/// Fails when a setting is invalid or an address is in use.
pub async fn run(env: &Env) -> anyhow::Result<()> {
    let _log = platform::telemetry::start(env)?;
    let limits = Limits::from_env(env)?;
    let address = (env.parse_or("HOST", IpAddr::V4(Ipv4Addr::LOCALHOST))?, env.parse_or("PORT", 9000_u16)?);
    platform::telemetry::install_metrics();
    let config = Config::from_env(env)?;
    config.check_keys()?;
    let functions = app::start(config)?;
    let background = BackgroundConfig::from_env(env)?;
    let background = Background::start(&background, None)?;
    let listener = listening::open(env, Purpose::Requests, address.0, address.1)
        .await
        .with_context(|| format!("{}:{}", address.0, address.1))?;
    let admin = AdminPort::open(env, address.0).await?;
    tokio::try_join!(
        serve(listener, functions.router(), limits.clone(), stop_signal()),
        admin.serve(|| functions.admin_router(), &limits, stop_signal()),
    )?;
    background.stop().await;
    Ok(())
}
