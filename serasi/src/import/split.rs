//! Splits a plain dump into statements and the rows of COPY, as psql does, in bounded memory.

#[cfg(test)]
mod tests;

mod input;
mod state;

use std::io::Read;

use anyhow::{Context, bail, ensure};

use super::tokens::is_word;
use input::{CHUNK, Input, LARGEST};
pub use state::{Entry, Statement};
use state::{LONGEST_COMMENT, State, blocks_after, is_function};

pub struct Splitter<R> {
    input: Input<R>,
    in_rows: bool,
    state: State,
    sql: Vec<u8>,
    starts_at: u64,
    comment: Vec<u8>,
    entry: Option<Entry>,
    /// The current word, and the first words of the statement, in lower case.
    word: Vec<u8>,
    words: Vec<Vec<u8>>,
    parentheses: u32,
    /// Nesting depth of `begin atomic … end` in a function's body.
    blocks: u32,
    complete: bool,
}

impl<R: Read> Splitter<R> {
    pub fn new(source: R) -> Self {
        Self {
            input: Input::new(source),
            in_rows: false,
            state: State::Code,
            sql: Vec::new(),
            starts_at: 1,
            comment: Vec::new(),
            entry: None,
            word: Vec::new(),
            words: Vec::new(),
            parentheses: 0,
            blocks: 0,
            complete: false,
        }
    }

    /// Whether the dump ends as pg_dump or `supabase db dump` ends it. If not, it is truncated.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// The next statement, or `None` at the end.
    ///
    /// # Errors
    /// When the dump can't be read, ends within a statement, or has a command of psql.
    pub fn next(&mut self) -> anyhow::Result<Option<Statement>> {
        self.in_rows = false;
        while let Some(byte) = self.input.byte()? {
            let ended = self.take(byte)?;
            self.input.line += u64::from(byte == b'\n');
            if ended {
                return self.statement().map(Some);
            }
        }
        ensure!(
            self.sql.is_empty() && matches!(self.state, State::Code | State::LineComment),
            "the dump is truncated: it ends within the statement at line {}",
            self.starts_at
        );
        // A last line without a line break.
        self.line_comment(b'\n');
        Ok(None)
    }

    /// Reads some of the rows after `COPY … FROM stdin`. Returns how many, and whether they were the last ones.
    ///
    /// # Errors
    /// When the dump ends before the rows do.
    pub fn rows(&mut self, chunk: &mut Vec<u8>) -> anyhow::Result<(u64, bool)> {
        if !self.in_rows {
            self.in_rows = true;
            // The rest of the statement's line.
            self.input.row(chunk)?;
        }
        chunk.clear();
        let mut rows = 0;
        while chunk.len() < CHUNK {
            let start = chunk.len();
            self.input.row(chunk)?;
            if matches!(&chunk[start..], b"\\.\n" | b"\\.\r\n") {
                chunk.truncate(start);
                return Ok((rows, true));
            }
            rows += 1;
        }
        Ok((rows, false))
    }

    fn statement(&mut self) -> anyhow::Result<Statement> {
        let line = self.starts_at;
        self.words.clear();
        self.blocks = 0;
        let sql = String::from_utf8(std::mem::take(&mut self.sql)).ok().filter(|sql| !sql.contains('\0'));
        let mut sql =
            sql.with_context(|| format!("line {line} is not UTF-8: make the dump with --encoding=UTF8"))?;
        sql.truncate(sql.trim_ascii_end().len());
        self.complete = sql.eq_ignore_ascii_case("reset all");
        Ok(Statement { sql, line, entry: self.entry.clone() })
    }

    /// Whether the statement ends with this byte.
    fn take(&mut self, byte: u8) -> anyhow::Result<bool> {
        match &mut self.state {
            State::Code => return self.code(byte),
            State::LineComment => self.line_comment(byte),
            State::Command => self.command(byte)?,
            State::BlockComment(_) => self.block_comment(byte),
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
            State::Tag(_) => return self.tag(byte),
            State::Body { .. } => self.body(byte)?,
        }
        Ok(false)
    }

    fn block_comment(&mut self, byte: u8) {
        let State::BlockComment(depth) = &mut self.state else { return };
        self.comment.push(byte);
        match self.comment.as_slice() {
            b"*/" => *depth -= 1,
            b"/*" => *depth += 1,
            [_, _] => drop(self.comment.remove(0)),
            _ => (),
        }
        if self.comment.len() == 2 {
            self.comment.clear();
        }
        if *depth == 0 {
            self.state = State::Code;
            self.space();
        }
    }

    /// Handles the byte after a `$` that does not begin a parameter.
    fn tag(&mut self, byte: u8) -> anyhow::Result<bool> {
        let State::Tag(tag) = &mut self.state else { return Ok(false) };
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
        Ok(false)
    }

    fn body(&mut self, byte: u8) -> anyhow::Result<()> {
        let State::Body { tag, start } = &self.state else { return Ok(()) };
        let begins = (self.sql.len() + 1).checked_sub(tag.len()).filter(|begins| begins >= start);
        let closes = byte == b'$' && begins.is_some_and(|begins| self.sql[begins..] == tag[..tag.len() - 1]);
        if closes {
            self.state = State::Code;
        }
        self.push(byte)
    }

    fn line_comment(&mut self, byte: u8) {
        if byte != b'\n' {
            if self.comment.len() < LONGEST_COMMENT {
                self.comment.push(byte);
            }
            return;
        }
        let comment = String::from_utf8_lossy(&self.comment);
        if comment.trim().starts_with("PostgreSQL database") && comment.trim().ends_with("dump complete") {
            self.complete = true;
        }
        if self.sql.is_empty() {
            self.entry = Entry::parse(&comment).or_else(|| self.entry.take());
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
                ensure!(self.sql.is_empty(), "line {} has a backslash in a statement", self.input.line);
                self.state = State::Command;
                return Ok(false);
            }
            _ if byte.is_ascii_whitespace() && self.sql.is_empty() => return Ok(false),
            _ => (),
        }
        self.push(byte)?;
        Ok(false)
    }

    /// Accepts only `\restrict` and `\unrestrict`, which pg_dump writes around a dump to protect psql from other commands.
    fn command(&mut self, byte: u8) -> anyhow::Result<()> {
        if byte != b'\n' {
            ensure!(self.comment.len() < 200, "line {} has a psql command", self.input.line);
            self.comment.push(byte);
            return Ok(());
        }
        let command = String::from_utf8_lossy(&self.comment).into_owned();
        let is_known = matches!(command.split(' ').next(), Some("restrict" | "unrestrict"));
        ensure!(is_known, "line {} has a psql command, which is not run: remove it", self.input.line);
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
            self.blocks = blocks_after(&word, self.blocks);
        }
        if self.words.len() < 4 {
            self.words.push(word);
        }
    }

    /// Separates words that had only a comment between them.
    fn space(&mut self) {
        if !self.sql.is_empty() && !self.sql.ends_with(b"\n") {
            self.sql.push(b'\n');
        }
    }

    fn push(&mut self, byte: u8) -> anyhow::Result<()> {
        if self.sql.is_empty() {
            self.starts_at = self.input.line;
        }
        if self.sql.len() >= LARGEST {
            bail!("the statement at line {} is larger than 256 MB", self.starts_at);
        }
        self.sql.push(byte);
        Ok(())
    }
}
