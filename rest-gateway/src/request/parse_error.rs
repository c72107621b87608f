//! What a parser expected, and where, in PostgREST's wording.

use crate::error_body::{ErrorBody, Rejection};

pub fn syntax_error(message: String, details: String) -> Rejection {
    ErrorBody::bad_request("PGRST100", message).details(details)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParseNote {
    /// The unexpected input as a primitive parser reports it; `None` at the end of the input.
    Found(Option<char>),
    Unexpected(char),
    ExpectedChar(char),
    ExpectedWord(&'static str),
    /// A name for what was expected.
    Expected(&'static str),
}

impl ParseNote {
    fn expected(self) -> Option<String> {
        match self {
            Self::ExpectedChar(wanted) => Some(shown(wanted)),
            Self::ExpectedWord(wanted) => Some(format!("\"{wanted}\"")),
            Self::Expected(name) => Some(name.to_owned()),
            Self::Found(_) | Self::Unexpected(_) => None,
        }
    }
}

/// The notes at the last position that a parser has reached.
#[derive(Debug, Default, Clone)]
pub struct ParseError {
    pub at: usize,
    notes: Vec<ParseNote>,
}

impl ParseError {
    pub fn new(at: usize, notes: &[ParseNote]) -> Self {
        Self { at, notes: notes.to_vec() }
    }

    pub fn is_empty(&self) -> bool {
        self.notes.is_empty()
    }

    pub fn clear(&mut self, at: usize) {
        self.at = at;
        self.notes.clear();
    }

    /// Combines notes at the same position. Notes at a later position replace earlier ones.
    pub fn merge(&mut self, other: Self) {
        if other.is_empty() {
            return;
        }
        if self.is_empty() || other.at > self.at {
            *self = other;
        } else if other.at == self.at {
            self.notes.extend(other.notes);
        }
    }

    /// Replaces all notes about expected input.
    pub fn expect_only(&mut self, name: &'static str) {
        self.notes.retain(|note| note.expected().is_none());
        self.notes.push(ParseNote::Expected(name));
    }

    pub fn explanation(&self) -> String {
        let texts = |pick: &dyn Fn(&ParseNote) -> Option<String>| -> Vec<String> {
            self.notes.iter().filter_map(pick).collect()
        };
        let unexpected = texts(&|note| match note {
            ParseNote::Unexpected(found) => Some(format!("'{found}'")),
            _ => None,
        });
        let found = texts(&|note| match note {
            ParseNote::Found(found) => Some(found.map_or_else(|| "end of input".to_owned(), shown)),
            _ => None,
        });
        let unexpected = if unexpected.is_empty() { found.into_iter().take(1).collect() } else { unexpected };
        let expected = texts(&|note| note.expected());
        let lines = [("unexpected", unexpected), ("expecting", expected)];
        let lines = lines.into_iter().filter(|(_, words)| !words.is_empty());
        let lines: Vec<String> = lines.map(|(what, words)| format!("{what} {}", listed(words))).collect();
        if lines.is_empty() { "unknown parse error".to_owned() } else { lines.join(" ") }
    }
}

/// Formats a character like Parsec's primitive parsers do.
fn shown(found: char) -> String {
    match found {
        '"' => "\"\\\"\"".to_owned(),
        '\\' => "\"\\\\\"".to_owned(),
        '\n' => "\"\\n\"".to_owned(),
        '\t' => "\"\\t\"".to_owned(),
        found if found.is_ascii() => format!("\"{found}\""),
        found => format!("\"\\{}\"", u32::from(found)),
    }
}

fn listed(words: Vec<String>) -> String {
    let mut unique: Vec<String> = Vec::new();
    for word in words {
        if !unique.contains(&word) {
            unique.push(word);
        }
    }
    match unique.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => unique.concat(),
    }
}
