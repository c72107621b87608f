//! The storage service alone, as a container runs it.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use platform::env::Env;
use platform::http::server::{serve, stop_signal};
use storage_service::Config;
use tokio::net::TcpListener;

const DEFAULT_PORT: u16 = 5000;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let env = Env::from_process();
    platform::telemetry::start(&env)?;
    let host = env.parse_or("HOST", IpAddr::V4(Ipv4Addr::LOCALHOST))?;
    let address = SocketAddr::new(host, env.parse_or("PORT", DEFAULT_PORT)?);
    let storage = storage_service::start(Config::from_env(&env)?).await?;
    Ok(serve(TcpListener::bind(address).await?, storage.router(), stop_signal()).await?)
}
