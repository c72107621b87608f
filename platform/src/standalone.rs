//! Runs a service on its own: `HOST` (127.0.0.1) and `PORT` set its address, `ADMIN_PORT` serves `/live`, `/ready` and
//! `/metrics` to operators.

use std::io;
use std::net::{IpAddr, Ipv4Addr};

use axum::Router;
use tokio::net::TcpListener;

use crate::admin::AdminPort;
use crate::env::{ConfigError, Env};
use crate::http::listening::{self, Purpose};
use crate::http::server::{Limits, serve, stop_signal};
use crate::telemetry::{self, LogGuard};

/// Opened ports.
pub struct Standalone {
    limits: Limits,
    listener: TcpListener,
    admin: AdminPort,
}

impl Standalone {
    /// Starts logging and metrics, and opens the ports. `check` reads the service's settings first. The guard must be
    /// dropped last, after the service's background work.
    ///
    /// # Errors
    /// When a setting is invalid or an address is in use.
    pub async fn open<T>(
        env: &Env,
        default_port: u16,
        check: impl FnOnce() -> Result<T, ConfigError>,
    ) -> io::Result<(LogGuard, Self, T)> {
        let log = telemetry::start(env).map_err(io::Error::other)?;
        telemetry::install_metrics();
        let limits = Limits::from_env(env).map_err(io::Error::other)?;
        let host = env.parse_or("HOST", IpAddr::V4(Ipv4Addr::LOCALHOST)).map_err(io::Error::other)?;
        let port = env.parse_or("PORT", default_port).map_err(io::Error::other)?;
        let checked = check().map_err(io::Error::other)?;
        let listener = listening::open(env, Purpose::Requests, host, port).await;
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{host}:{port}: {error}"));
        let (listener, admin) = (listener.map_err(named)?, AdminPort::open(env, host).await?);
        Ok((log, Self { limits, listener, admin }, checked))
    }

    /// Serves until a stop signal. `admin` is called only if the port for operators is open.
    ///
    /// # Errors
    /// When a listener fails.
    pub async fn serve(self, app: Router, admin: impl FnOnce() -> Router) -> io::Result<()> {
        let Self { limits, listener, admin: admin_port } = self;
        tokio::try_join!(
            serve(listener, app, limits.clone(), stop_signal()),
            admin_port.serve(admin, &limits, stop_signal()),
        )?;
        Ok(())
    }
}
