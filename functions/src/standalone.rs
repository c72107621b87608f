//! Runs the functions on their own, at port 9000.

use platform::env::Env;
use platform::standalone::Standalone;

use crate::app;
use crate::background::{Background, BackgroundConfig};
use crate::config::Config;

/// Serves until a stop signal.
///
/// # Errors
/// Fails when a setting is invalid or an address is in use.
pub async fn run(env: &Env) -> anyhow::Result<()> {
    let settings = || Ok((Config::from_env(env)?, BackgroundConfig::from_env(env)?));
    let (_log, ports, (config, background)) = Standalone::open(env, 9000, settings).await?;
    config.check_keys()?;
    let functions = app::start(config)?;
    let background = Background::start(&background, None)?;
    ports.serve(functions.router(), || functions.admin_router()).await?;
    background.stop().await;
    Ok(())
}
