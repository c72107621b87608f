//! Opens connections and authenticates.

use std::io;

use rand::seq::SliceRandom;
use tokio::net::lookup_host;
use tokio_postgres::config::{Host, LoadBalanceHosts, TargetSessionAttrs};
use tokio_postgres::{Config, NoTls};

use super::address::{Address, Canceler};
use super::connection::Connection;
use super::error::WireError;
use super::socket::SharedSocket;
use crate::outage::means_outage;

const DEFAULT_PORT: u16 = 5432;

/// A connection can't be opened.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    #[error("{0}")]
    Socket(#[from] io::Error),
    /// The server rejected the login, or is not PostgreSQL.
    #[error("{0}")]
    Login(#[from] tokio_postgres::Error),
    #[error("{0}")]
    Session(#[from] WireError),
}

impl ConnectError {
    /// Whether the server is starting up, shutting down or unreachable.
    pub fn means_outage(&self) -> bool {
        match self {
            Self::Socket(_) | Self::Session(_) => true,
            Self::Login(error) => means_outage(error),
        }
    }
}

/// Tries the hosts of the connection string one after another.
///
/// # Errors
/// The last host's error.
pub async fn open(config: &Config) -> Result<Connection, ConnectError> {
    let mut addresses = addresses(config).await?;
    if config.get_load_balance_hosts() == LoadBalanceHosts::Random {
        addresses.shuffle(&mut rand::rng());
    }
    let mut failure = io::Error::new(io::ErrorKind::NotFound, "the connection string names no host").into();
    for address in addresses {
        match open_at(&address, config).await {
            Ok(connection) => return Ok(connection),
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

async fn addresses(config: &Config) -> io::Result<Vec<Address>> {
    let (hosts, ports) = (config.get_hosts(), config.get_ports());
    let count = hosts.len().max(config.get_hostaddrs().len());
    let mut found = Vec::new();
    let mut failure = None;
    for index in 0..count {
        let port = ports.get(index).or(ports.first()).copied().unwrap_or(DEFAULT_PORT);
        if let Some(address) = config.get_hostaddrs().get(index) {
            found.push(Address::Tcp((*address, port).into()));
            continue;
        }
        let Some(host) = hosts.get(index) else { continue };
        match host {
            Host::Tcp(name) => match lookup_host((name.as_str(), port)).await {
                Ok(resolved) => found.extend(resolved.map(Address::Tcp)),
                Err(error) => failure = Some(error),
            },
            #[cfg(unix)]
            Host::Unix(folder) => found.push(Address::Unix(folder.join(format!(".s.PGSQL.{port}")))),
        }
    }
    match failure {
        Some(error) if found.is_empty() => Err(error),
        _ => Ok(found),
    }
}

async fn open_at(address: &Address, config: &Config) -> Result<Connection, ConnectError> {
    let shared = SharedSocket::new(address.connect(config).await?);
    let (client, driver) = config.connect_raw(shared.clone(), NoTls).await?;
    let token = client.cancel_token();
    // They have buffered no bytes, because the server sends nothing on its own.
    drop((client, driver));
    let socket = shared.into_inner().ok_or(WireError::Closed)?;
    let canceler = Canceler::new(token, address.clone(), config.clone());
    let mut connection = Connection::new(socket, canceler);
    check_session(&mut connection, config.get_target_session_attrs()).await?;
    Ok(connection)
}

async fn check_session(connection: &mut Connection, wanted: TargetSessionAttrs) -> Result<(), ConnectError> {
    let (unwanted, problem) = match wanted {
        TargetSessionAttrs::ReadWrite => ("on", "database does not allow writes"),
        TargetSessionAttrs::ReadOnly => ("off", "database is not read only"),
        _ => return Ok(()),
    };
    let read_only = connection.simple("show transaction_read_only").await?;
    if read_only.as_deref() == Some(unwanted) {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, problem).into());
    }
    Ok(())
}
