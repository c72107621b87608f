//! An SMTP server that misbehaves on demand and records the messages it accepted.

use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Accept,
    /// Accepts connections without sending a greeting.
    SilentAtConnect,
    /// Accepts the message without confirming it.
    SilentAfterMessage,
    /// Replies `421` to every sender.
    Refuse,
    /// Refuses connections.
    Gone,
}

/// Message-IDs by recipient.
type Taken = Arc<Mutex<HashMap<String, Vec<String>>>>;

pub struct MailServer {
    port: u16,
    mode: watch::Sender<Mode>,
    taken: Taken,
    _tasks: JoinSet<()>,
}

impl MailServer {
    /// # Errors
    /// When no port is free.
    pub fn start() -> anyhow::Result<Self> {
        let listener = listen(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))?;
        let address = listener.local_addr()?;
        let (mode, modes) = watch::channel(Mode::Accept);
        let taken = Taken::default();
        let mut tasks = JoinSet::new();
        tasks.spawn(serve(address, listener, modes, Arc::clone(&taken)));
        Ok(Self { port: address.port(), mode, taken, _tasks: tasks })
    }

    pub fn url(&self) -> String {
        format!("smtp://127.0.0.1:{}", self.port)
    }

    /// Closes open connections.
    pub fn set(&self, mode: Mode) {
        self.mode.send_replace(mode);
    }

    /// The Message-IDs sent to a recipient.
    pub fn taken(&self, recipient: &str) -> Vec<String> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner).get(recipient).cloned().unwrap_or_default()
    }
}

fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = TcpSocket::new_v4()?;
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(128)
}

async fn serve(address: SocketAddr, listener: TcpListener, mut modes: watch::Receiver<Mode>, taken: Taken) {
    let mut listener = Some(listener);
    let mut sessions = JoinSet::new();
    loop {
        let mode = *modes.borrow_and_update();
        if mode == Mode::Gone {
            listener = None;
        } else if listener.is_none() {
            listener = listen(address).ok();
        }
        let Some(open) = &listener else {
            tokio::select! {
                changed = modes.changed() => if changed.is_err() { return },
                () = tokio::time::sleep(Duration::from_millis(50)) => (),
            }
            continue;
        };
        tokio::select! {
            changed = modes.changed() => {
                if changed.is_err() { return }
                sessions.shutdown().await;
            }
            _ = sessions.join_next(), if !sessions.is_empty() => (),
            Ok((stream, _)) = open.accept() => {
                let taken = Arc::clone(&taken);
                sessions.spawn(async move { let _ = session(stream, mode, &taken).await; });
            }
        }
    }
}

async fn session(stream: TcpStream, mode: Mode, taken: &Taken) -> std::io::Result<()> {
    let mut stream = BufReader::new(stream);
    if mode == Mode::SilentAtConnect {
        return std::future::pending().await;
    }
    if mode == Mode::Refuse {
        return stream.write_all(b"421 try again later\r\n").await;
    }
    stream.write_all(b"220 faults ESMTP\r\n").await?;
    let (mut recipient, mut line) = (String::new(), String::new());
    loop {
        line.clear();
        if stream.read_line(&mut line).await? == 0 {
            return Ok(());
        }
        let verb = line.split_whitespace().next().unwrap_or_default().split(':').next().unwrap_or_default();
        let answer: &[u8] = match verb.to_ascii_uppercase().as_str() {
            "EHLO" => b"250-faults\r\n250 8BITMIME\r\n",
            "DATA" => {
                stream.write_all(b"354 go on\r\n").await?;
                let id = message(&mut stream).await?;
                remember(taken, &recipient, id);
                if mode == Mode::SilentAfterMessage {
                    return std::future::pending().await;
                }
                b"250 taken\r\n"
            }
            "RCPT" => {
                let address = line.split('<').nth(1).and_then(|rest| rest.split('>').next());
                address.unwrap_or_default().clone_into(&mut recipient);
                b"250 ok\r\n"
            }
            "QUIT" => return stream.write_all(b"221 bye\r\n").await,
            _ => b"250 ok\r\n",
        };
        stream.write_all(answer).await?;
    }
}

fn remember(taken: &Taken, recipient: &str, id: String) {
    let mut taken = taken.lock().unwrap_or_else(PoisonError::into_inner);
    taken.entry(recipient.to_owned()).or_default().push(id);
}

/// Reads a message to its end and returns its Message-ID.
async fn message(stream: &mut BufReader<TcpStream>) -> std::io::Result<String> {
    let (mut id, mut line) = (String::new(), String::new());
    loop {
        line.clear();
        if stream.read_line(&mut line).await? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        if line == ".\r\n" {
            return Ok(id);
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("message-id")
        {
            value.trim().clone_into(&mut id);
        }
    }
}
