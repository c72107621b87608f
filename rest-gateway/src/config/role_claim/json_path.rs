//! JSON paths (RFC 9535). As in PostgREST, the only function is `search`. The libraries for JSON paths need a parser
//! generator and a large crate for regular expressions.

mod format;
mod parser;

use regex_lite::Regex;
use serde_json::Value;

#[derive(Debug, Clone, PartialEq)]
pub struct JsonPath(Vec<Segment>);

#[derive(Debug, Clone, PartialEq)]
struct Segment {
    /// Applies to the values at all depths.
    descends: bool,
    /// The segment is written with a dot instead of brackets.
    is_dotted: bool,
    selectors: Vec<Selector>,
}

#[derive(Debug, Clone, PartialEq)]
enum Selector {
    Name(String),
    Wildcard,
    Index(i64),
    Slice { start: Option<i64>, end: Option<i64>, step: Option<i64> },
    Filter(Condition),
}

#[derive(Debug, Clone, PartialEq)]
enum Condition {
    Any(Vec<Condition>),
    All(Vec<Condition>),
    Not(Box<Condition>),
    InParentheses(Box<Condition>),
    Exists(Query),
    Search(Operand, Operand),
    Compare(Operand, Comparison, Operand),
}

#[derive(Debug, Clone, PartialEq)]
enum Operand {
    Literal(Value),
    Query(Query),
}

#[derive(Debug, Clone, PartialEq)]
struct Query {
    /// The path begins at the root (`$`) instead of the current value (`@`).
    from_root: bool,
    segments: Vec<Segment>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Equal,
    NotEqual,
    AtMost,
    AtLeast,
    Less,
    Greater,
}

impl JsonPath {
    /// Returns `None` when the text is not a path, or the root alone.
    pub fn parse(text: &str) -> Option<Self> {
        parser::parse(text).filter(|segments| !segments.is_empty()).map(Self)
    }

    pub fn find<'v>(&self, root: &'v Value) -> Option<&'v Value> {
        select(&self.0, root, root).first().copied()
    }
}

fn select<'v>(segments: &[Segment], from: &'v Value, root: &'v Value) -> Vec<&'v Value> {
    segments.iter().fold(vec![from], |values, segment| {
        let mut selected = Vec::new();
        for value in values {
            segment.select(value, root, &mut selected);
        }
        selected
    })
}

fn children(value: &Value) -> Vec<&Value> {
    match value {
        Value::Array(items) => items.iter().collect(),
        Value::Object(members) => members.values().collect(),
        _ => Vec::new(),
    }
}

impl Segment {
    fn select<'v>(&self, value: &'v Value, root: &'v Value, selected: &mut Vec<&'v Value>) {
        for selector in &self.selectors {
            selector.select(value, root, selected);
        }
        if self.descends {
            for child in children(value) {
                self.select(child, root, selected);
            }
        }
    }
}

impl Selector {
    fn select<'v>(&self, value: &'v Value, root: &'v Value, selected: &mut Vec<&'v Value>) {
        match self {
            Self::Name(name) => selected.extend(value.get(name)),
            Self::Wildcard => selected.extend(children(value)),
            Self::Index(index) => {
                let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
                let from_start = if *index < 0 { index + length(items) } else { *index };
                selected.extend(usize::try_from(from_start).ok().and_then(|index| items.get(index)));
            }
            Self::Slice { start, end, step } => {
                let items = value.as_array().map(Vec::as_slice).unwrap_or_default();
                let indices = indices(*start, *end, step.unwrap_or(1), length(items));
                selected.extend(indices.filter_map(|index| items.get(usize::try_from(index).ok()?)));
            }
            Self::Filter(condition) => {
                selected.extend(children(value).into_iter().filter(|child| condition.holds(child, root)));
            }
        }
    }
}

fn length(items: &[Value]) -> i64 {
    i64::try_from(items.len()).unwrap_or(i64::MAX)
}

/// The indices of a slice. None are negative.
fn indices(start: Option<i64>, end: Option<i64>, step: i64, length: i64) -> impl Iterator<Item = i64> {
    let from_start = |index: i64| if index < 0 { index + length } else { index };
    let (first, last) = if step < 0 {
        let first = start.map_or(length - 1, from_start).clamp(-1, length - 1);
        (first, end.map_or(-1, |end| from_start(end).clamp(-1, length - 1)))
    } else {
        let first = start.map_or(0, from_start).clamp(0, length);
        (first, end.map_or(length, |end| from_start(end).clamp(0, length)))
    };
    let is_inside = move |index: &i64| if step < 0 { *index > last } else { step > 0 && *index < last };
    std::iter::successors(Some(first), move |index| index.checked_add(step)).take_while(is_inside)
}

impl Condition {
    fn holds(&self, value: &Value, root: &Value) -> bool {
        match self {
            Self::Any(all) => all.iter().any(|condition| condition.holds(value, root)),
            Self::All(all) => all.iter().all(|condition| condition.holds(value, root)),
            Self::Not(condition) => !condition.holds(value, root),
            Self::InParentheses(condition) => condition.holds(value, root),
            Self::Exists(query) => !query.values(value, root).is_empty(),
            Self::Search(text, pattern) => {
                let text = text.value(value, root).and_then(Value::as_str);
                let pattern = pattern.value(value, root).and_then(Value::as_str);
                let regex = pattern.and_then(|pattern| Regex::new(pattern).ok());
                text.zip(regex).is_some_and(|(text, regex)| regex.is_match(text))
            }
            Self::Compare(left, comparison, right) => {
                comparison.holds(left.value(value, root), right.value(value, root))
            }
        }
    }
}

impl Query {
    fn values<'v>(&self, value: &'v Value, root: &'v Value) -> Vec<&'v Value> {
        select(&self.segments, if self.from_root { root } else { value }, root)
    }
}

impl Operand {
    fn value<'v>(&'v self, value: &'v Value, root: &'v Value) -> Option<&'v Value> {
        match self {
            Self::Literal(literal) => Some(literal),
            Self::Query(query) => query.values(value, root).first().copied(),
        }
    }
}

impl Comparison {
    fn holds(self, left: Option<&Value>, right: Option<&Value>) -> bool {
        let is_equal = match (left.and_then(Value::as_f64), right.and_then(Value::as_f64)) {
            (Some(left), Some(right)) => left == right,
            _ => left == right,
        };
        let is_less = |left: Option<&Value>, right: Option<&Value>| match (left, right) {
            (Some(Value::Number(left)), Some(Value::Number(right))) => left.as_f64() < right.as_f64(),
            (Some(Value::String(left)), Some(Value::String(right))) => left < right,
            _ => false,
        };
        match self {
            Self::Equal => is_equal,
            Self::NotEqual => !is_equal,
            Self::AtMost => is_equal || is_less(left, right),
            Self::AtLeast => is_equal || is_less(right, left),
            Self::Less => is_less(left, right),
            Self::Greater => is_less(right, left),
        }
    }
}
