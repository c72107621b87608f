//! A parser for query strings that reports errors like PostgREST's parser (Parsec), because clients see the
//! expected and unexpected input in `message` and `details`.
//!
//! It follows Parsec's rules. A failed parser has "consumed" input if the position has moved since it began;
//! only [`Scanner::attempt`] undoes that. Notes at the same position are combined; notes at a later position
//! replace earlier ones.
//!
//! Collecting notes is much slower than parsing. Therefore a text is first parsed without notes, and again with notes if
//! that fails.

mod lexemes;

use super::parse_error::{ParseError, ParseNote, syntax_error};
use crate::error_body::Rejection;

/// A parser failed. The scanner holds the notes.
#[derive(Debug, Clone, Copy)]
pub struct Failed;

pub type Parsed<T> = Result<T, Failed>;

/// One of several parsers.
pub type Alternative<'p, 'a, T> = &'p dyn Fn(&mut Scanner<'a>) -> Parsed<T>;

pub struct Scanner<'a> {
    text: &'a str,
    at: usize,
    takes_notes: bool,
    error: ParseError,
}

/// Parses all of `text`. The error message begins with "failed to parse `what` (`text`)".
pub fn read<'a, T>(
    what: &str,
    text: &'a str,
    parser: impl Fn(&mut Scanner<'a>) -> Parsed<T>,
) -> Result<T, Rejection> {
    read_as(what, text, text, parser)
}

/// Like [`read`], but the error message quotes `shown`, which is the text that the client wrote.
pub fn read_as<'a, T>(
    what: &str,
    shown: &str,
    text: &'a str,
    parser: impl Fn(&mut Scanner<'a>) -> Parsed<T>,
) -> Result<T, Rejection> {
    let scanner = |takes_notes| Scanner { text, at: 0, takes_notes, error: ParseError::default() };
    if let Ok(read) = parser(&mut scanner(false)) {
        return Ok(read);
    }
    let mut scanner = scanner(true);
    parser(&mut scanner).map_err(|Failed| scanner.explain(&format!("failed to parse {what} ({shown})")))
}

impl<'a> Scanner<'a> {
    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn consume(&mut self, length: usize) {
        self.at += length;
        self.error.clear(self.at);
    }

    fn note(&mut self, at: usize, notes: &[ParseNote]) {
        if self.takes_notes {
            self.error.merge(ParseError::new(at, notes));
        }
    }

    /// One character that `accept` allows.
    pub fn satisfy(&mut self, accept: impl Fn(char) -> bool) -> Parsed<char> {
        match self.peek() {
            Some(found) if accept(found) => {
                self.consume(found.len_utf8());
                Ok(found)
            }
            found => {
                self.note(self.at, &[ParseNote::Found(found)]);
                Err(Failed)
            }
        }
    }

    pub fn char(&mut self, wanted: char) -> Parsed<()> {
        let found = self.peek();
        if found == Some(wanted) {
            self.consume(wanted.len_utf8());
            return Ok(());
        }
        self.note(self.at, &[ParseNote::Found(found), ParseNote::ExpectedChar(wanted)]);
        Err(Failed)
    }

    /// Any number of characters that `accept` allows.
    pub fn many(&mut self, accept: impl Fn(char) -> bool) -> &'a str {
        let start = self.at;
        let length = self.text[start..].find(|found| !accept(found)).unwrap_or(self.text.len() - start);
        if length > 0 {
            self.consume(length);
        }
        let found = self.peek();
        self.note(self.at, &[ParseNote::Found(found)]);
        &self.text[start..start + length]
    }

    pub fn many1(&mut self, accept: impl Fn(char) -> bool + Copy) -> Parsed<&'a str> {
        let start = self.at;
        self.satisfy(accept)?;
        self.many(accept);
        Ok(&self.text[start..self.at])
    }

    /// Exactly this word. As in Parsec, a partial match counts as consumed, but is reported at the start of
    /// the word.
    pub fn string(&mut self, wanted: &'static str) -> Parsed<()> {
        let rest = &self.text[self.at..];
        if rest.starts_with(wanted) {
            self.consume(wanted.len());
            return Ok(());
        }
        let start = self.at;
        let common = rest.chars().zip(wanted.chars()).take_while(|(found, expected)| found == expected);
        let length: usize = common.map(|(found, _)| found.len_utf8()).sum();
        let found = rest[length..].chars().next();
        if length > 0 {
            self.at += length;
            self.error.clear(start);
        }
        self.note(start, &[ParseNote::Found(found), ParseNote::ExpectedWord(wanted)]);
        Err(Failed)
    }

    /// The word in any letter case, character by character.
    pub fn string_any_case(&mut self, wanted: &'static str) -> Parsed<()> {
        for letter in wanted.chars() {
            self.first_of(&[&|s| s.char(letter), &|s| s.char(letter.to_ascii_uppercase())])?;
        }
        Ok(())
    }

    pub fn end(&mut self) -> Parsed<()> {
        self.label("end of input", |s| s.not_followed_by(|_| true))
    }

    /// Fails, without consuming anything, if `accept` allows the next character.
    pub fn not_followed_by(&mut self, accept: impl Fn(char) -> bool) -> Parsed<()> {
        match self.peek() {
            Some(found) if accept(found) => {
                self.note(self.at, &[ParseNote::Unexpected(found)]);
                Err(Failed)
            }
            _ => Ok(()),
        }
    }

    /// Checks that `word` comes next without consuming it. A failure consumes nothing.
    pub fn ahead(&mut self, word: &'static str) -> Parsed<()> {
        let (at, error) = (self.at, self.error.clone());
        let result = self.string(word);
        self.at = at;
        if result.is_ok() {
            self.error = error;
        }
        result
    }

    /// Tries each parser if those before it failed without consuming input.
    pub fn first_of<T>(&mut self, parsers: &[Alternative<'_, 'a, T>]) -> Parsed<T> {
        let start = self.at;
        for parser in parsers {
            match parser(self) {
                Err(Failed) if self.at == start => {}
                result => return result,
            }
        }
        Err(Failed)
    }

    /// One of the words, with its meaning. A failure consumes nothing.
    pub fn word_of<T: Copy>(&mut self, words: &[(&'static str, T)]) -> Parsed<T> {
        let found = words.iter().find(|(word, _)| self.attempt(|s| s.string(word)).is_ok());
        found.map(|(_, meaning)| *meaning).ok_or(Failed)
    }

    /// Checks that one of the words or the end comes next, without consuming it.
    pub fn before(&mut self, words: &[&'static str]) -> Parsed<()> {
        if words.iter().any(|word| self.attempt(|s| s.ahead(word)).is_ok()) {
            return Ok(());
        }
        self.attempt(Self::end)
    }

    /// A failure of `parser` counts as having consumed nothing; its notes are kept.
    pub fn attempt<T>(&mut self, parser: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let (start, before) = (self.at, self.error.clone());
        let result = parser(self);
        if result.is_err() && self.at != start {
            self.at = start;
            let failure = std::mem::replace(&mut self.error, before);
            self.error.merge(failure);
        }
        result
    }

    pub fn optional<T>(&mut self, parser: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<Option<T>> {
        let start = self.at;
        match parser(self) {
            Ok(value) => Ok(Some(value)),
            Err(Failed) if self.at == start => Ok(None),
            Err(Failed) => Err(Failed),
        }
    }

    /// Reports "expecting `name`" if the parser fails without consuming input.
    pub fn label<T>(&mut self, name: &'static str, parser: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if !self.takes_notes {
            return parser(self);
        }
        let start = self.at;
        let before = std::mem::replace(&mut self.error, ParseError::new(start, &[]));
        let result = parser(self);
        if self.at == start {
            if result.is_err() || !self.error.is_empty() {
                self.error.expect_only(name);
            }
            let own = std::mem::replace(&mut self.error, before);
            self.error.merge(own);
        }
        result
    }

    pub fn separated<T>(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Parsed<T>,
        mut separator: impl FnMut(&mut Self) -> Parsed<()>,
    ) -> Parsed<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.optional(&mut separator)?.is_some() {
            items.push(item(self)?);
        }
        Ok(items)
    }

    fn explain(&self, source: &str) -> Rejection {
        let column = self.text[..self.error.at].chars().count() + 1;
        syntax_error(format!("\"{source}\" (line 1, column {column})"), self.error.explanation())
    }
}
