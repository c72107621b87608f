//! A TCP proxy between a service and its database (or mail server) that injects faults on demand.
//!
//! ```ignore
//! let proxy = FaultyProxy::start(database_address).await;   // forwards
//! proxy.set(Fault::BlackHole);                              // swallows bytes, old and new connections alike
//! proxy.cut();                                              // closes what is open, accepts new connections
//! proxy.set(Fault::None);                                   // forwards again; what a black hole swallowed is lost
//! ```

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// How the proxy treats connections.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Forwards in both directions.
    None,
    /// Connections stay open and new ones are accepted, but every byte is dropped, as on a dead network path.
    BlackHole,
    /// Like [`Fault::BlackHole`], but only for responses: requests still arrive.
    SilentAnswers,
    /// Open connections are closed and the port is not listening: `ECONNREFUSED`, as when the server is down.
    Refuse,
    /// Each chunk is delayed by this long, in both directions.
    Delay(Duration),
}

/// Runs until it is dropped. Requires a tokio runtime; may be shared by reference between tasks.
pub struct FaultyProxy {
    address: SocketAddr,
    fault: watch::Sender<Fault>,
    /// Incremented by each cut; a connection ends when the value changes.
    cuts: watch::Sender<u64>,
    listening: watch::Receiver<bool>,
    accepted: Arc<AtomicU64>,
    _tasks: JoinSet<()>,
}

impl FaultyProxy {
    /// Listens on a free port of 127.0.0.1 and forwards to `target`.
    ///
    /// # Panics
    /// Panics when no port is free.
    pub async fn start(target: SocketAddr) -> Self {
        let listener = listen(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).expect("a free port");
        let address = listener.local_addr().expect("the proxy's address");
        let (fault, faults) = watch::channel(Fault::None);
        let (cuts, cut) = watch::channel(0);
        let (listens, listening) = watch::channel(true);
        let accepted = Arc::new(AtomicU64::new(0));
        let mut tasks = JoinSet::new();
        tasks.spawn(accept(Server {
            target,
            address,
            faults,
            cut,
            listens,
            accepted: Arc::clone(&accepted),
            listener: Some(listener),
        }));
        Self { address, fault, cuts, listening, accepted, _tasks: tasks }
    }

    /// The address clients connect to.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Connections accepted so far.
    pub fn accepted(&self) -> u64 {
        self.accepted.load(Ordering::SeqCst)
    }

    /// Applies to open and new connections. [`Fault::Refuse`] may take a moment: see [`Self::refuse`].
    pub fn set(&self, fault: Fault) {
        self.fault.send_replace(fault);
    }

    /// Closes all open connections; new ones are treated as before.
    pub fn cut(&self) {
        self.cuts.send_modify(|cuts| *cuts += 1);
    }

    /// Sets [`Fault::Refuse`], and returns once the port is closed.
    pub async fn refuse(&self) {
        self.set(Fault::Refuse);
        self.is_listening(false).await;
    }

    /// Sets [`Fault::None`], and returns once new connections are accepted.
    pub async fn forward(&self) {
        self.set(Fault::None);
        self.is_listening(true).await;
    }

    async fn is_listening(&self, wanted: bool) {
        let _ = self.listening.clone().wait_for(|listens| *listens == wanted).await;
    }
}

struct Server {
    target: SocketAddr,
    address: SocketAddr,
    faults: watch::Receiver<Fault>,
    cut: watch::Receiver<u64>,
    listens: watch::Sender<bool>,
    accepted: Arc<AtomicU64>,
    listener: Option<TcpListener>,
}

async fn accept(mut server: Server) {
    let mut connections = JoinSet::new();
    loop {
        let refuse = *server.faults.borrow_and_update() == Fault::Refuse;
        if refuse {
            server.listener = None;
            connections.shutdown().await;
        } else if server.listener.is_none() {
            server.listener = listen(server.address).ok();
        }
        server.listens.send_replace(server.listener.is_some());
        let Some(listener) = &server.listener else {
            let retry = tokio::time::sleep(Duration::from_millis(20));
            tokio::select! {
                changed = server.faults.changed() => if changed.is_err() { return },
                () = retry, if !refuse => (),
            }
            continue;
        };
        tokio::select! {
            changed = server.faults.changed() => if changed.is_err() { return },
            _ = connections.join_next(), if !connections.is_empty() => (),
            Ok((client, _)) = listener.accept() => {
                server.accepted.fetch_add(1, Ordering::SeqCst);
                connections.spawn(connection(client, server.target, server.faults.clone(), server.cut.clone()));
            }
        }
    }
}

/// Reuses the address, because connections that were just closed may still occupy the port.
fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = TcpSocket::new_v4()?;
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(1024)
}

async fn connection(
    client: TcpStream,
    target: SocketAddr,
    mut faults: watch::Receiver<Fault>,
    mut cut: watch::Receiver<u64>,
) {
    let cuts = *cut.borrow_and_update();
    let forwarding = async {
        // A connection that starts in a black hole never reaches the server.
        let _ = faults.wait_for(|fault| *fault != Fault::BlackHole).await;
        let Ok(server) = TcpStream::connect(target).await else { return };
        let _ = client.set_nodelay(true);
        let _ = server.set_nodelay(true);
        let (from_client, to_client) = client.into_split();
        let (from_server, to_server) = server.into_split();
        let requests = pump(from_client, to_server, faults.clone(), false);
        let answers = pump(from_server, to_client, faults.clone(), true);
        // When either end closes, both are closed, as when a server process dies.
        tokio::select! {
            () = requests => (),
            () = answers => (),
        }
    };
    tokio::select! {
        () = forwarding => (),
        _ = cut.wait_for(|now| *now != cuts) => (),
    }
}

async fn pump(
    mut from: impl AsyncReadExt + Unpin,
    mut to: impl AsyncWriteExt + Unpin,
    faults: watch::Receiver<Fault>,
    answers: bool,
) {
    let mut bytes = vec![0; 16 * 1024];
    loop {
        let Ok(count @ 1..) = from.read(&mut bytes).await else {
            // In a black hole, the other end does not notice the close.
            let mut faults = faults;
            let _ = faults.wait_for(|fault| *fault != Fault::BlackHole).await;
            return;
        };
        let fault = *faults.borrow();
        match fault {
            Fault::BlackHole => continue,
            Fault::SilentAnswers if answers => continue,
            Fault::Delay(delay) => tokio::time::sleep(delay).await,
            Fault::None | Fault::SilentAnswers | Fault::Refuse => (),
        }
        if to.write_all(&bytes[..count]).await.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server that echoes each chunk.
    async fn echo() -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                tokio::spawn(async move {
                    let (mut from, mut to) = stream.split();
                    let _ = tokio::io::copy(&mut from, &mut to).await;
                });
            }
        });
        address
    }

    async fn ask(stream: &mut TcpStream) -> Option<u8> {
        stream.write_all(b"x").await.ok()?;
        let answer = tokio::time::timeout(Duration::from_millis(200), stream.read_u8()).await;
        answer.ok()?.ok()
    }

    #[tokio::test]
    async fn faults_come_and_go() {
        let proxy = FaultyProxy::start(echo().await).await;
        let mut stream = TcpStream::connect(proxy.address()).await.unwrap();
        assert_eq!(ask(&mut stream).await, Some(b'x'));

        proxy.set(Fault::BlackHole);
        assert_eq!(ask(&mut stream).await, None);
        let mut another = TcpStream::connect(proxy.address()).await.unwrap();
        assert_eq!(ask(&mut another).await, None);

        proxy.set(Fault::None);
        assert_eq!(ask(&mut stream).await, Some(b'x'));

        proxy.cut();
        assert_eq!(stream.read(&mut [0]).await.unwrap_or(0), 0);

        proxy.refuse().await;
        assert!(TcpStream::connect(proxy.address()).await.is_err());
        proxy.forward().await;
        let mut stream = TcpStream::connect(proxy.address()).await.unwrap();
        assert_eq!(ask(&mut stream).await, Some(b'x'));
        assert_eq!(proxy.accepted(), 3);
    }
}
