//! Runs the auth service on its own. `HOST` (127.0.0.1) and `PORT` (9999) set its address; `ADMIN_PORT`
//! serves `/metrics`, `/live` and `/ready` to operators.

use std::net::{IpAddr, Ipv4Addr};

use anyhow::Context;
use platform::env::Env;
use platform::http::listening::{self, Purpose};
use platform::http::server::{Limits, serve, stop_signal};
use tokio::net::TcpListener;

use crate::app;
use crate::config::Config;
use crate::mail::{Mail, WithoutSmtp};

/// Serves until a stop signal.
///
/// # Errors
/// Fails when a setting is invalid or an address is in use.
pub async fn run(env: &Env) -> anyhow::Result<()> {
    let _log = platform::telemetry::start(env)?;
    let limits = Limits::from_env(env)?;
    let metrics = platform::telemetry::metrics();
    let address = (env.parse_or("HOST", IpAddr::V4(Ipv4Addr::LOCALHOST))?, env.parse_or("PORT", 9999_u16)?);
    let config = Config::from_env(env)?;
    let auth = app::start(config.clone()).await?;
    let mail = Mail::start(&config, WithoutSmtp::Wait)?;
    let listener = listen(env, Purpose::Requests, address).await?;
    let admin = match env.parse_or("ADMIN_PORT", 0_u16)? {
        0 => None,
        port => {
            let listener = listen(env, Purpose::Admin, (address.0, port)).await?;
            let app = metrics.merge(auth.admin_router());
            Some(serve(listener, app, limits.for_operators(), stop_signal()))
        }
    };
    let admin = async {
        match admin {
            Some(admin) => admin.await,
            None => Ok(()),
        }
    };
    // Until the database is available, requests get a 503.
    let database = async { Ok(auth.wait_for_database().await?) };
    let serving = async { Ok(serve(listener, auth.router(), limits, stop_signal()).await?) };
    let admin = async { anyhow::Ok(admin.await?) };
    tokio::try_join!(serving, admin, database)?;
    mail.stop().await;
    Ok(())
}

async fn listen(env: &Env, purpose: Purpose, address: (IpAddr, u16)) -> anyhow::Result<TcpListener> {
    let opened = listening::open(env, purpose, address.0, address.1).await;
    opened.with_context(|| format!("{}:{}", address.0, address.1))
}
