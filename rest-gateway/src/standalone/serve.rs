//! Serves requests until the process is asked to stop.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use futures::future::try_join;
use platform::env::Env;
use platform::http::listening::{self, Purpose};
use platform::http::server::Limits;
use platform::telemetry;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tokio::time::timeout;

use super::listen::Listener;
use super::log_format::LogFormat;
use super::{exposition, listen};
use crate::app::{Gateway, start};
use crate::config::server::{LogLevel, STATUS_LOG, ServerConfig};
use crate::config::{Config, POSTGREST_VERSION};
use crate::state::health::Endpoint;
use crate::state::reload_requests::Reload;

/// How long the listener waits for the schema cache.
const FIRST_LOAD: Duration = Duration::from_secs(5);

pub async fn run(config: Config, env: Env) -> anyhow::Result<()> {
    let env = with_log_filter(env, &config);
    let (_log, output) = telemetry::start_with_output(&env, LogFormat)?;
    let limits = Limits::from_env(&env)?;
    let size = config.database.pool_size;
    tracing::info!(target: STATUS_LOG, "Starting PostgREST {POSTGREST_VERSION}...");
    tracing::info!(target: STATUS_LOG, "Connection Pool initialized with a maximum size of {size} connections");
    // Install the recorder before the gateway starts, because the gateway keeps handles of its metrics.
    telemetry::install_metrics();
    let (settings, ignored) = (config.server.clone(), config.ignored.clone());
    let (socket, host) = (settings.admin_unix_socket.as_ref(), &settings.admin_host);
    let admin = match listening::passed(&env, Purpose::Admin)? {
        Some(passed) => Some(Listener::Port(passed)),
        None => listen::open(socket, host, settings.admin_port, false).await?,
    };
    let passed = listening::passed(&env, Purpose::Requests)?;
    if let Some(listener) = &admin {
        tracing::info!(target: STATUS_LOG, "Admin server listening on {}", listener.describe());
    }
    let gateway = start(config).await?;
    gateway.0.health.update(|now| now.endpoint = Endpoint::Closed);
    let stopped = watch_signals(&gateway)?;
    let app = gateway.logged_router(Arc::new(move |line: &str| output.write(line)));
    let api_server = async {
        let Some(listener) = open_api(&gateway, &settings, &ignored, passed, stopped.clone()).await? else {
            return Ok(());
        };
        listener.serve(app, limits.clone(), requested(stopped.clone())).await.map_err(anyhow::Error::from)
    };
    let admin_server = async {
        let Some(listener) = admin else { return Ok(()) };
        let observed = gateway.clone();
        let metrics = exposition::like_postgrest(telemetry::metrics(move || observed.observe()));
        let app = gateway.admin_router().merge(metrics);
        let limits = limits.for_operators();
        listener.serve(app, limits, requested(stopped.clone())).await.map_err(anyhow::Error::from)
    };
    let served = try_join(api_server, admin_server).await;
    gateway.stop();
    served?;
    anyhow::ensure!(!gateway.0.health.is(|now| now.has_given_up), "the connection to the database was lost");
    Ok(())
}

/// Opens the port or socket for requests. Returns `None` when the process is asked to stop before.
async fn open_api(
    gateway: &Gateway,
    settings: &ServerConfig,
    ignored: &[String],
    passed: Option<TcpListener>,
    stopped: watch::Receiver<bool>,
) -> anyhow::Result<Option<Listener>> {
    tokio::select! {
        () = wait_for_schema(gateway, settings.reuse_port) => {}
        () = requested(stopped) => return Ok(None),
    }
    let (socket, host) = (settings.unix_socket.as_ref(), &settings.host);
    let listener = match passed {
        Some(passed) => Some(Listener::Port(passed)),
        None => listen::open(socket, host, Some(settings.port), settings.reuse_port).await?,
    };
    if let Some(listener) = &listener {
        tracing::info!(target: STATUS_LOG, "API server listening on {}", listener.describe());
        for name in ignored {
            tracing::warn!(name, "ignoring an unknown setting");
        }
        gateway.0.health.update(|now| now.endpoint = listener.endpoint());
    }
    Ok(listener)
}

async fn requested(mut stopped: watch::Receiver<bool>) {
    // The sender is dropped only after it has sent.
    drop(stopped.wait_for(|stopped| *stopped).await);
}

/// Sets `RUST_LOG` according to PostgREST's log level, unless it is set already.
fn with_log_filter(env: Env, config: &Config) -> Env {
    let level = config.server.log_level;
    let status = if level == LogLevel::Debug { "debug" } else { "info" };
    let filter = format!("{},{STATUS_LOG}={status}", level.filter());
    if env.optional("RUST_LOG").is_some() { env } else { env.with("RUST_LOG", filter) }
}

/// Waits briefly for the schema cache, so that the first requests don't get 503. While the database is down or the schema
/// can't be read, clients should get that 503. On a shared port another instance answers, so the wait is unlimited.
async fn wait_for_schema(gateway: &Gateway, shares_port: bool) {
    if shares_port {
        gateway.loaded().await;
    } else {
        let _ = timeout(FIRST_LOAD, gateway.0.health.wait_until(|now| now.has_attempted)).await;
    }
}

/// As in PostgREST, SIGUSR1 reloads the schema cache and SIGUSR2 the configuration. Returns what becomes `true` on a stop
/// signal, or when the database is lost and recovery is disabled.
fn watch_signals(gateway: &Gateway) -> anyhow::Result<watch::Receiver<bool>> {
    let (stopping, stopped) = watch::channel(false);
    let mut terminate = signal(SignalKind::terminate()).context("SIGTERM")?;
    let mut interrupt = signal(SignalKind::interrupt()).context("SIGINT")?;
    let mut schema = signal(SignalKind::user_defined1()).context("SIGUSR1")?;
    let mut config = signal(SignalKind::user_defined2()).context("SIGUSR2")?;
    let (health, reloads) = (gateway.0.health.clone(), gateway.0.reloads.clone());
    tokio::spawn(async move {
        let name = loop {
            tokio::select! {
                _ = terminate.recv() => break Some("SIGTERM"),
                _ = interrupt.recv() => break Some("SIGINT"),
                () = health.wait_until(|now| now.has_given_up) => break None,
                _ = schema.recv() => reloads.add(Reload::SCHEMA),
                _ = config.recv() => reloads.add(Reload::CONFIG),
            }
        };
        if let Some(name) = name {
            tracing::info!(target: STATUS_LOG, "Received termination unix signal {name}");
        }
        let _ = stopping.send(true);
    });
    Ok(stopped)
}
