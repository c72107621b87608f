//! Runs the auth service on its own. `HOST` (127.0.0.1) and `PORT` (9999) set its address; `ADMIN_PORT`
//! serves `/metrics`, `/live` and `/ready` to operators.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use anyhow::Context;
use platform::admin::AdminPort;
use platform::env::Env;
use platform::http::listening::{self, Purpose};
use platform::http::server::{Limits, serve, stop_signal};

use crate::app;
use crate::background::Background;
use crate::config::Config;

/// Serves until a stop signal.
///
/// # Errors
/// Fails when a setting is invalid or an address is in use.
pub async fn run(env: &Env) -> anyhow::Result<()> {
    let _log = platform::telemetry::start(env)?;
    let limits = Limits::from_env(env)?;
    platform::telemetry::install_metrics();
    let address = (env.parse_or("HOST", IpAddr::V4(Ipv4Addr::LOCALHOST))?, env.parse_or("PORT", 9999_u16)?);
    let config = Config::from_env(env)?;
    let auth = Arc::new(app::start(config.clone()).await?);
    let background = Background::start(&config, None)?;
    let listener = listening::open(env, Purpose::Requests, address.0, address.1)
        .await
        .with_context(|| format!("{}:{}", address.0, address.1))?;
    let admin = AdminPort::open(env, address.0).await?;
    // Until the database is available, requests get a 503.
    let database = async { Ok(auth.wait_for_database().await?) };
    let serving = async { Ok(serve(listener, auth.router(), limits.clone(), stop_signal()).await?) };
    let admin = async { anyhow::Ok(admin.serve(|| auth.admin_router(), &limits, stop_signal()).await?) };
    tokio::try_join!(serving, admin, database)?;
    background.stop().await;
    Ok(())
}
