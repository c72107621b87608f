//! An SMTP server behind a faulty network, which misbehaves on demand and records the messages it accepted.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::bail;
use test_support::faulty_proxy::FaultyProxy;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

#[derive(Default)]
struct State {
    /// Replies `421` to every sender.
    refuses: bool,
    /// Accepts messages without confirming them.
    is_silent: bool,
    /// Message-IDs by recipient.
    taken: HashMap<String, Vec<String>>,
}

pub struct MailServer {
    pub proxy: FaultyProxy,
    state: Arc<Mutex<State>>,
}

impl MailServer {
    /// # Errors
    /// When no port is free.
    pub async fn start() -> anyhow::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let proxy = FaultyProxy::start(listener.local_addr()?).await;
        let state = Arc::<Mutex<State>>::default();
        let shared = Arc::clone(&state);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(session(stream, Arc::clone(&shared)));
            }
        });
        Ok(Self { proxy, state })
    }

    pub fn url(&self) -> String {
        format!("smtp://{}", self.proxy.address())
    }

    /// # Errors
    /// When the server can't do this.
    pub fn set(&self, what: &str) -> anyhow::Result<()> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        (state.refuses, state.is_silent) = match what {
            "accept" => (false, false),
            "refuse" => (true, false),
            "unanswered" => (false, true),
            _ => bail!("a mail server can't {what}"),
        };
        Ok(())
    }

    /// The Message-IDs sent to a recipient.
    pub fn taken(&self, recipient: &str) -> Vec<String> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.taken.get(recipient).cloned().unwrap_or_default()
    }
}

async fn session(stream: TcpStream, state: Arc<Mutex<State>>) -> std::io::Result<()> {
    let state = || state.lock().unwrap_or_else(PoisonError::into_inner);
    let (reader, mut writer) = stream.into_split();
    let mut lines = BufReader::new(reader).lines();
    if state().refuses {
        return writer.write_all(b"421 try again later\r\n").await;
    }
    writer.write_all(b"220 faults ESMTP\r\n").await?;
    let mut recipient = String::new();
    while let Some(line) = lines.next_line().await? {
        let verb = line.split([' ', ':']).next().unwrap_or_default().to_ascii_uppercase();
        let answer: &[u8] = match verb.as_str() {
            "EHLO" => b"250-faults\r\n250 8BITMIME\r\n",
            "DATA" => {
                writer.write_all(b"354 go on\r\n").await?;
                let mut id = String::new();
                loop {
                    let Some(line) = lines.next_line().await? else { return Ok(()) };
                    if line == "." {
                        break;
                    }
                    if let Some((name, value)) = line.split_once(':')
                        && name.eq_ignore_ascii_case("message-id")
                    {
                        value.trim().clone_into(&mut id);
                    }
                }
                state().taken.entry(recipient.clone()).or_default().push(id);
                if state().is_silent {
                    return std::future::pending().await;
                }
                b"250 taken\r\n"
            }
            "RCPT" => {
                let address = line.split(['<', '>']).nth(1);
                address.unwrap_or_default().clone_into(&mut recipient);
                b"250 ok\r\n"
            }
            "QUIT" => return writer.write_all(b"221 bye\r\n").await,
            _ => b"250 ok\r\n",
        };
        writer.write_all(answer).await?;
    }
    Ok(())
}
