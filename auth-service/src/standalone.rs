//! Runs the auth service on its own, at port 9999.

use std::sync::Arc;

use platform::env::Env;
use platform::standalone::Standalone;

use crate::app;
use crate::background::Background;
use crate::config::Config;

/// Serves until a stop signal.
///
/// # Errors
/// Fails when a setting is invalid or an address is in use.
pub async fn run(env: &Env) -> anyhow::Result<()> {
    let (_log, ports, config) = Standalone::open(env, 9999, || Config::from_env(env)).await?;
    let auth = Arc::new(app::start(config.clone()).await?);
    let background = Background::start(&config, None)?;
    // Until the database is available, requests get a 503.
    let database = async { Ok(auth.wait_for_database().await?) };
    let serving = async { anyhow::Ok(ports.serve(auth.router(), || auth.admin_router()).await?) };
    tokio::try_join!(serving, database)?;
    background.stop().await;
    Ok(())
}
