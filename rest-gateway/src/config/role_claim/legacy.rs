//! The syntax of PostgREST before 16: `.roles[?(@ ^== "app_")]`. No library parses it.

use std::borrow::Cow;
use std::fmt;

use serde_json::{Map, Value};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LegacyPath(Vec<Step>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Key(String),
    Index(usize),
    /// The first string in an array that matches the filter.
    Filter(Filter),
    /// A part of a string: `[7:]` or `[:-7]`.
    Slice(Slice),
}

/// Positions of characters. Negative ones count from the end.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Slice {
    start: Option<i64>,
    end: Option<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Filter {
    comparison: Comparison,
    text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comparison {
    Equal,
    NotEqual,
    StartsWith,
    EndsWith,
    Contains,
}

const COMPARISONS: [(&str, Comparison); 5] = [
    ("==^", Comparison::EndsWith),
    ("^==", Comparison::StartsWith),
    ("*==", Comparison::Contains),
    ("==", Comparison::Equal),
    ("!=", Comparison::NotEqual),
];

impl LegacyPath {
    /// Returns `None` when the text is not a path.
    pub fn parse(text: &str) -> Option<Self> {
        let mut rest = text;
        let mut steps = Vec::new();
        while !rest.is_empty() {
            let (step, after) = if let Some(key) = rest.strip_prefix('.') {
                read_key(key)?
            } else {
                let (step, after) = read_bracket(rest.strip_prefix('[')?)?;
                (step, after.strip_prefix(']')?)
            };
            steps.push(step);
            rest = after;
        }
        (!steps.is_empty()).then_some(Self(steps))
    }

    pub fn find(&self, claims: &Map<String, Value>) -> Option<Value> {
        let (first, rest) = self.0.split_first()?;
        let Step::Key(key) = first else { return None };
        let found = rest.iter().try_fold(Cow::Borrowed(claims.get(key)?), |value, step| step.apply(value));
        found.map(Cow::into_owned)
    }
}

impl Step {
    fn apply<'v>(&self, value: Cow<'v, Value>) -> Option<Cow<'v, Value>> {
        if let Self::Slice(slice) = self {
            return Some(Cow::Owned(slice.of(value.as_str()?).into()));
        }
        match value {
            Cow::Borrowed(value) => self.select(value).map(Cow::Borrowed),
            Cow::Owned(value) => self.select(&value).cloned().map(Cow::Owned),
        }
    }

    fn select<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        match self {
            Self::Key(key) => value.get(key),
            Self::Index(index) => value.get(index),
            Self::Filter(Filter { comparison, text }) => value
                .as_array()?
                .iter()
                .find(|item| item.as_str().is_some_and(|item| comparison.holds(item, text))),
            Self::Slice(_) => None,
        }
    }
}

impl Slice {
    fn of(&self, text: &str) -> String {
        let length = text.chars().count();
        let position = |position: i64| {
            let distance = usize::try_from(position.unsigned_abs()).unwrap_or(usize::MAX);
            if position < 0 { length.saturating_sub(distance) } else { distance.min(length) }
        };
        let (start, end) = (self.start.map_or(0, position), self.end.map_or(length, position));
        text.chars().skip(start).take(end.saturating_sub(start)).collect()
    }

    /// Reads two optional numbers with a colon between them.
    fn read(text: &str) -> Option<(Self, &str)> {
        let (start, after) = read_number(text)?;
        let (end, after) = read_number(after.strip_prefix(':')?)?;
        Some((Self { start, end }, after))
    }
}

fn read_number(text: &str) -> Option<(Option<i64>, &str)> {
    let end = text.find(|found: char| !found.is_ascii_digit() && found != '-').unwrap_or(text.len());
    let (number, after) = text.split_at(end);
    Some((if number.is_empty() { None } else { Some(number.parse().ok()?) }, after))
}

impl fmt::Display for LegacyPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for step in &self.0 {
            match step {
                Step::Key(key) => write!(formatter, ".\"{key}\"")?,
                Step::Index(index) => write!(formatter, "[{index}]")?,
                Step::Slice(Slice { start, end }) => {
                    let shown =
                        |position: &Option<i64>| position.map(|at| at.to_string()).unwrap_or_default();
                    write!(formatter, "[{}:{}]", shown(start), shown(end))?;
                }
                Step::Filter(Filter { comparison, text }) => {
                    let symbol = COMPARISONS.iter().find(|(_, known)| known == comparison);
                    let symbol = symbol.map_or("==", |(symbol, _)| symbol);
                    write!(formatter, "[?(@ {symbol} \"{text}\")]")?;
                }
            }
        }
        Ok(())
    }
}

impl Comparison {
    fn holds(self, item: &str, text: &str) -> bool {
        match self {
            Self::Equal => item == text,
            Self::NotEqual => item != text,
            Self::StartsWith => item.starts_with(text),
            Self::EndsWith => item.ends_with(text),
            Self::Contains => item.contains(text),
        }
    }
}

fn read_key(text: &str) -> Option<(Step, &str)> {
    if let Some((key, after)) = read_quoted(text) {
        return Some((Step::Key(key.to_owned()), after));
    }
    let end =
        text.find(|found: char| !found.is_alphanumeric() && !"_$@".contains(found)).unwrap_or(text.len());
    let (key, after) = text.split_at(end);
    (!key.is_empty()).then(|| (Step::Key(key.to_owned()), after))
}

/// Reads an index, a slice or a filter up to the closing bracket.
fn read_bracket(text: &str) -> Option<(Step, &str)> {
    if let Some(filter) = text.strip_prefix("?(@") {
        let compared = filter.trim_start();
        let (comparison, operand) = COMPARISONS.iter().find_map(|(symbol, comparison)| {
            Some((*comparison, compared.strip_prefix(symbol)?.trim_start()))
        })?;
        let (text, after) = read_quoted(operand)?;
        let filter = Filter { comparison, text: text.to_owned() };
        return Some((Step::Filter(filter), after.trim_start().strip_prefix(')')?));
    }
    if let Some((slice, after)) = Slice::read(text) {
        return Some((Step::Slice(slice), after));
    }
    let end = text.find(|found: char| !found.is_ascii_digit())?;
    let (index, after) = text.split_at(end);
    Some((Step::Index(index.parse().ok()?), after))
}

fn read_quoted(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|first| matches!(first, '"' | '\''))?;
    text.get(1..)?.split_once(quote)
}
