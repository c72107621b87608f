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

pub fn terms(s: &mut Scanner) -> Parsed<Vec<OrderTerm>> {
    s.separated(|s| s.lexeme(|s| s.either(|s| s.attempt(related), plain)), |s| s.char(','))
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
    let direction = s.optional(|s| either_word(s, ("asc", "ASC"), ("desc", "DESC")))?;
    let nulls = s.optional(|s| either_word(s, ("nullsfirst", "NULLS FIRST"), ("nullslast", "NULLS LAST")))?;
    s.before(&[","])?;
    Ok(OrderTerm { relation, field, direction, nulls })
}

type Word = (&'static str, &'static str);

fn either_word(s: &mut Scanner, first: Word, second: Word) -> Parsed<&'static str> {
    s.either(|s| dot_word(s, first), |s| dot_word(s, second))
}

fn dot_word(s: &mut Scanner, (word, meaning): Word) -> Parsed<&'static str> {
    s.attempt(|s| {
        field::delimiter(s)?;
        s.string(word)?;
        Ok(meaning)
    })
}
