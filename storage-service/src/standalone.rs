//! Runs the storage service on its own, as in a container, at port 5000.

use std::sync::Arc;

use platform::env::Env;
use platform::standalone::Standalone;

use crate::Config;

/// Serves until a stop signal.
///
/// # Errors
/// Fails when a setting is invalid or an address is in use.
pub async fn run(env: &Env) -> anyhow::Result<()> {
    let (_log, ports, config) = Standalone::open(env, 5000, || Config::from_env(env)).await?;
    let storage = Arc::new(crate::start(config).await?);
    // Until the database is available, requests get a 503.
    let database = async { Ok(storage.wait_for_database().await?) };
    let serving = async { anyhow::Ok(ports.serve(storage.router(), || storage.admin_router()).await?) };
    tokio::try_join!(serving, database)?;
    Ok(())
}
