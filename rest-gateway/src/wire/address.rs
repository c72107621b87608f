//! The server's address, and how to cancel a statement.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use socket2::{SockRef, TcpKeepalive};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_postgres::{CancelToken, Config, NoTls};

use super::socket::Socket;
use super::tls;
use crate::config::connection::ConnectionConfig;
use crate::config::tls::TlsMode;

#[derive(Clone)]
pub enum Address {
    /// The address with the host's name.
    Tcp(SocketAddr, String),
    Unix(PathBuf),
}

/// Cancels the statement that a connection runs, over a new connection.
#[derive(Clone)]
pub struct Canceler {
    pub token: CancelToken,
    pub address: Address,
    pub config: ConnectionConfig,
}

impl Canceler {
    /// # Errors
    /// When the server can't be reached.
    pub async fn cancel(self) -> io::Result<()> {
        let socket = self.address.connect(&self.config).await?;
        self.token.cancel_query_raw(socket, NoTls).await.map_err(io::Error::other)
    }
}

impl Address {
    /// # Errors
    /// When the server can't be reached in time.
    pub async fn connect(&self, config: &ConnectionConfig) -> io::Result<Socket> {
        let connecting = async {
            match self {
                Self::Tcp(address, host) => {
                    let stream = TcpStream::connect(address).await?;
                    stream.set_nodelay(true)?;
                    detect_dead_peers(&stream, &config.server)?;
                    if config.tls.mode == TlsMode::Disable {
                        return Ok(Box::new(stream) as Socket);
                    }
                    tls::encrypt(stream, host, &config.tls).await
                }
                Self::Unix(path) => Ok(Box::new(tokio::net::UnixStream::connect(path).await?) as Socket),
            }
        };
        let limit = config.server.get_connect_timeout().copied().unwrap_or(Duration::MAX);
        timeout(limit, connecting)
            .await
            .unwrap_or_else(|_| Err(io::Error::new(io::ErrorKind::TimedOut, "connection timed out")))
    }
}

fn detect_dead_peers(stream: &TcpStream, config: &Config) -> io::Result<()> {
    let socket = SockRef::from(stream);
    #[cfg(target_os = "linux")]
    if let Some(limit) = config.get_tcp_user_timeout() {
        socket.set_tcp_user_timeout(Some(*limit))?;
    }
    if !config.get_keepalives() {
        return Ok(());
    }
    let mut keepalive = TcpKeepalive::new().with_time(config.get_keepalives_idle());
    if let Some(interval) = config.get_keepalives_interval() {
        keepalive = keepalive.with_interval(interval);
    }
    if let Some(retries) = config.get_keepalives_retries() {
        keepalive = keepalive.with_retries(retries);
    }
    socket.set_tcp_keepalive(&keepalive)
}
