//! Splits a plain dump into statements and the rows of COPY, as psql does, in bounded memory.

#[cfg(test)]
mod tests;

use std::io::Read;

use anyhow::{Context, bail, ensure};

/// A larger statement is no statement of pg_dump, unless it has very large values.
const MAX_STATEMENT: usize = 256 << 20;
/// Rows of COPY are passed on in chunks of about this size.
const CHUNK: usize = 256 << 10;

#[derive(Debug, PartialEq, Eq)]
pub struct Statement {
    /// Without its semicolon, and without comments outside of bodies.
    pub sql: String,
    /// Where it begins, from 1 on.
    pub line: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    Code,
    LineComment,
    /// After a backslash.
    Command,
    /// How deep.
    BlockComment(u32),
    /// Whether a backslash escapes, and whether the last byte was one that does.
    Text {
        escapes: bool,
        escaped: bool,
    },
    /// After a quote, which a second one continues.
    AfterText {
        escapes: bool,
    },
    Quoted,
    /// The beginning of a dollar quote.
    Tag(Vec<u8>),
    /// The tag, and where the body begins in the statement.
    Body {
        tag: Vec<u8>,
        start: usize,
    },
}

pub struct Splitter<R> {
    source: R,
    buffer: Vec<u8>,
    /// How much of the buffer was taken.
    at: usize,
    in_rows: bool,
    /// The number of the current line.
    line: u64,
    state: State,
    sql: Vec<u8>,
    starts_at: u64,
    comment: Vec<u8>,
    /// The current word, and the first words of the statement, in lower case.
    word: Vec<u8>,
    words: Vec<Vec<u8>>,
    parentheses: u32,
    /// Of `begin atomic … end` in the body of a function.
    blocks: u32,
    complete: bool,
}

impl<R: Read> Splitter<R> {
    pub fn new(source: R) -> Self {
        Self {
            source,
            buffer: Vec::new(),
            at: 0,
            in_rows: false,
            line: 1,
            state: State::Code,
            sql: Vec::new(),
            starts_at: 1,
            comment: Vec::new(),
            word: Vec::new(),
            words: Vec::new(),
            parentheses: 0,
            blocks: 0,
            complete: false,
        }
    }

    /// Whether the last that was read is the end of a dump, as pg_dump or `supabase db dump` writes it.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// The next statement, or `None` at the end.
    ///
    /// # Errors
    /// When the dump can't be read, ends within a statement, or has a command of psql.
    pub fn next(&mut self) -> anyhow::Result<Option<Statement>> {
        self.in_rows = false;
        loop {
            while let Some(&byte) = self.buffer.get(self.at) {
                self.at += 1;
                let ended = self.take(byte)?;
                self.line += u64::from(byte == b'\n');
                if ended {
                    return self.statement().map(Some);
                }
            }
            if !self.refill()? {
                let is_between = matches!(self.state, State::Code | State::LineComment);
                ensure!(
                    self.sql.is_empty() && is_between,
                    "the dump is truncated: it ends within the statement at line {}",
                    self.starts_at
                );
                // A last line without a line break.
                self.line_comment(b'\n');
                return Ok(None);
            }
        }
    }

    /// Whether there was more.
    fn refill(&mut self) -> anyhow::Result<bool> {
        self.buffer.resize(CHUNK, 0);
        let read = self.source.read(&mut self.buffer).context("the dump can't be read")?;
        self.buffer.truncate(read);
        self.at = 0;
        Ok(read > 0)
    }

    /// Reads some of the rows after `COPY … FROM stdin`. Returns how many, and whether they were the last ones.
    ///
    /// # Errors
    /// When the dump ends before the rows do.
    pub fn rows(&mut self, chunk: &mut Vec<u8>) -> anyhow::Result<(u64, bool)> {
        if !self.in_rows {
            self.in_rows = true;
            // The rest of the statement's line.
            self.line(chunk)?;
        }
        chunk.clear();
        let mut rows = 0;
        while chunk.len() < CHUNK {
            let start = chunk.len();
            self.line(chunk)?;
            if matches!(&chunk[start..], b"\\.\n" | b"\\.\r\n") {
                chunk.truncate(start);
                return Ok((rows, true));
            }
            rows += 1;
        }
        Ok((rows, false))
    }

    /// Appends a line with its line break.
    fn line(&mut self, to: &mut Vec<u8>) -> anyhow::Result<()> {
        loop {
            let rest = &self.buffer[self.at..];
            let end = rest.iter().position(|byte| *byte == b'\n').map(|end| end + 1);
            to.extend_from_slice(&rest[..end.unwrap_or(rest.len())]);
            self.at += end.unwrap_or(rest.len());
            if end.is_some() {
                self.line += 1;
                return Ok(());
            }
            ensure!(to.len() < MAX_STATEMENT, "the row at line {} is larger than 256 MB", self.line);
            ensure!(self.refill()?, "the dump is truncated: it ends within the rows at line {}", self.line);
        }
    }

    fn statement(&mut self) -> anyhow::Result<Statement> {
        let line = self.starts_at;
        self.words.clear();
        self.blocks = 0;
        let sql = String::from_utf8(std::mem::take(&mut self.sql)).ok().filter(|sql| !sql.contains('\0'));
        let sql =
            sql.with_context(|| format!("line {line} is not UTF-8: make the dump with --encoding=UTF8"))?;
        let sql = sql.trim().to_owned();
        self.complete = sql.eq_ignore_ascii_case("reset all");
        Ok(Statement { sql, line })
    }

    /// Whether the statement ends with this byte.
    fn take(&mut self, byte: u8) -> anyhow::Result<bool> {
        match &mut self.state {
            State::Code => return self.code(byte),
            State::LineComment => self.line_comment(byte),
            State::Command => self.command(byte)?,
            State::BlockComment(depth) => {
                self.comment.push(byte);
                if self.comment.ends_with(b"*/") {
                    *depth -= 1;
                    self.comment.clear();
                } else if self.comment.ends_with(b"/*") {
                    *depth += 1;
                    self.comment.clear();
                }
                if self.comment.len() > 2 {
                    self.comment.drain(..1);
                }
                if *depth == 0 {
                    self.state = State::Code;
                    self.space();
                }
            }
            State::Text { escapes, escaped } => {
                let (escapes, was_escaped) = (*escapes, *escaped);
                *escaped = escapes && byte == b'\\' && !was_escaped;
                if byte == b'\'' && !was_escaped {
                    self.state = State::AfterText { escapes };
                }
                self.push(byte)?;
            }
            State::AfterText { escapes } => {
                let escapes = *escapes;
                if byte != b'\'' {
                    self.state = State::Code;
                    return self.code(byte);
                }
                self.state = State::Text { escapes, escaped: false };
                self.push(byte)?;
            }
            State::Quoted => {
                if byte == b'"' {
                    self.state = State::Code;
                }
                self.push(byte)?;
            }
            State::Tag(tag) => {
                let mut tag = std::mem::take(tag);
                let continues = is_word(byte) && !(tag.len() == 1 && byte.is_ascii_digit());
                if byte != b'$' && !continues {
                    self.state = State::Code;
                    return self.code(byte);
                }
                tag.push(byte);
                self.push(byte)?;
                self.state = match byte {
                    b'$' => State::Body { tag, start: self.sql.len() },
                    _ => State::Tag(tag),
                };
            }
            State::Body { tag, start } => {
                let (length, start) = (tag.len(), *start);
                let closes = byte == b'$'
                    && self.sql.len() + 1 >= start + length
                    && tag[..length - 1] == self.sql[self.sql.len() + 1 - length..];
                if closes {
                    self.state = State::Code;
                }
                self.push(byte)?;
            }
        }
        Ok(false)
    }

    fn line_comment(&mut self, byte: u8) {
        if byte != b'\n' {
            if self.comment.len() < 80 {
                self.comment.push(byte);
            }
            return;
        }
        let comment = String::from_utf8_lossy(&self.comment);
        if comment.trim().starts_with("PostgreSQL database") && comment.trim().ends_with("dump complete") {
            self.complete = true;
        }
        self.comment.clear();
        self.state = State::Code;
        self.space();
    }

    fn code(&mut self, byte: u8) -> anyhow::Result<bool> {
        if is_word(byte) || (byte == b'$' && !self.word.is_empty()) {
            self.word.push(byte.to_ascii_lowercase());
            self.push(byte)?;
            return Ok(false);
        }
        let escapes = self.word == b"e";
        self.end_word();
        match byte {
            b';' if self.parentheses == 0 && self.blocks == 0 => return Ok(!self.sql.is_empty()),
            b'\'' => self.state = State::Text { escapes, escaped: false },
            b'"' => self.state = State::Quoted,
            b'$' => self.state = State::Tag(vec![b'$']),
            b'-' if self.sql.ends_with(b"-") => {
                self.sql.pop();
                self.state = State::LineComment;
                return Ok(false);
            }
            b'*' if self.sql.ends_with(b"/") => {
                self.sql.pop();
                self.state = State::BlockComment(1);
                return Ok(false);
            }
            b'(' => self.parentheses += 1,
            b')' => self.parentheses = self.parentheses.saturating_sub(1),
            b'\\' => {
                ensure!(self.sql.is_empty(), "line {} has a backslash in a statement", self.line);
                self.state = State::Command;
                return Ok(false);
            }
            _ if byte.is_ascii_whitespace() && self.sql.is_empty() => return Ok(false),
            _ => (),
        }
        self.push(byte)?;
        Ok(false)
    }

    /// pg_dump writes these two around a dump, so that psql runs no other command within it.
    fn command(&mut self, byte: u8) -> anyhow::Result<()> {
        if byte != b'\n' {
            ensure!(self.comment.len() < 200, "line {} has a command of psql", self.line);
            self.comment.push(byte);
            return Ok(());
        }
        let command = String::from_utf8_lossy(&self.comment).into_owned();
        let is_known = matches!(command.split(' ').next(), Some("restrict" | "unrestrict"));
        ensure!(is_known, "line {} has a command of psql, which is not run: remove it", self.line);
        self.comment.clear();
        self.state = State::Code;
        Ok(())
    }

    fn end_word(&mut self) {
        if self.word.is_empty() {
            return;
        }
        let word = std::mem::take(&mut self.word);
        if is_function(&self.words) && self.parentheses == 0 {
            match word.as_slice() {
                b"begin" => self.blocks += 1,
                b"case" if self.blocks > 0 => self.blocks += 1,
                b"end" => self.blocks = self.blocks.saturating_sub(1),
                _ => (),
            }
        }
        if self.words.len() < 4 {
            self.words.push(word);
        }
    }

    /// Separates what a comment separated.
    fn space(&mut self) {
        if !self.sql.is_empty() {
            self.sql.push(b'\n');
        }
    }

    fn push(&mut self, byte: u8) -> anyhow::Result<()> {
        if self.sql.is_empty() {
            self.starts_at = self.line;
        }
        if self.sql.len() >= MAX_STATEMENT {
            bail!("the statement at line {} is larger than 256 MB", self.starts_at);
        }
        self.sql.push(byte);
        Ok(())
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// `create [or replace] function` or `procedure`: its body may have semicolons.
fn is_function(words: &[Vec<u8>]) -> bool {
    let words: Vec<&[u8]> = words.iter().map(Vec::as_slice).collect();
    matches!(
        words.as_slice(),
        [b"create", b"function" | b"procedure", ..]
            | [b"create", b"or", b"replace", b"function" | b"procedure", ..]
    )
}
