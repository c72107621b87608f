//! Tells a service manager that this program is ready, as systemd's `Type=notify` requires.

use std::io;
#[cfg(unix)]
use std::os::unix::net::UnixDatagram;

use platform::env::Env;

/// Names the service manager's socket. Child processes must not inherit it: PostgreSQL would report its own
/// readiness there.
pub const SOCKET: &str = "NOTIFY_SOCKET";

/// Reports readiness. Does nothing without a service manager, and only logs a failure.
pub fn announce_ready(env: &Env) {
    let Some(socket) = env.optional(SOCKET) else { return };
    if let Err(error) = send(socket, b"READY=1") {
        tracing::warn!(%error, "can't tell the service manager that the program is ready");
    }
}

#[cfg(unix)]
fn send(socket: &str, message: &[u8]) -> io::Result<()> {
    let sender = UnixDatagram::unbound()?;
    match socket.strip_prefix('@') {
        Some(name) => send_to_abstract(&sender, name, message),
        None => sender.send_to(message, socket).map(drop),
    }
}

/// A socket without a file, which only Linux has.
#[cfg(target_os = "linux")]
fn send_to_abstract(sender: &UnixDatagram, name: &str, message: &[u8]) -> io::Result<()> {
    use std::os::linux::net::SocketAddrExt;
    let address = std::os::unix::net::SocketAddr::from_abstract_name(name)?;
    sender.send_to_addr(message, &address).map(drop)
}

#[cfg(not(unix))]
fn send(_: &str, _: &[u8]) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(all(unix, not(target_os = "linux")))]
fn send_to_abstract(_: &UnixDatagram, _: &str, _: &[u8]) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn received(receiver: &UnixDatagram, address: &str) -> String {
        receiver.set_nonblocking(true).unwrap();
        announce_ready(&Env::from_iter([(SOCKET, address)]));
        let mut message = [0; 64];
        let length = receiver.recv(&mut message).unwrap();
        String::from_utf8(message[..length].to_vec()).unwrap()
    }

    #[test]
    fn the_service_manager_is_told_through_its_socket() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        let receiver = UnixDatagram::bind(&path).unwrap();
        assert_eq!(received(&receiver, path.to_str().unwrap()), "READY=1");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_socket_may_have_no_file() {
        use std::os::linux::net::SocketAddrExt;
        let name = format!("serasi-test-{}", std::process::id());
        let address = std::os::unix::net::SocketAddr::from_abstract_name(&name).unwrap();
        let receiver = UnixDatagram::bind_addr(&address).unwrap();
        assert_eq!(received(&receiver, &format!("@{name}")), "READY=1");
    }

    #[test]
    fn a_missing_socket_does_no_harm() {
        announce_ready(&Env::default());
        announce_ready(&Env::from_iter([(SOCKET, "/nonexistent/notify")]));
    }
}
