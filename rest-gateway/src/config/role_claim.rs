//! Path of the role in the claims: a JSON path such as `$.role`, `$['https://example.com/roles'][0]` or
//! `$.roles[?search(@, '^app_')]`, or the syntax of PostgREST before 16: `.roles[?(@ ^== "app_")]`. No library parses
//! the older syntax, and those for the newer one depend on a parser generator and regular expressions.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt;

use serde_json::{Map, Value};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoleClaim {
    steps: Vec<Step>,
    /// The syntax of PostgREST before 16.
    is_legacy: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Key(String),
    /// A key in brackets.
    QuotedKey(String),
    Index(usize),
    /// The first string in an array that matches the filter.
    Filter(Filter),
    /// A part of a string, in the older syntax: `[7:]` or `[:-7]`.
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
    /// Written as `search(@, …)`.
    is_search: bool,
    in_parentheses: bool,
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

impl RoleClaim {
    /// Returns `None` when the text is not a path.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let (is_legacy, path) = text.strip_prefix('$').map_or((true, text), |path| (false, path));
        let mut rest = path.trim_start();
        let mut steps = Vec::new();
        while !rest.is_empty() {
            let (step, after) = if let Some(key) = rest.strip_prefix('.') {
                read_key(key)?
            } else {
                let (step, after) = read_bracket(rest.strip_prefix('[')?.trim_start())?;
                (step, after.trim_start().strip_prefix(']')?)
            };
            steps.push(step);
            rest = after.trim_start();
        }
        let fits = |step: &Step| match step {
            Step::Slice(_) => is_legacy,
            Step::Filter(filter) => {
                is_legacy
                    || filter.is_search
                    || matches!(filter.comparison, Comparison::Equal | Comparison::NotEqual)
            }
            _ => true,
        };
        (!steps.is_empty() && steps.iter().all(fits)).then_some(Self { steps, is_legacy })
    }

    pub fn find(&self, claims: &Map<String, Value>) -> Option<Value> {
        let (first, rest) = self.steps.split_first()?;
        let (Step::Key(key) | Step::QuotedKey(key)) = first else { return None };
        let found = rest.iter().try_fold(Cow::Borrowed(claims.get(key)?), |value, step| step.apply(value));
        found.map(Cow::into_owned)
    }

    pub fn is_legacy(&self) -> bool {
        self.is_legacy
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
            Self::Key(key) | Self::QuotedKey(key) => value.get(key),
            Self::Index(index) => value.get(index),
            Self::Filter(Filter { comparison, text, .. }) => value
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

    /// Reads two numbers, each of which may be left out, and a colon between them.
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

impl fmt::Display for RoleClaim {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_legacy {
            formatter.write_str("$")?;
        }
        for step in &self.steps {
            match step {
                Step::Key(key) | Step::QuotedKey(key) if self.is_legacy => write!(formatter, ".\"{key}\"")?,
                Step::Key(key) => write!(formatter, ".{key}")?,
                Step::QuotedKey(key) => write!(formatter, "['{key}']")?,
                Step::Index(index) => write!(formatter, "[{index}]")?,
                Step::Slice(Slice { start, end }) => {
                    let shown =
                        |position: &Option<i64>| position.map(|at| at.to_string()).unwrap_or_default();
                    write!(formatter, "[{}:{}]", shown(start), shown(end))?;
                }
                Step::Filter(filter) => {
                    let quote = if self.is_legacy { '"' } else { '\'' };
                    let shown = filter.shown(quote);
                    if filter.in_parentheses {
                        write!(formatter, "[?({shown})]")?;
                    } else {
                        write!(formatter, "[?{shown}]")?;
                    }
                }
            }
        }
        Ok(())
    }
}

impl Filter {
    fn shown(&self, quote: char) -> String {
        let Self { comparison, text, .. } = self;
        if self.is_search {
            let pattern = match comparison {
                Comparison::Equal => format!("^{text}$"),
                Comparison::StartsWith => format!("^{text}"),
                Comparison::EndsWith => format!("{text}$"),
                Comparison::Contains | Comparison::NotEqual => text.clone(),
            };
            return format!("search(@, {quote}{pattern}{quote})");
        }
        let symbol =
            COMPARISONS.iter().find(|(_, known)| known == comparison).map_or("==", |(symbol, _)| symbol);
        format!("@ {symbol} {quote}{text}{quote}")
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

/// Reads a key, an index or a filter up to the closing bracket.
fn read_bracket(text: &str) -> Option<(Step, &str)> {
    if let Some((key, after)) = read_quoted(text) {
        return Some((Step::QuotedKey(key.to_owned()), after));
    }
    let Some(filter) = text.strip_prefix('?') else {
        if let Some((slice, after)) = Slice::read(text) {
            return Some((Step::Slice(slice), after));
        }
        let end = text.find(|found: char| !found.is_ascii_digit())?;
        let (index, after) = text.split_at(end);
        return Some((Step::Index(index.parse().ok()?), after));
    };
    let filter = filter.trim_start();
    match filter.strip_prefix('(') {
        None => read_filter(filter).map(|(filter, after)| (Step::Filter(filter), after)),
        Some(inner) => {
            let (filter, after) = read_filter(inner.trim_start())?;
            let filter = Filter { in_parentheses: true, ..filter };
            Some((Step::Filter(filter), after.trim_start().strip_prefix(')')?))
        }
    }
}

fn read_filter(text: &str) -> Option<(Filter, &str)> {
    let filter = |comparison, text: &str, is_search| Filter {
        comparison,
        text: text.to_owned(),
        is_search,
        in_parentheses: false,
    };
    if let Some(arguments) = text.strip_prefix("search(") {
        let pattern = arguments.trim_start().strip_prefix('@')?.trim_start().strip_prefix(',')?;
        let (pattern, after) = read_quoted(pattern.trim_start())?;
        let (comparison, text) = comparison_of(pattern)?;
        return Some((filter(comparison, text, true), after.trim_start().strip_prefix(')')?));
    }
    let compared = text.strip_prefix('@')?.trim_start();
    let (comparison, operand) = COMPARISONS
        .iter()
        .find_map(|(symbol, comparison)| Some((*comparison, compared.strip_prefix(symbol)?.trim_start())))?;
    let (text, after) = read_quoted(operand)?;
    Some((filter(comparison, text, false), after))
}

/// Supports only regular expressions that are literal text, optionally anchored at the start or end.
fn comparison_of(pattern: &str) -> Option<(Comparison, &str)> {
    let (from_start, rest) = pattern.strip_prefix('^').map_or((false, pattern), |rest| (true, rest));
    let (to_end, text) = rest.strip_suffix('$').map_or((false, rest), |rest| (true, rest));
    let comparison = match (from_start, to_end) {
        (true, true) => Comparison::Equal,
        (true, false) => Comparison::StartsWith,
        (false, true) => Comparison::EndsWith,
        (false, false) => Comparison::Contains,
    };
    (!text.contains(|found| "\\^$.|?*+()[]{}".contains(found))).then_some((comparison, text))
}

fn read_quoted(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|first| matches!(first, '"' | '\''))?;
    text.get(1..)?.split_once(quote)
}
