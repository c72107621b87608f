//! Serves the auth service alone. `HOST` (127.0.0.1) and `PORT` (9999) say where.

use std::net::{IpAddr, Ipv4Addr};

use anyhow::Context;
use auth_service::app::app;
use auth_service::config::Config;
use auth_service::mail::{Mail, WithoutSmtp};
use platform::env::Env;
use platform::http::server;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let env = Env::from_process();
    platform::telemetry::start(&env)?;
    let address = (env.parse_or("HOST", IpAddr::V4(Ipv4Addr::LOCALHOST))?, env.parse_or("PORT", 9999_u16)?);
    let config = Config::from_env(&env)?;
    let app = app(config.clone()).await?;
    let mail = Mail::start(&config, WithoutSmtp::Wait)?;
    let listener = tokio::net::TcpListener::bind(address)
        .await
        .with_context(|| format!("{}:{}", address.0, address.1))?;
    server::serve(listener, app, server::stop_signal()).await?;
    mail.stop().await;
    Ok(())
}
