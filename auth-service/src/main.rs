//! Serves the auth service alone. `HOST` (127.0.0.1) and `PORT` (9999) say where, and `ADMIN_PORT` where operators
//! find `/metrics`.

use std::net::{IpAddr, Ipv4Addr};

use anyhow::Context;
use auth_service::app::app;
use auth_service::config::Config;
use auth_service::mail::{Mail, WithoutSmtp};
use platform::env::Env;
use platform::http::server::{Limits, serve, stop_signal};
use tokio::net::TcpListener;

/// Gives memory back to the system after a burst of requests.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let env = Env::from_process();
    let _log = platform::telemetry::start(&env)?;
    let limits = Limits::from_env(&env)?;
    let metrics = platform::telemetry::metrics();
    let address = (env.parse_or("HOST", IpAddr::V4(Ipv4Addr::LOCALHOST))?, env.parse_or("PORT", 9999_u16)?);
    let config = Config::from_env(&env)?;
    let app = app(config.clone()).await?;
    let mail = Mail::start(&config, WithoutSmtp::Wait)?;
    let listener = listen(address).await?;
    let admin = match env.parse_or("ADMIN_PORT", 0_u16)? {
        0 => None,
        port => {
            let listener = listen((address.0, port)).await?;
            Some(serve(listener, metrics, limits.for_operators(), stop_signal()))
        }
    };
    let admin = async {
        match admin {
            Some(admin) => admin.await,
            None => Ok(()),
        }
    };
    tokio::try_join!(serve(listener, app, limits, stop_signal()), admin)?;
    mail.stop().await;
    Ok(())
}

async fn listen(address: (IpAddr, u16)) -> anyhow::Result<TcpListener> {
    TcpListener::bind(address).await.with_context(|| format!("{}:{}", address.0, address.1))
}
