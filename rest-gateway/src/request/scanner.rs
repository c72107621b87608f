//! A reader of query-string text that keeps, beside its place, why it could not go on: the same
//! account of expected and unexpected input that PostgREST's parser (Parsec) gives, because clients
//! and tests see it in `message` and `details`.
//!
//! The rules are Parsec's. A failure "consumed" when the place moved since the alternative began;
//! only [`Scanner::attempt`] undoes that. Remarks at one place add up, those further on win.
//!
//! Remarks take far longer than reading, so a text is read without them first, and again with them if that fails.

pub use super::syntax::SyntaxError;
use super::syntax::{Remark, explanation, shown};

/// A parser failed; what was wrong is in the scanner.
#[derive(Debug, Clone, Copy)]
pub struct Failed;

pub type Parsed<T> = Result<T, Failed>;

#[derive(Debug, Default, Clone)]
struct Trouble {
    at: usize,
    remarks: Vec<Remark>,
}

pub struct Scanner<'a> {
    text: &'a str,
    at: usize,
    remarks: bool,
    trouble: Trouble,
}

/// Reads all of `text`, or says why not: "failed to parse `what` (`text`)".
pub fn read<'a, T>(
    what: &str,
    text: &'a str,
    parser: impl Fn(&mut Scanner<'a>) -> Parsed<T>,
) -> Result<T, SyntaxError> {
    read_as(what, text, text, parser)
}

/// The same for a text that the client wrote differently: as `shown`.
pub fn read_as<'a, T>(
    what: &str,
    shown: &str,
    text: &'a str,
    parser: impl Fn(&mut Scanner<'a>) -> Parsed<T>,
) -> Result<T, SyntaxError> {
    let scanner = |remarks| Scanner { text, at: 0, remarks, trouble: Trouble::default() };
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
        self.trouble.at = self.at;
        self.trouble.remarks.clear();
    }

    fn remark<const N: usize>(&mut self, at: usize, remarks: impl FnOnce() -> [Remark; N]) {
        if self.remarks {
            let trouble = Trouble { at, remarks: remarks().into() };
            self.merge(trouble);
        }
    }

    fn merge(&mut self, other: Trouble) {
        if other.remarks.is_empty() {
            return;
        }
        if self.trouble.remarks.is_empty() || other.at > self.trouble.at {
            self.trouble = other;
        } else if other.at == self.trouble.at {
            self.trouble.remarks.extend(other.remarks);
        }
    }

    /// One character that `accept`s.
    pub fn satisfy(&mut self, accept: impl Fn(char) -> bool) -> Parsed<char> {
        match self.peek() {
            Some(found) if accept(found) => {
                self.consume(found.len_utf8());
                Ok(found)
            }
            found => {
                self.remark(self.at, || [Remark::Found(found.map(shown).unwrap_or_default())]);
                Err(Failed)
            }
        }
    }

    pub fn char(&mut self, wanted: char) -> Parsed<()> {
        if self.peek() == Some(wanted) {
            self.consume(wanted.len_utf8());
            return Ok(());
        }
        let found = self.peek();
        self.remark(self.at, || {
            [Remark::Found(found.map(shown).unwrap_or_default()), Remark::Expected(shown(wanted).into())]
        });
        Err(Failed)
    }

    /// Some characters, as many as `accept` (none is fine).
    pub fn many(&mut self, accept: impl Fn(char) -> bool) -> &'a str {
        let start = self.at;
        let length = self.text[start..].find(|found| !accept(found)).unwrap_or(self.text.len() - start);
        if length > 0 {
            self.consume(length);
        }
        let found = self.peek();
        self.remark(self.at, || [Remark::Found(found.map(shown).unwrap_or_default())]);
        &self.text[start..start + length]
    }

    pub fn many1(&mut self, accept: impl Fn(char) -> bool + Copy) -> Parsed<&'a str> {
        let start = self.at;
        self.satisfy(accept)?;
        self.many(accept);
        Ok(&self.text[start..self.at])
    }

    /// Exactly this word. Like Parsec's, a partial match counts as consumed, but is reported where
    /// the word began.
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
            self.trouble = Trouble { at: start, remarks: Vec::new() };
        }
        self.remark(start, || {
            let found = found.map(shown).unwrap_or_default();
            [Remark::Found(found), Remark::Expected(format!("\"{wanted}\"").into())]
        });
        Err(Failed)
    }

    /// The same word in any mix of cases; character by character.
    pub fn string_any_case(&mut self, wanted: &'static str) -> Parsed<()> {
        for letter in wanted.chars() {
            self.either(|s| s.char(letter), |s| s.char(letter.to_ascii_uppercase()))?;
        }
        Ok(())
    }

    pub fn end(&mut self) -> Parsed<()> {
        self.label("end of input", |s| match s.peek() {
            None => Ok(()),
            Some(found) => {
                s.remark(s.at, || [Remark::Unexpected(format!("'{found}'"))]);
                Err(Failed)
            }
        })
    }

    /// Fails, without moving, where `accept` would take the next character.
    pub fn not_followed_by(&mut self, accept: impl Fn(char) -> bool) -> Parsed<()> {
        match self.peek() {
            Some(found) if accept(found) => {
                self.remark(self.at, || [Remark::Unexpected(format!("'{found}'"))]);
                Err(Failed)
            }
            _ => Ok(()),
        }
    }

    /// Looks whether `word` is next without reading it; a failure consumes nothing.
    pub fn ahead(&mut self, word: &'static str) -> Parsed<()> {
        let (at, trouble) = (self.at, self.trouble.clone());
        let result = self.string(word);
        self.at = at;
        if result.is_ok() {
            self.trouble = trouble;
        }
        result
    }

    /// `second` is tried when `first` failed without consuming.
    pub fn either<T>(
        &mut self,
        first: impl FnOnce(&mut Self) -> Parsed<T>,
        second: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<T> {
        let start = self.at;
        match first(self) {
            Err(Failed) if self.at == start => second(self),
            result => result,
        }
    }

    /// A failure of `parser` counts as if it had read nothing; its remark stays.
    pub fn attempt<T>(&mut self, parser: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let (start, before) = (self.at, self.trouble.clone());
        let result = parser(self);
        if result.is_err() && self.at != start {
            self.at = start;
            let failure = std::mem::replace(&mut self.trouble, before);
            self.merge(failure);
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

    /// Says "expecting `name`" for a parser that fails where it began.
    pub fn label<T>(&mut self, name: &'static str, parser: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if !self.remarks {
            return parser(self);
        }
        let start = self.at;
        let before = std::mem::replace(&mut self.trouble, Trouble { at: start, remarks: Vec::new() });
        let result = parser(self);
        if self.at == start {
            if result.is_err() || !self.trouble.remarks.is_empty() {
                self.trouble.remarks.retain(|remark| !matches!(remark, Remark::Expected(_)));
                self.trouble.remarks.push(Remark::Expected(name.into()));
            }
            let own = std::mem::replace(&mut self.trouble, before);
            self.merge(own);
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

    /// Blanks around a parser belong to it.
    pub fn lexeme<T>(&mut self, parser: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.blanks();
        let value = parser(self)?;
        self.blanks();
        Ok(value)
    }

    fn blanks(&mut self) {
        self.many(|found| found == ' ' || found == '\t');
    }

    /// Letters, digits, `_`, `$` and blanks, at least one.
    pub fn identifier(&mut self) -> Parsed<&'a str> {
        let start = self.at;
        self.identifier_character()?;
        while self.optional(Self::identifier_character)?.is_some() {}
        Ok(&self.text[start..self.at])
    }

    fn identifier_character(&mut self) -> Parsed<char> {
        self.either(
            |s| s.label("letter", |s| s.satisfy(char::is_alphabetic)),
            |s| {
                s.either(
                    |s| s.label("digit", |s| s.satisfy(|found| found.is_ascii_digit())),
                    |s| s.satisfy(|found| "_ $".contains(found)),
                )
            },
        )
    }

    pub fn digits(&mut self) -> Parsed<&'a str> {
        let start = self.at;
        let digit = |s: &mut Self| s.label("digit", |s| s.satisfy(|found| found.is_ascii_digit()));
        digit(self)?;
        while self.optional(digit)?.is_some() {}
        Ok(&self.text[start..self.at])
    }

    pub fn rest(&mut self) -> &'a str {
        self.many(|_| true)
    }

    fn explain(&self, source: &str) -> SyntaxError {
        let column = self.text[..self.trouble.at].chars().count() + 1;
        SyntaxError {
            message: format!("\"{source}\" (line 1, column {column})"),
            details: explanation(&self.trouble.remarks),
        }
    }
}
