//! The messages of parse errors.

use std::borrow::Cow;

use crate::error_body::{ErrorBody, Rejection};

/// A parse error with PostgREST's wording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SyntaxError {
    pub message: String,
    pub details: String,
}

impl From<SyntaxError> for Rejection {
    fn from(error: SyntaxError) -> Self {
        ErrorBody::bad_request("PGRST100", error.message).details(error.details)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ParseNote {
    /// The unexpected input as a primitive parser reports it; empty at the end of the input.
    Found(String),
    Unexpected(String),
    Expected(Cow<'static, str>),
}

/// Formats a character like Parsec's primitive parsers do.
pub fn shown(found: char) -> String {
    match found {
        '"' => "\"\\\"\"".to_owned(),
        '\\' => "\"\\\\\"".to_owned(),
        '\n' => "\"\\n\"".to_owned(),
        '\t' => "\"\\t\"".to_owned(),
        found if found.is_ascii() => format!("\"{found}\""),
        found => format!("\"\\{}\"", u32::from(found)),
    }
}

pub fn explanation(notes: &[ParseNote]) -> String {
    if notes.is_empty() {
        return "unknown parse error".to_owned();
    }
    let unexpected =
        texts(notes, |note| if let ParseNote::Unexpected(text) = note { Some(text) } else { None });
    let found = texts(notes, |note| if let ParseNote::Found(text) = note { Some(text) } else { None });
    let expected = texts(notes, |note| if let ParseNote::Expected(text) = note { Some(text) } else { None });
    let mut lines = Vec::new();
    if unexpected.is_empty() {
        match found.first() {
            Some(&"") => lines.push("unexpected end of input".to_owned()),
            Some(text) => lines.push(format!("unexpected {text}")),
            None => {}
        }
    } else {
        lines.push(format!("unexpected {}", listed(&unexpected)));
    }
    if !expected.is_empty() {
        lines.push(format!("expecting {}", listed(&expected)));
    }
    lines.join(" ")
}

fn texts<'a>(notes: &'a [ParseNote], pick: impl Fn(&'a ParseNote) -> Option<&'a str>) -> Vec<&'a str> {
    notes.iter().filter_map(pick).collect()
}

fn listed(words: &[&str]) -> String {
    let mut unique: Vec<&str> = Vec::new();
    for word in words.iter().filter(|word| !word.is_empty()) {
        if !unique.contains(word) {
            unique.push(word);
        }
    }
    match unique.split_last() {
        None => String::new(),
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
    }
}
