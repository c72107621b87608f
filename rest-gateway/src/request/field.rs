//! Names in the query string: plain or quoted identifiers, and JSON paths.

use super::scanner::{Parsed, Scanner};

/// A column, optionally followed by JSON arrows: `data->settings->>theme`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Field {
    pub name: String,
    pub path: Vec<JsonStep>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonStep {
    /// `->>` instead of `->`.
    pub as_text: bool,
    pub operand: JsonOperand,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JsonOperand {
    Key(String),
    /// Digits with an optional sign.
    Index(String),
}

pub fn field(s: &mut Scanner) -> Parsed<Field> {
    s.lexeme(|s| Ok(Field { name: name(s)?, path: json_path(s)? }))
}

pub fn name(s: &mut Scanner) -> Parsed<String> {
    s.label("field name (* or [a..z0..9_$])", |s| {
        s.first_of(&[&quoted, &|s| dashed(s, |s| identifier(s).map(str::to_owned))])
    })
}

/// `a.b.c`: the path to an embedded resource, with the column name last.
pub fn dotted(s: &mut Scanner) -> Parsed<Vec<String>> {
    s.separated(name, delimiter)
}

pub fn delimiter(s: &mut Scanner) -> Parsed<()> {
    s.label("delimiter (.)", |s| s.char('.'))
}

pub fn names(s: &mut Scanner) -> Parsed<Vec<String>> {
    s.separated(name, |s| s.lexeme(|s| s.char(',')))
}

/// Letters, digits, `_`, `$` and inner spaces.
pub fn identifier<'a>(s: &mut Scanner<'a>) -> Parsed<&'a str> {
    Ok(s.identifier()?.trim())
}

/// `"…"`, where `\` escapes the next character.
pub fn quoted(s: &mut Scanner) -> Parsed<String> {
    s.char('"')?;
    let mut text = String::new();
    loop {
        text.push_str(s.many(|found| found != '"' && found != '\\'));
        if s.optional(|s| s.char('\\'))?.is_none() {
            break;
        }
        text.push(s.satisfy(|_| true)?);
    }
    s.char('"')?;
    Ok(text)
}

/// Parts joined by `-`, except where the dash starts `->`.
fn dashed(s: &mut Scanner, part: impl Fn(&mut Scanner) -> Parsed<String>) -> Parsed<String> {
    let dash = |s: &mut Scanner| {
        s.attempt(|s| {
            s.char('-')?;
            s.not_followed_by(|found| found == '>')
        })
    };
    Ok(s.separated(part, dash)?.join("-"))
}

pub fn json_path(s: &mut Scanner) -> Parsed<Vec<JsonStep>> {
    let mut path = Vec::new();
    while let Some(as_text) = s.optional(arrow)? {
        path.push(JsonStep { as_text, operand: operand(s)? });
    }
    Ok(path)
}

fn arrow(s: &mut Scanner) -> Parsed<bool> {
    s.word_of(&[("->>", true), ("->", false)])
}

fn operand(s: &mut Scanner) -> Parsed<JsonOperand> {
    s.first_of(&[&|s| s.attempt(index), &|s| s.attempt(|s| key(s).map(JsonOperand::Key))])
}

fn index(s: &mut Scanner) -> Parsed<JsonOperand> {
    let sign = if s.optional(|s| s.char('-'))?.is_some() { '-' } else { '+' };
    let digits = s.digits()?;
    s.before(&["->", "::", ".", ","])?;
    Ok(JsonOperand::Index(format!("{sign}{digits}")))
}

fn key(s: &mut Scanner) -> Parsed<String> {
    s.label("any non reserved character different from: .,>()", |s| {
        let part = |s: &mut Scanner| Ok(s.many1(|found| !"(-:.,>)".contains(found))?.trim().to_owned());
        s.first_of(&[&quoted, &|s| dashed(s, part)])
    })
}
