//! Sends and receives messages.

use bytes::{Buf, BytesMut};
use postgres_protocol::IsNull;
use postgres_protocol::message::backend::Message;
use postgres_protocol::message::frontend::{self, BindError};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::address::Canceler;
use super::error::{ServerError, WireError};
use super::socket::{Socket, is_quiet};
use super::statements::Statements;
use crate::query::fragment::Param;

/// The buffer space for one read. For larger messages the parser reserves more.
const READ_SIZE: usize = 8 * 1024;
/// The maximum size of an idle connection's buffers.
const MAX_IDLE_BUFFER: usize = 16 * 1024;
/// The tag of the message.
const DATA_ROW: u8 = b'D';
const BINARY: i16 = 1;
const TEXT: i16 = 0;

/// The most warnings that are kept, because a function may raise any number.
const MOST_WARNINGS: usize = 100;

pub struct Connection {
    socket: Socket,
    pub canceler: Canceler,
    outgoing: BytesMut,
    incoming: BytesMut,
    /// Larger rows, in bytes, are dropped.
    pub largest_row: usize,
    /// Whether a larger row has arrived, which was dropped.
    has_dropped_row: bool,
    pub statements: Statements,
    /// Set while PostgreSQL's warnings are collected for the response.
    pub warnings: Option<Vec<ServerError>>,
    /// The transaction status that the server reported last.
    pub in_transaction: bool,
}

impl Connection {
    pub(super) fn new(socket: Socket, canceler: Canceler) -> Self {
        Self {
            socket,
            canceler,
            outgoing: BytesMut::new(),
            incoming: BytesMut::new(),
            largest_row: usize::MAX,
            has_dropped_row: false,
            statements: Statements::default(),
            warnings: None,
            in_transaction: false,
        }
    }

    /// The limit, if a row since the last call was larger.
    pub fn take_dropped_row(&mut self) -> Option<usize> {
        std::mem::take(&mut self.has_dropped_row).then_some(self.largest_row)
    }

    /// Whether the connection can be used: the server has not closed it.
    pub fn is_usable(&mut self) -> bool {
        self.incoming.is_empty() && is_quiet(&mut self.socket)
    }

    /// Adds the message that prepares a statement. The name is empty if the statement is used once.
    ///
    /// # Errors
    /// When the text contains a zero byte.
    pub fn parse(&mut self, name: &str, text: &str) -> Result<(), WireError> {
        frontend::parse(name, text, [], &mut self.outgoing).map_err(encoding_error)
    }

    /// Adds the messages that run a prepared statement.
    ///
    /// # Errors
    /// When there are too many values.
    pub fn run(&mut self, name: &str, params: &[Param]) -> Result<(), WireError> {
        let formats = params.iter().map(|param| match param {
            Param::Text(_) | Param::Json(_) => TEXT,
            Param::Binary(_) => BINARY,
        });
        let write = |param: &Param, buffer: &mut BytesMut| {
            buffer.extend_from_slice(param.bytes());
            Ok(IsNull::No)
        };
        frontend::bind("", name, formats, params, write, [BINARY], &mut self.outgoing).map_err(|error| {
            WireError::Encoding(match error {
                BindError::Conversion(error) => error.to_string(),
                BindError::Serialization(error) => error.to_string(),
            })
        })?;
        frontend::execute("", 0, &mut self.outgoing).map_err(encoding_error)
    }

    /// Forgets all prepared statements, and adds the messages that close them. `DEALLOCATE ALL` would also close
    /// those of other clients of a pooler.
    ///
    /// # Errors
    /// Never: the names contain no zero byte.
    pub fn close_statements(&mut self) -> Result<(), WireError> {
        for name in self.statements.take_names() {
            frontend::close(b'S', &name, &mut self.outgoing).map_err(encoding_error)?;
        }
        Ok(())
    }

    /// Sends all messages and a sync. The server runs them up to the first error.
    ///
    /// # Errors
    /// When the connection is lost.
    pub async fn send(&mut self) -> Result<(), WireError> {
        frontend::sync(&mut self.outgoing);
        self.socket.write_all(&self.outgoing).await?;
        self.outgoing.clear();
        Ok(())
    }

    /// Drops the messages that have not been sent.
    pub fn discard_unsent(&mut self) {
        self.outgoing.clear();
    }

    /// Receives the next message. Skips changed parameters, and collects
    /// warnings.
    ///
    /// # Errors
    /// When the connection is lost.
    pub async fn receive(&mut self) -> Result<Message, WireError> {
        loop {
            if let Some(size) = self.size_of_large_row() {
                self.has_dropped_row = true;
                self.skip(size).await?;
            }
            match Message::parse(&mut self.incoming)? {
                Some(Message::NoticeResponse(notice)) => {
                    let notice = ServerError::parse(notice.fields())?;
                    if let Some(warnings) = &mut self.warnings
                        && notice.severity == "WARNING"
                        && warnings.len() < MOST_WARNINGS
                    {
                        warnings.push(notice);
                    }
                }
                Some(Message::ParameterStatus(_)) => {}
                Some(message) => return Ok(message),
                None => self.fill().await?,
            }
        }
    }

    /// The size of the next message, if it is a row that is too large. Read from its header, before the parser
    /// reserves memory for it.
    fn size_of_large_row(&self) -> Option<usize> {
        let &[DATA_ROW, a, b, c, d, ..] = &self.incoming[..] else { return None };
        let size = usize::try_from(u32::from_be_bytes([a, b, c, d])).unwrap_or(usize::MAX);
        (size > self.largest_row).then(|| size.saturating_add(size_of_val(&DATA_ROW)))
    }

    /// Receives this many bytes, and drops them.
    async fn skip(&mut self, mut left: usize) -> Result<(), WireError> {
        loop {
            let part = left.min(self.incoming.len());
            self.incoming.advance(part);
            left -= part;
            if left == 0 {
                return Ok(());
            }
            self.fill().await?;
        }
    }

    async fn fill(&mut self) -> Result<(), WireError> {
        self.incoming.reserve(READ_SIZE);
        if self.socket.read_buf(&mut self.incoming).await? == 0 { Err(WireError::Closed) } else { Ok(()) }
    }

    /// Frees buffers that a large request or response has enlarged.
    pub fn shrink(&mut self) {
        for buffer in [&mut self.outgoing, &mut self.incoming] {
            if buffer.is_empty() && buffer.capacity() > MAX_IDLE_BUFFER {
                *buffer = BytesMut::new();
            }
        }
    }

    /// Runs a statement on its own. Returns the first column of the first row.
    ///
    /// # Errors
    /// When the statement fails or the connection is lost.
    pub async fn simple(&mut self, statement: &str) -> Result<Option<String>, WireError> {
        frontend::query(statement, &mut self.outgoing).map_err(encoding_error)?;
        self.socket.write_all(&self.outgoing).await?;
        self.outgoing.clear();
        let mut outcome = Ok(None);
        loop {
            match self.receive().await? {
                Message::DataRow(row) => {
                    let first = fallible_iterator::FallibleIterator::next(&mut row.ranges())?.flatten();
                    let text = first.map(|range| String::from_utf8_lossy(&row.buffer()[range]).into_owned());
                    if let Ok(value @ None) = &mut outcome {
                        *value = text;
                    }
                }
                Message::ErrorResponse(body) => {
                    outcome = Err(WireError::Server(Box::new(ServerError::parse(body.fields())?)));
                }
                Message::ReadyForQuery(status) => {
                    self.in_transaction = status.status() != b'I';
                    return outcome;
                }
                _ => {}
            }
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "for map_err")]
fn encoding_error(error: std::io::Error) -> WireError {
    WireError::Encoding(error.to_string())
}
