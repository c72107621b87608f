//! The `order` parameter.

use super::field::{self, Field};
use super::scanner::{Parsed, Scanner};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderTerm {
    /// The embedded to-one resource the field belongs to: `order=clients(name)`.
    pub relation: Option<String>,
    pub field: Field,
    /// A SQL keyword.
    pub direction: Option<&'static str>,
    pub nulls: Option<&'static str>,
}

/// Words, and their SQL keywords.
const DIRECTIONS: [(&str, &str); 2] = [("asc", "ASC"), ("desc", "DESC")];
const NULLS: [(&str, &str); 2] = [("nullsfirst", "NULLS FIRST"), ("nullslast", "NULLS LAST")];

pub fn terms(s: &mut Scanner) -> Parsed<Vec<OrderTerm>> {
    s.separated(|s| s.lexeme(|s| s.first_of(&[&|s| s.attempt(related), &plain])), |s| s.char(','))
}

fn related(s: &mut Scanner) -> Parsed<OrderTerm> {
    let relation = field::name(s)?;
    s.char('(')?;
    let field = field::field(s)?;
    s.char(')')?;
    with_options(s, Some(relation), field)
}

fn plain(s: &mut Scanner) -> Parsed<OrderTerm> {
    let field = field::field(s)?;
    with_options(s, None, field)
}

fn with_options(s: &mut Scanner, relation: Option<String>, field: Field) -> Parsed<OrderTerm> {
    let direction = s.optional(|s| dot_word(s, &DIRECTIONS))?;
    let nulls = s.optional(|s| dot_word(s, &NULLS))?;
    s.before(&[","])?;
    Ok(OrderTerm { relation, field, direction, nulls })
}

fn dot_word(s: &mut Scanner, words: &[(&'static str, &'static str)]) -> Parsed<&'static str> {
    s.attempt(|s| {
        field::delimiter(s)?;
        s.word_of(words)
    })
}
