//! The gateway on its own, with PostgREST's variables.

use platform::env::Env;
use platform::http::server;
use platform::telemetry;
use rest_gateway::{Config, start};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let env = Env::from_process();
    let config = Config::from_env(&env)?;
    telemetry::start(&if env.optional("RUST_LOG").is_some() {
        env
    } else {
        env.with("RUST_LOG", config.server.log_level)
    })?;
    let listener = TcpListener::bind((config.server.host.as_str(), config.server.port)).await?;
    let admin = match config.server.admin_port {
        Some(port) => Some(TcpListener::bind((config.server.admin_host.as_str(), port)).await?),
        None => None,
    };
    let gateway = start(config).await?;
    let admin = async {
        match admin {
            Some(listener) => server::serve(listener, gateway.admin_router(), server::stop_signal()).await,
            None => Ok(()),
        }
    };
    let (served, administered) =
        futures::future::join(server::serve(listener, gateway.router(), server::stop_signal()), admin).await;
    gateway.stop();
    served.and(administered)?;
    Ok(())
}
