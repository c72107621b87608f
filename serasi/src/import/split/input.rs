//! A dump's bytes, as they are read: one at a time for statements, or by line for rows.

use std::io::Read;

use anyhow::{Context, ensure};

/// Limit in bytes for a statement or row, because each is held in memory.
pub const LARGEST: usize = 256 << 20;
/// The dump is read, and rows are passed on, in chunks of about this size.
pub const CHUNK: usize = 256 << 10;

pub struct Input<R> {
    source: R,
    buffer: Vec<u8>,
    /// Position in the buffer.
    at: usize,
    /// The number of the current line, from 1 on.
    pub line: u64,
}

impl<R: Read> Input<R> {
    pub fn new(source: R) -> Self {
        Self { source, buffer: Vec::new(), at: 0, line: 1 }
    }

    /// The next byte, or `None` at the end. The caller counts the lines.
    ///
    /// # Errors
    /// When the dump can't be read.
    pub fn byte(&mut self) -> anyhow::Result<Option<u8>> {
        if self.at == self.buffer.len() && !self.refill()? {
            return Ok(None);
        }
        let byte = self.buffer.get(self.at).copied();
        self.at += 1;
        Ok(byte)
    }

    /// Whether more data was read.
    fn refill(&mut self) -> anyhow::Result<bool> {
        self.buffer.resize(CHUNK, 0);
        let read = self.source.read(&mut self.buffer);
        self.buffer.truncate(*read.as_ref().unwrap_or(&0));
        self.at = 0;
        Ok(read.context("the dump can't be read; it may be truncated")? > 0)
    }

    /// Appends a row with its line break.
    ///
    /// # Errors
    /// When the dump can't be read, or ends before the line does.
    pub fn row(&mut self, to: &mut Vec<u8>) -> anyhow::Result<()> {
        let start = to.len();
        loop {
            let rest = &self.buffer[self.at..];
            let end = rest.iter().position(|byte| *byte == b'\n').map(|end| end + 1);
            to.extend_from_slice(&rest[..end.unwrap_or(rest.len())]);
            self.at += end.unwrap_or(rest.len());
            if end.is_some() {
                self.line += 1;
                return Ok(());
            }
            ensure!(to.len() - start < LARGEST, "the row at line {} is larger than 256 MB", self.line);
            ensure!(self.refill()?, "the dump is truncated: it ends within the rows at line {}", self.line);
        }
    }
}
