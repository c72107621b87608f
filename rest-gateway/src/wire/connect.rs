//! Opens connections and authenticates.

use std::io;
use std::sync::atomic::Ordering;

use platform::database::{Rank, TargetSession, mixes_statements, race};
use postgres_protocol::message::backend::Message;
use rand::seq::SliceRandom;
use tokio::net::lookup_host;
use tokio_postgres::config::{Host, LoadBalanceHosts};
use tokio_postgres::error::SqlState;
use tokio_postgres::tls::NoTlsStream;
use tokio_postgres::{Client, NoTls};

use super::address::{Address, Canceler};
use super::connection::Connection;
use super::error::{ServerError, WireError};
use super::socket::{ByteReader, Socket};
use crate::config::connection::ConnectionConfig;

const DEFAULT_PORT: u16 = 5432;

/// A connection can't be opened.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    #[error("{0}")]
    Socket(#[from] io::Error),
    /// The server rejected the login, or is not PostgreSQL.
    #[error("{}", describe(.0))]
    Login(#[from] tokio_postgres::Error),
    #[error("{0}")]
    Session(#[from] WireError),
}

impl ConnectError {
    /// Whether the server is starting up, shutting down or unreachable.
    pub fn means_outage(&self) -> bool {
        let code = match self {
            Self::Login(error) => error.code().map(SqlState::code),
            Self::Session(WireError::Server(error)) => Some(error.code.as_str()),
            Self::Socket(_) | Self::Session(_) => None,
        };
        // PgBouncer reports every error as a protocol violation (08P01), even an unreachable server.
        code.is_none_or(|code| code.starts_with("08") || matches!(code, "57P01" | "57P02" | "57P03"))
    }

    /// The login failed, and would fail again.
    pub fn is_wrong_password(&self) -> bool {
        let Self::Login(error) = self else { return false };
        let is_missing = error.code().is_none() && describe(error).contains("password missing");
        is_missing || error.code() == Some(&SqlState::INVALID_PASSWORD)
    }
}

/// The server's message, or the error with its cause.
fn describe(error: &tokio_postgres::Error) -> String {
    use std::error::Error;
    match (error.as_db_error(), error.source()) {
        (Some(server), _) => format!("{}:  {}", server.severity(), server.message()),
        (None, Some(cause)) => format!("{error}: {cause}"),
        (None, None) => error.to_string(),
    }
}

/// Whether two connections can prepare statements with the same name. They can't behind a pooler that assigns
/// both the same session and doesn't support prepared statements.
///
/// # Errors
/// When a connection can't be opened, or is lost.
pub async fn separates_statements(config: &ConnectionConfig) -> Result<bool, ConnectError> {
    for _ in 0..2 {
        let mut connection = open(config).await?;
        connection.parse("check", "select 1")?;
        connection.send().await?;
        loop {
            match connection.receive().await? {
                Message::ErrorResponse(body) => {
                    let error = ServerError::parse(body.fields())?;
                    if mixes_statements(&error.code) {
                        return Ok(false);
                    }
                }
                Message::ReadyForQuery(_) => break,
                _ => {}
            }
        }
    }
    Ok(true)
}

/// Opens a connection for requests. Tries the hosts of the connection string.
///
/// # Errors
/// The last host's error.
pub async fn open(config: &ConnectionConfig) -> Result<Connection, ConnectError> {
    first(config, async |address, config| open_at(address, config).await).await
}

/// Opens a connection for a client of tokio-postgres. The caller has to drive the connection.
///
/// # Errors
/// The last host's error.
pub async fn open_client(
    config: &ConnectionConfig,
) -> Result<(Client, tokio_postgres::Connection<Socket, NoTlsStream>), ConnectError> {
    let attempt = async |address: &Address, config: &ConnectionConfig| {
        let rank = match config.wanted {
            TargetSession::Any => Rank::Wanted,
            _ => open_at(address, config).await?.1,
        };
        let socket = address.connect(config).await?;
        Ok((config.server.connect_raw(socket, NoTls).await?, rank))
    };
    first(config, attempt).await
}

async fn first<T>(
    config: &ConnectionConfig,
    attempt: impl AsyncFn(&Address, &ConnectionConfig) -> Result<(T, Rank), ConnectError>,
) -> Result<T, ConnectError> {
    let mut addresses = addresses(config).await?;
    if config.server.get_load_balance_hosts() == LoadBalanceHosts::Random {
        addresses.shuffle(&mut rand::rng());
    }
    let preferred = config.preferred.load(Ordering::Relaxed);
    let (attempt, addresses) = (&attempt, &addresses);
    let opened =
        race(addresses.len(), preferred, |index| async move { attempt(&addresses[index], config).await });
    match opened.await {
        Ok((index, opened)) => {
            config.preferred.store(index, Ordering::Relaxed);
            Ok(opened)
        }
        Err(error) => Err(error.unwrap_or_else(|| {
            io::Error::new(io::ErrorKind::NotFound, "the connection string names no host").into()
        })),
    }
}

async fn addresses(config: &ConnectionConfig) -> io::Result<Vec<Address>> {
    let ConnectionConfig { server, wanted, .. } = config;
    let (hosts, addresses, ports) = (server.get_hosts(), server.get_hostaddrs(), server.get_ports());
    let mut found = Vec::new();
    let mut failure = None;
    for index in 0..hosts.len().max(addresses.len()) {
        let port = ports.get(index).or(ports.first()).copied().unwrap_or(DEFAULT_PORT);
        match (addresses.get(index), hosts.get(index)) {
            (Some(address), Some(Host::Tcp(name))) => {
                found.push(Address::Tcp((*address, port).into(), name.clone()));
            }
            (Some(address), _) => found.push(Address::Tcp((*address, port).into(), address.to_string())),
            (None, Some(Host::Tcp(name))) => match lookup_host((name.as_str(), port)).await {
                Ok(resolved) => {
                    let mut resolved: Vec<_> = resolved.collect();
                    if *wanted != TargetSession::Any {
                        // The index of an address must stay the same.
                        resolved.sort();
                    }
                    found.extend(resolved.into_iter().map(|address| Address::Tcp(address, name.clone())));
                }
                Err(error) => failure = Some(unknown_host(name, &error)),
            },
            (None, Some(Host::Unix(folder))) => {
                found.push(Address::Unix(folder.join(format!(".s.PGSQL.{port}"))));
            }
            (None, None) => {}
        }
    }
    match failure {
        Some(error) if found.is_empty() => Err(error),
        _ => Ok(found),
    }
}

/// libpq's message.
fn unknown_host(name: &str, error: &io::Error) -> io::Error {
    let cause = error.to_string();
    let cause = cause.rsplit_once(": ").map_or(cause.as_str(), |(_, cause)| cause);
    io::Error::new(error.kind(), format!("could not translate host name \"{name}\" to address: {cause}"))
}

async fn open_at(address: &Address, config: &ConnectionConfig) -> Result<(Connection, Rank), ConnectError> {
    let mut socket = address.connect(config).await?;
    let (reader, writer) = tokio::io::split(&mut socket);
    let stream = tokio::io::join(ByteReader(reader), writer);
    let (client, driver) = config.server.connect_raw(stream, NoTls).await?;
    let token = client.cancel_token();
    // They have read nothing that is still needed.
    drop((client, driver));
    let canceler = Canceler { token, address: address.clone(), config: config.clone() };
    let mut connection = Connection::new(socket, canceler);
    let rank = rank(&mut connection, config.wanted).await?;
    Ok((connection, rank))
}

/// # Errors
/// When the server is not of the wanted kind.
async fn rank(connection: &mut Connection, wanted: TargetSession) -> Result<Rank, ConnectError> {
    if wanted == TargetSession::Any {
        return Ok(Rank::Wanted);
    }
    let ask = "select pg_is_in_recovery() || ' ' || current_setting('transaction_read_only')";
    let kind = connection.simple(ask).await?.unwrap_or_default();
    let judged = wanted.judge(kind.starts_with("true"), kind.ends_with("on"));
    judged.map_err(|problem| io::Error::new(io::ErrorKind::PermissionDenied, problem).into())
}
