//! A relay that simulates failures of the database or of the network.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Forwards everything.
pub const PASS: u8 = 0;
/// Connections stay open, but no bytes are forwarded.
pub const SILENT: u8 = 1;
/// New connections are closed immediately, existing ones as soon as bytes arrive.
pub const GONE: u8 = 2;
/// Closes the connection instead of forwarding the next statement that names a table of the tests.
pub const CUT_STATEMENT: u8 = 3;
/// Forwards a commit, but not its response.
pub const CUT_COMMIT: u8 = 4;
/// Closes the next connection before it is established.
pub const CUT_CONNECT: u8 = 5;

/// After the next login, adds a part of a message to the segment, and the rest to the next one.
pub const EARLY_MESSAGE: u8 = 6;

const READY: &[u8] = b"Z\0\0\0\x05I";
/// Reports that the setting `a` is `b`.
const MESSAGE: &[u8] = b"S\0\0\0\x08a\0b\0";

/// Forwards the bytes between the gateway and the database, according to its mode.
#[derive(Clone, Default)]
pub struct Relay {
    mode: Arc<AtomicU8>,
    /// The number of connections that were opened.
    pub opened: Arc<AtomicUsize>,
}

impl Relay {
    pub fn set(&self, mode: u8) {
        self.mode.store(mode, Ordering::SeqCst);
    }

    fn mode(&self) -> u8 {
        self.mode.load(Ordering::SeqCst)
    }

    /// Returns the port.
    pub async fn start(self, target: String) -> u16 {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                self.opened.fetch_add(1, Ordering::SeqCst);
                match self.mode() {
                    GONE => drop(client),
                    CUT_CONNECT => self.set(PASS),
                    _ => drop(tokio::spawn(
                        self.clone().pass(client, TcpStream::connect(&target).await.unwrap()),
                    )),
                }
            }
        });
        port
    }

    async fn pass(self, mut client: TcpStream, mut server: TcpStream) {
        let (mut sent, mut received) = (vec![0; 1 << 16], vec![0; 1 << 16]);
        let mut held: &[u8] = b"";
        loop {
            tokio::select! {
                read = client.read(&mut sent) => {
                    let Ok(length @ 1..) = read else { return };
                    let sent = &sent[..length];
                    match self.mode() {
                        SILENT => continue,
                        GONE => return,
                        CUT_STATEMENT if contains(sent, b"clients") => return self.set(PASS),
                        CUT_COMMIT if contains(sent, b"COMMIT\0") => {
                            server.write_all(sent).await.unwrap();
                            // The server commits only after it has responded.
                            loop {
                                let length = server.read(&mut received).await.unwrap();
                                let received = &received[..length];
                                if length == 0 || contains(received, b"COMMIT\0") {
                                    return self.set(PASS);
                                }
                            }
                        }
                        _ => server.write_all(sent).await.unwrap(),
                    }
                }
                read = server.read(&mut received) => {
                    let Ok(length @ 1..) = read else { return };
                    let mut forwarded = [std::mem::take(&mut held), &received[..length]].concat();
                    if self.mode() == EARLY_MESSAGE && forwarded.ends_with(READY) {
                        self.set(PASS);
                        forwarded.extend_from_slice(&MESSAGE[..4]);
                        held = &MESSAGE[4..];
                    }
                    if self.mode() != SILENT && client.write_all(&forwarded).await.is_err() {
                        return;
                    }
                }
            }
        }
    }
}

fn contains(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|part| part == wanted)
}
