//! Serves the functions alone. `HOST` (127.0.0.1) and `PORT` (9000) say where.

use std::net::{IpAddr, Ipv4Addr};

use anyhow::Context;
use functions::{app::app, config::Config};
use platform::env::Env;
use platform::http::server;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let env = Env::from_process();
    platform::telemetry::start(&env)?;
    let address = (env.parse_or("HOST", IpAddr::V4(Ipv4Addr::LOCALHOST))?, env.parse_or("PORT", 9000_u16)?);
    let app = app(Config::from_env(&env)?).await?;
    let listener = tokio::net::TcpListener::bind(address)
        .await
        .with_context(|| format!("{}:{}", address.0, address.1))?;
    server::serve(listener, app, server::stop_signal()).await?;
    Ok(())
}
