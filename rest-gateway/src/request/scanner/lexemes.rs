//! Words of the query string: identifiers, numbers and blanks.

use super::{Parsed, Scanner};

impl<'a> Scanner<'a> {
    /// Skips blanks before and after a parser.
    pub fn lexeme<T>(&mut self, parser: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.blanks();
        let value = parser(self)?;
        self.blanks();
        Ok(value)
    }

    fn blanks(&mut self) {
        self.many(|found| found == ' ' || found == '\t');
    }

    /// At least one letter, digit, `_`, `$` or blank.
    pub fn identifier(&mut self) -> Parsed<&'a str> {
        let start = self.at;
        self.identifier_character()?;
        while self.optional(Self::identifier_character)?.is_some() {}
        Ok(&self.text[start..self.at])
    }

    fn identifier_character(&mut self) -> Parsed<char> {
        self.first_of(&[
            &|s| s.label("letter", |s| s.satisfy(char::is_alphabetic)),
            &|s| s.label("digit", |s| s.satisfy(|found| found.is_ascii_digit())),
            &|s| s.satisfy(|found| "_ $".contains(found)),
        ])
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
}
