//! Serves requests until the process is asked to stop.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use futures::future::try_join;
use platform::env::Env;
use platform::http::server::{Limits, stop_signal};
use platform::telemetry::{self, StandardOutput};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tokio::time::timeout;

use super::listen;
use super::version;
use crate::app::{Gateway, start};
use crate::config::Config;
use crate::config::server::STATUS_LOG;
use crate::state::health::Endpoint;

/// How long the listener waits for the schema cache.
const FIRST_LOAD: Duration = Duration::from_secs(5);

pub async fn run(config: Config, env: Env) -> anyhow::Result<()> {
    let env = with_log_filter(env, &config);
    let _log = telemetry::start(&env)?;
    let limits = Limits::from_env(&env)?;
    tracing::info!(target: STATUS_LOG, "Starting PostgREST {}...", version());
    log_startup(&config);
    // Install the recorder before the gateway starts, because the gateway keeps handles of its metrics.
    let metrics = telemetry::metrics();
    let settings = config.server.clone();
    let admin =
        listen::open(settings.admin_unix_socket.as_ref(), &settings.admin_host, settings.admin_port, false)
            .await?;
    let gateway = start(config).await?;
    gateway.health().set_endpoint(Endpoint::Closed);
    let reloads = tokio::spawn(reload_on_signals(gateway.clone())?);
    let stopped = stop_channel(&gateway);
    let stop_requested = || {
        let mut stopped = stopped.clone();
        async move { drop(stopped.wait_for(|stopped| *stopped).await) }
    };

    let api_server = async {
        tokio::select! {
            () = wait_for_schema(&gateway, settings.reuse_port) => {}
            () = stop_requested() => return Ok(()),
        }
        let (socket, host) = (settings.unix_socket.as_ref(), &settings.host);
        let Some(listener) = listen::open(socket, host, Some(settings.port), settings.reuse_port).await?
        else {
            return Ok(());
        };
        gateway.health().set_endpoint(listener.endpoint());
        tracing::info!(target: STATUS_LOG, "API server listening on {}", listener.describe());
        let output = StandardOutput::start();
        let app = gateway.logged_router(Arc::new(move |line: &str| output.write(line)));
        listener.serve(app, limits.clone(), stop_requested()).await.map_err(anyhow::Error::from)
    };
    let admin_server = async {
        let Some(listener) = admin else { return Ok(()) };
        tracing::info!(target: STATUS_LOG, "Admin server listening on {}", listener.describe());
        let app = gateway.admin_router().merge(gateway.with_pool_metrics(metrics));
        listener.serve(app, limits.for_operators(), stop_requested()).await.map_err(anyhow::Error::from)
    };
    let served = try_join(api_server, admin_server).await;
    reloads.abort();
    gateway.stop();
    served?;
    anyhow::ensure!(!gateway.health().has_given_up(), "the connection to the database was lost");
    Ok(())
}

/// Sets `RUST_LOG` according to PostgREST's log level, unless it is set already.
fn with_log_filter(env: Env, config: &Config) -> Env {
    let filter = format!("{},{STATUS_LOG}=info", config.server.log_level.filter());
    if env.optional("RUST_LOG").is_some() { env } else { env.with("RUST_LOG", filter) }
}

/// Waits briefly for the schema cache, so that the first requests don't get 503. While the database is down, clients
/// should get that 503. On a shared port another instance answers, so the wait is unlimited.
async fn wait_for_schema(gateway: &Gateway, shares_port: bool) {
    if shares_port {
        gateway.loaded().await;
    } else {
        let _ = timeout(FIRST_LOAD, gateway.loaded()).await;
    }
}

/// Becomes `true` on a stop signal, or when the database is lost and recovery is disabled.
fn stop_channel(gateway: &Gateway) -> watch::Receiver<bool> {
    let (stopping, stopped) = watch::channel(false);
    let health = gateway.health().clone();
    tokio::spawn(async move {
        tokio::select! {
            () = stop_signal() => {}
            () = health.given_up() => {}
        }
        let _ = stopping.send(true);
    });
    stopped
}

/// As in PostgREST, SIGUSR1 reloads the schema cache and SIGUSR2 the configuration.
fn reload_on_signals(gateway: Gateway) -> anyhow::Result<impl Future<Output = ()>> {
    let mut schema = signal(SignalKind::user_defined1()).context("SIGUSR1")?;
    let mut config = signal(SignalKind::user_defined2()).context("SIGUSR2")?;
    Ok(async move {
        loop {
            tokio::select! {
                Some(()) = schema.recv() => gateway.reload_schema(),
                Some(()) = config.recv() => gateway.reload_config(),
                else => return,
            }
        }
    })
}

fn log_startup(config: &Config) {
    for name in &config.ignored {
        tracing::warn!(name, "ignoring an unknown setting");
    }
    let claim = &config.jwt.role_claim;
    if claim.is_legacy() {
        tracing::warn!(target: STATUS_LOG, "WARNING: The config `jwt-role-claim-key={claim}` is using the deprecated JSPath syntax.");
    }
    let size = config.database.pool_size;
    tracing::info!(target: STATUS_LOG, "Connection Pool initialized with a maximum size of {size} connections");
}
