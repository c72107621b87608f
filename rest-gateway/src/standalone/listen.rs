//! Opens ports and sockets.

use std::io;
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use anyhow::Context;
use axum::Router;
use platform::http::server::{self, Limits};
use tokio::net::{TcpListener, TcpSocket, UnixListener, lookup_host};

use crate::config::server::{Host, UnixSocket};
use crate::state::health::Endpoint;

/// The number of connections that may wait to be accepted. The system's limit may be lower.
const BACKLOG: u32 = 4096;

pub enum Listener {
    Port(TcpListener),
    Socket(UnixListener, UnixSocket),
}

/// A socket takes precedence. Returns `None` when there is neither.
pub async fn open(
    socket: Option<&UnixSocket>,
    host: &Host,
    port: Option<u16>,
    reuse_port: bool,
) -> anyhow::Result<Option<Listener>> {
    if let Some(socket) = socket {
        let problem = || format!("{} can't be created", socket.path.display());
        let listener = open_socket(socket).with_context(problem)?;
        return Ok(Some(Listener::Socket(listener, socket.clone())));
    }
    let Some(port) = port else { return Ok(None) };
    let opened = open_port(host, port, reuse_port).await;
    opened.map(Listener::Port).map(Some).with_context(|| format!("{}:{port} can't be bound", host.address()))
}

async fn open_port(host: &Host, port: u16, reuse_port: bool) -> io::Result<TcpListener> {
    let mut failure = io::Error::from(io::ErrorKind::AddrNotAvailable);
    for address in lookup_host((host.address(), port)).await? {
        match bind(address, reuse_port, host.is_only_v6()) {
            Ok(listener) => return Ok(listener),
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

fn bind(address: SocketAddr, reuse_port: bool, only_v6: bool) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_reuseaddr(true)?;
    if reuse_port {
        socket.set_reuseport(true)?;
    }
    if only_v6 {
        socket2::SockRef::from(&socket).set_only_v6(true)?;
    }
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

fn open_socket(socket: &UnixSocket) -> io::Result<UnixListener> {
    // Remove the socket of a process that was killed.
    remove(&socket.path);
    let listener = UnixListener::bind(&socket.path)?;
    std::fs::set_permissions(&socket.path, std::fs::Permissions::from_mode(socket.mode))?;
    Ok(listener)
}

fn remove(path: &Path) {
    let _ = std::fs::remove_file(path);
}

impl Listener {
    pub fn describe(&self) -> String {
        match self {
            Self::Port(listener) => {
                listener.local_addr().map(|address| address.to_string()).unwrap_or_default()
            }
            Self::Socket(_, socket) => socket.path.display().to_string(),
        }
    }

    pub fn endpoint(&self) -> Endpoint {
        match self {
            Self::Port(_) => Endpoint::Port,
            Self::Socket(_, socket) => Endpoint::Socket(socket.path.clone()),
        }
    }

    pub async fn serve(self, app: Router, limits: Limits, stop: impl Future<Output = ()>) -> io::Result<()> {
        match self {
            Self::Port(listener) => server::serve(listener, app, limits, stop).await,
            Self::Socket(listener, socket) => {
                let served = server::serve(listener, app, limits, stop).await;
                remove(&socket.path);
                served
            }
        }
    }
}
