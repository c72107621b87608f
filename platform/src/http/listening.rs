//! Listening sockets: opened by this program, or passed by its parent process (systemd's `LISTEN_FDS`). A
//! passed socket stays open while one process ends and the next one starts, so that no connection is refused.

use std::io;
use std::net::IpAddr;
use std::os::fd::BorrowedFd;

use tokio::net::TcpListener;

use crate::env::{ConfigError, Env};

/// What a socket is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Requests,
    /// Metrics and health. Named `admin` in `LISTEN_FDNAMES`.
    Admin,
}

/// Takes the passed socket, or opens a port.
///
/// # Errors
/// When the passed socket can't be used, or the port can't be opened.
pub async fn open(env: &Env, purpose: Purpose, host: IpAddr, port: u16) -> io::Result<TcpListener> {
    match passed(env, purpose).map_err(io::Error::other)? {
        Some(listener) => Ok(listener),
        None => TcpListener::bind((host, port)).await,
    }
}

/// The passed socket for this purpose, if there is one.
///
/// # Errors
/// When the variables are malformed, or the descriptor is not a listening TCP socket.
pub fn passed(env: &Env, purpose: Purpose) -> Result<Option<TcpListener>, ConfigError> {
    let Some(descriptor) = descriptor(env, purpose, std::process::id())? else { return Ok(None) };
    let invalid = |error: io::Error| {
        ConfigError::new("LISTEN_FDS", format!("descriptor {descriptor} is not a TCP socket: {error}"))
    };
    let listener = taken(descriptor).map_err(invalid)?;
    listener.set_nonblocking(true).and_then(|()| TcpListener::from_std(listener)).map(Some).map_err(invalid)
}

/// The descriptors begin at 3. Variables for another process are ignored, because child processes inherit
/// them.
fn descriptor(env: &Env, purpose: Purpose, own_id: u32) -> Result<Option<i32>, ConfigError> {
    if env.optional("LISTEN_PID").is_none() || env.parse_or("LISTEN_PID", 0_u32)? != own_id {
        return Ok(None);
    }
    let count: usize = env.parse_or("LISTEN_FDS", 0)?;
    let mut names: Vec<&str> =
        env.optional("LISTEN_FDNAMES").map(|names| names.split(':').collect()).unwrap_or_default();
    names.resize(count, "");
    let is_admin = |name: &&str| *name == "admin";
    let place = names.iter().position(|name| is_admin(name) == (purpose == Purpose::Admin));
    Ok(place.and_then(|place| i32::try_from(place + 3).ok()))
}

fn taken(descriptor: i32) -> io::Result<std::net::TcpListener> {
    // SAFETY: the parent opened this descriptor for this process and said so, and nothing here closes it. If
    // it is closed anyway, the copy fails.
    let passed = unsafe { BorrowedFd::borrow_raw(descriptor) };
    let copy = passed.try_clone_to_owned()?;
    // PostgreSQL, which this process may start, must not inherit it.
    rustix::io::fcntl_setfd(passed, rustix::io::FdFlags::CLOEXEC)?;
    if !rustix::net::sockopt::socket_acceptconn(&copy)? {
        return Err(io::Error::other("it does not listen"));
    }
    let listener = std::net::TcpListener::from(copy);
    listener.local_addr()?;
    Ok(listener)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(settings: &[(&str, &str)], purpose: Purpose) -> Option<i32> {
        descriptor(&Env::from_iter(settings.iter().copied()), purpose, 42).unwrap()
    }

    #[test]
    fn the_first_descriptor_is_for_requests() {
        assert_eq!(found(&[("LISTEN_PID", "42"), ("LISTEN_FDS", "1")], Purpose::Requests), Some(3));
        assert_eq!(found(&[("LISTEN_PID", "42"), ("LISTEN_FDS", "1")], Purpose::Admin), None);
    }

    #[test]
    fn names_choose_the_descriptor() {
        let named = [("LISTEN_PID", "42"), ("LISTEN_FDS", "2"), ("LISTEN_FDNAMES", "admin:serasi.socket")];
        assert_eq!(found(&named, Purpose::Requests), Some(4));
        assert_eq!(found(&named, Purpose::Admin), Some(3));
    }

    #[test]
    fn the_sockets_of_another_process_are_ignored() {
        assert_eq!(found(&[("LISTEN_PID", "7"), ("LISTEN_FDS", "1")], Purpose::Requests), None);
        assert_eq!(found(&[("LISTEN_FDS", "1")], Purpose::Requests), None);
        assert_eq!(found(&[], Purpose::Requests), None);
    }

    #[test]
    fn a_descriptor_that_is_no_socket_is_named() {
        let env =
            Env::from_iter([("LISTEN_PID", std::process::id().to_string().as_str()), ("LISTEN_FDS", "900")]);
        let error = passed(&env, Purpose::Requests).unwrap_err().to_string();
        assert!(error.starts_with("LISTEN_FDS: descriptor 3 is not a TCP socket: "), "{error}");
    }
}
