//! Horizontal filters: `column=operator.value`, and logic trees in `and=(…)` and `or=(…)`.

use super::field::{self, Field};
use super::scanner::{Failed, Parsed, Scanner};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    pub field: Field,
    pub condition: Condition,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    pub negated: bool,
    pub operation: Operation,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operation {
    /// `symbol` is a SQL operator.
    Simple {
        symbol: &'static str,
        value: String,
    },
    Quantified {
        symbol: &'static str,
        quantifier: Option<Quantifier>,
        value: String,
    },
    In(Vec<String>),
    Is(&'static str),
    IsDistinctFrom(String),
    FullText {
        function: &'static str,
        language: Option<String>,
        value: String,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantifier {
    Any,
    All,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LogicTree {
    Filter(Filter),
    Group { negated: bool, operator: LogicOperator, members: Vec<LogicTree> },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogicOperator {
    And,
    Or,
}

/// What follows the word of an operator.
#[derive(Clone, Copy)]
enum Operator {
    /// A value, for a SQL operator.
    Simple(&'static str),
    /// The same, or `(any)` or `(all)` and an array.
    Quantifiable(&'static str),
    /// A query, or a language in parentheses and a query, for a function.
    FullText(&'static str),
}

/// A longer word precedes a shorter one that it starts with.
const OPERATORS: [(&str, Operator); 22] = [
    ("fts", Operator::FullText("to_tsquery")),
    ("plfts", Operator::FullText("plainto_tsquery")),
    ("phfts", Operator::FullText("phraseto_tsquery")),
    ("wfts", Operator::FullText("websearch_to_tsquery")),
    ("neq", Operator::Simple("<>")),
    ("cs", Operator::Simple("@>")),
    ("cd", Operator::Simple("<@")),
    ("ov", Operator::Simple("&&")),
    ("sl", Operator::Simple("<<")),
    ("sr", Operator::Simple(">>")),
    ("nxr", Operator::Simple("&<")),
    ("nxl", Operator::Simple("&>")),
    ("adj", Operator::Simple("-|-")),
    ("eq", Operator::Quantifiable("=")),
    ("gte", Operator::Quantifiable(">=")),
    ("gt", Operator::Quantifiable(">")),
    ("lte", Operator::Quantifiable("<=")),
    ("lt", Operator::Quantifiable("<")),
    ("like", Operator::Quantifiable("like")),
    ("ilike", Operator::Quantifiable("ilike")),
    ("match", Operator::Quantifiable("~")),
    ("imatch", Operator::Quantifiable("~*")),
];
const QUANTIFIERS: [(&str, Quantifier); 2] = [("any", Quantifier::Any), ("all", Quantifier::All)];
const LOGIC: [(&str, LogicOperator); 2] = [("and", LogicOperator::And), ("or", LogicOperator::Or)];
const IS: [(&str, &str); 5] = [
    ("null", "NULL"),
    ("not_null", "NOT NULL"),
    ("true", "TRUE"),
    ("false", "FALSE"),
    ("unknown", "UNKNOWN"),
];

/// Maximum nesting depth of `and(…)` and `or(…)`.
const MAX_DEPTH: usize = 50;

/// The value of a top-level filter: the rest of the text is the operand.
pub fn condition(s: &mut Scanner) -> Parsed<Condition> {
    condition_with(s, |s| Ok(s.rest().to_owned()))
}

fn condition_with(s: &mut Scanner, value: Value) -> Parsed<Condition> {
    let negated = s.optional(|s| keyword(s, "not"))?.is_some();
    let operation = s.label("operator (eq, gt, ...)", |s| operation(s, value))?;
    Ok(Condition { negated, operation })
}

type Value = fn(&mut Scanner) -> Parsed<String>;

fn operation(s: &mut Scanner, value: Value) -> Parsed<Operation> {
    s.first_of(&[&in_list, &is, &|s| is_distinct(s, value), &|s| s.attempt(|s| comparison(s, value))])
}

/// Reads the word and the following dot, or nothing.
fn keyword(s: &mut Scanner, word: &'static str) -> Parsed<()> {
    s.attempt(|s| {
        s.string(word)?;
        field::delimiter(s)
    })
}

fn in_list(s: &mut Scanner) -> Parsed<Operation> {
    keyword(s, "in")?;
    list(s).map(Operation::In)
}

fn is(s: &mut Scanner) -> Parsed<Operation> {
    keyword(s, "is")?;
    s.label("isVal: (null, not_null, true, false, unknown)", |s| {
        let found = IS.iter().find(|(word, _)| s.attempt(|s| s.string_any_case(word)).is_ok());
        found.map(|(_, meaning)| Operation::Is(meaning)).ok_or(Failed)
    })
}

fn is_distinct(s: &mut Scanner, value: Value) -> Parsed<Operation> {
    keyword(s, "isdistinct")?;
    value(s).map(Operation::IsDistinctFrom)
}

fn comparison(s: &mut Scanner, value: Value) -> Parsed<Operation> {
    let operator = s.word_of(&OPERATORS)?;
    let (mut language, mut quantifier) = (None, None);
    match operator {
        Operator::Simple(_) => {}
        Operator::Quantifiable(_) => quantifier = in_parentheses(s, |s| s.word_of(&QUANTIFIERS))?,
        Operator::FullText(_) => language = in_parentheses(s, |s| field::identifier(s).map(str::to_owned))?,
    }
    field::delimiter(s)?;
    let value = value(s)?;
    Ok(match operator {
        Operator::Simple(symbol) => Operation::Simple { symbol, value },
        Operator::Quantifiable(symbol) => Operation::Quantified { symbol, quantifier, value },
        Operator::FullText(function) => Operation::FullText { function, language, value },
    })
}

fn in_parentheses<T>(s: &mut Scanner, inner: fn(&mut Scanner) -> Parsed<T>) -> Parsed<Option<T>> {
    s.optional(|s| {
        s.attempt(|s| {
            s.char('(')?;
            let value = inner(s)?;
            s.char(')')?;
            Ok(value)
        })
    })
}

/// `(a,"b,c",d)`
fn list(s: &mut Scanner) -> Parsed<Vec<String>> {
    s.lexeme(|s| s.char('('))?;
    let values = s.separated(element, |s| s.char(','))?;
    s.lexeme(|s| s.char(')'))?;
    Ok(values)
}

fn element(s: &mut Scanner) -> Parsed<String> {
    s.first_of(&[&quoted_element, &|s| Ok(s.many(inside_list).to_owned())])
}

/// A quoted value must span the whole element.
fn quoted_element(s: &mut Scanner) -> Parsed<String> {
    s.attempt(|s| {
        let text = field::quoted(s)?;
        s.not_followed_by(inside_list)?;
        Ok(text)
    })
}

fn inside_list(found: char) -> bool {
    found != ',' && found != ')'
}

/// The value of a filter inside `and(…)` ends at `,` or `)`, unless it is quoted or an array in braces.
fn logic_value(s: &mut Scanner) -> Parsed<String> {
    s.first_of(&[&quoted_element, &|s| s.attempt(array_literal), &|s| Ok(s.many(inside_list).to_owned())])
}

fn array_literal(s: &mut Scanner) -> Parsed<String> {
    s.string("{")?;
    let inner = s.many(|found| found != '{' && found != '}');
    s.string("}")?;
    Ok(format!("{{{inner}}}"))
}

pub fn logic_tree(s: &mut Scanner) -> Parsed<LogicTree> {
    logic_tree_at(s, 0)
}

fn logic_tree_at(s: &mut Scanner, depth: usize) -> Parsed<LogicTree> {
    if depth > MAX_DEPTH {
        return Err(Failed);
    }
    s.first_of(&[&|s| s.attempt(logic_filter).map(LogicTree::Filter), &|s| logic_group(s, depth)])
}

fn logic_group(s: &mut Scanner, depth: usize) -> Parsed<LogicTree> {
    let negated = s.label("negation operator (not)", |s| s.optional(|s| keyword(s, "not")))?.is_some();
    let operator = s.label("logic operator (and, or)", |s| s.word_of(&LOGIC))?;
    s.lexeme(|s| s.char('('))?;
    let members = s.separated(|s| logic_tree_at(s, depth + 1), |s| s.lexeme(|s| s.char(',')))?;
    s.lexeme(|s| s.char(')'))?;
    Ok(LogicTree::Group { negated, operator, members })
}

fn logic_filter(s: &mut Scanner) -> Parsed<Filter> {
    let field = field::field(s)?;
    field::delimiter(s)?;
    Ok(Filter { field, condition: condition_with(s, logic_value)? })
}
