//! Splits one statement into words, names, strings and symbols.

use std::iter::Peekable;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A keyword, a name or a number.
    Word,
    /// A name in double quotes.
    Quoted,
    /// A string or a body, with its quotes.
    Text,
    Symbol,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token<'a> {
    pub kind: Kind,
    pub text: &'a str,
    /// Where it begins in the statement.
    pub start: usize,
}

impl Token<'_> {
    pub fn is(&self, word: &str) -> bool {
        match self.kind {
            Kind::Word => self.text.eq_ignore_ascii_case(word),
            Kind::Symbol => self.text == word,
            Kind::Quoted | Kind::Text => false,
        }
    }

    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// The name as PostgreSQL stores it.
    pub fn name(&self) -> Option<String> {
        match self.kind {
            Kind::Word => Some(self.text.to_lowercase()),
            Kind::Quoted => Some(self.text[1..self.text.len().max(2) - 1].replace("\"\"", "\"")),
            Kind::Text | Kind::Symbol => None,
        }
    }
}

#[derive(Clone)]
pub struct Tokens<'a> {
    sql: &'a str,
    at: usize,
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let bytes = self.sql.as_bytes();
        while bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) || comment(&bytes[self.at..]) > 0 {
            self.at += comment(&bytes[self.at..]).max(1);
        }
        let (start, first) = (self.at, *bytes.get(self.at)?);
        let ends = bytes[start..].iter().position(|byte| !is_word(*byte) && *byte != b'$');
        let word = ends.unwrap_or(bytes.len() - start);
        let (kind, length) = match first {
            b'e' | b'E' if bytes.get(start + 1) == Some(&b'\'') => {
                (Kind::Text, 1 + length_in_quotes(&bytes[start + 1..], b'\'', true))
            }
            _ if is_word(first) => (Kind::Word, word),
            b'\'' => (Kind::Text, length_in_quotes(&bytes[start..], b'\'', false)),
            b'"' => (Kind::Quoted, length_in_quotes(&bytes[start..], b'"', false)),
            b'$' => match body(&self.sql[start..]) {
                Some(length) => (Kind::Text, length),
                None => (Kind::Symbol, 1),
            },
            _ => (Kind::Symbol, self.sql[start..].chars().next().map_or(1, char::len_utf8)),
        };
        self.at = start + length;
        Some(Token { kind, text: &self.sql[start..self.at], start })
    }
}

/// Whether the byte can be part of a name or a number. Non-ASCII letters can.
pub fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// The length of a comment, which bodies of functions may have. 0 if there is none.
fn comment(bytes: &[u8]) -> usize {
    if bytes.starts_with(b"--") {
        return bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
    }
    if !bytes.starts_with(b"/*") {
        return 0;
    }
    let (mut at, mut depth) = (2, 1);
    while depth > 0 && at < bytes.len() {
        depth = match &bytes[at..] {
            [b'*', b'/', ..] => depth - 1,
            [b'/', b'*', ..] => depth + 1,
            _ => {
                at += 1;
                continue;
            }
        };
        at += 2;
    }
    at
}

/// The length of a quoted string. A doubled quote is part of the string.
fn length_in_quotes(bytes: &[u8], quote: u8, escapes: bool) -> usize {
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if escapes => at += 1,
            byte if byte == quote && bytes.get(at + 1) == Some(&quote) => at += 1,
            byte if byte == quote => return at + 1,
            _ => (),
        }
        at += 1;
    }
    bytes.len()
}

/// The length of a dollar-quoted string.
fn body(sql: &str) -> Option<usize> {
    let tag = sql[1..].find('$')? + 2;
    let name = &sql.as_bytes()[1..tag - 1];
    let is_tag = name.iter().all(|byte| is_word(*byte)) && !name.first().is_some_and(u8::is_ascii_digit);
    let end = || sql[tag..].find(&sql[..tag]).map_or(sql.len(), |end| tag + end + tag);
    is_tag.then(end)
}

/// A name with its schema.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    pub schema: String,
    pub name: String,
}

impl std::fmt::Display for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.schema, self.name)
    }
}

/// Quotes a name for use in a statement.
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Reads a statement from its beginning.
#[derive(Clone)]
pub struct Reader<'a> {
    tokens: Peekable<Tokens<'a>>,
    /// Where reading continues.
    pub at: usize,
}

impl<'a> Reader<'a> {
    pub fn new(sql: &'a str) -> Self {
        Self { tokens: Tokens { sql, at: 0 }.peekable(), at: 0 }
    }

    pub fn peek(&mut self) -> Option<Token<'a>> {
        self.tokens.peek().copied()
    }

    pub fn token(&mut self) -> Option<Token<'a>> {
        let token = self.tokens.next()?;
        self.at = token.end();
        Some(token)
    }

    /// Reads these words if they come next.
    pub fn words(&mut self, words: &str) -> bool {
        let mut ahead = self.clone();
        let all = words.split(' ').all(|word| ahead.token().is_some_and(|token| token.is(word)));
        if all {
            *self = ahead;
        }
        all
    }

    /// A name without a schema.
    pub fn plain_name(&mut self) -> Option<String> {
        self.token()?.name()
    }

    /// A name with its schema. `None` without one.
    pub fn name(&mut self) -> Option<Name> {
        let schema = self.plain_name()?;
        self.words(".").then(|| self.plain_name()).flatten().map(|name| Name { schema, name })
    }

    /// Reads up to and including this word, ignoring words in parentheses.
    pub fn until(&mut self, word: &str) -> bool {
        let mut depth = 0_u32;
        while let Some(token) = self.token() {
            if token.is("(") {
                depth += 1;
            } else if token.is(")") {
                depth = depth.saturating_sub(1);
            } else if depth == 0 && token.is(word) {
                return true;
            }
        }
        false
    }

    /// Names in parentheses, such as columns. `None` if there are none, or if they include anything but
    /// names.
    pub fn names(&mut self) -> Option<Vec<String>> {
        let mut ahead = self.clone();
        if !ahead.words("(") {
            return None;
        }
        let mut names = Vec::new();
        loop {
            names.push(ahead.plain_name()?);
            if ahead.words(")") {
                *self = ahead;
                return Some(names);
            }
            if !ahead.words(",") {
                return None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(sql: &str) -> Vec<&str> {
        Tokens { sql, at: 0 }.map(|token| token.text).collect()
    }

    #[test]
    fn a_statement_has_words_names_texts_and_symbols() {
        let sql = "insert into \"a\"\"b\".c(d) values ('it''s', E'\\'', $x$ $$ $x$, -1.5, $1)";
        let expected = [
            "insert",
            "into",
            "\"a\"\"b\"",
            ".",
            "c",
            "(",
            "d",
            ")",
            "values",
            "(",
            "'it''s'",
            ",",
            "E'\\''",
            ",",
            "$x$ $$ $x$",
            ",",
            "-",
            "1",
            ".",
            "5",
            ",",
            "$",
            "1",
            ")",
        ];
        assert_eq!(texts(sql), expected);
        let mut reader = Reader::new(sql);
        assert!(reader.words("insert into") && !reader.words("values"));
        assert_eq!(reader.name().unwrap().to_string(), "a\"b.c");
        assert_eq!(reader.names().unwrap(), ["d"]);
    }

    #[test]
    fn comments_are_skipped() {
        for sql in ["a -- don't $x$\nb", "a/* don't /* \" */ ' */b", "--'\n/**/a b--", "a b /* '", "a b /"] {
            assert_eq!(texts(sql)[..2], ["a", "b"], "{sql}");
        }
    }

    #[test]
    fn whatever_a_statement_contains_it_is_read_to_its_end() {
        // Every text of up to five of the relevant characters.
        let letters = ["'", "\"", "$", "\\", "e", "a", " ", "é", "(", ";"];
        let mut texts = vec![String::new()];
        for _ in 0..5 {
            texts = texts.iter().flat_map(|text| letters.map(|letter| format!("{text}{letter}"))).collect();
            for text in &texts {
                let ends = Tokens { sql: text, at: 0 }.map(|token| token.end()).max().unwrap_or_default();
                assert!(ends == text.len() || ends == text.trim_end().len(), "{text}");
            }
        }
    }
}
