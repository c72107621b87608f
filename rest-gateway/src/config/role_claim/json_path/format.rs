//! Formats JSON paths as PostgREST's dump of the configuration does.

use std::fmt::{Display, Formatter, Result};

use serde_json::Value;

use super::parser::COMPARISONS;
use super::{Condition, JsonPath, Operand, Query, Segment, Selector};

impl Display for JsonPath {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        formatter.write_str("$")?;
        self.0.iter().try_for_each(|segment| segment.fmt(formatter))
    }
}

impl Display for Segment {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        if self.descends {
            formatter.write_str("..")?;
        }
        match (self.selectors.as_slice(), self.is_dotted) {
            ([Selector::Name(name)], true) => {
                write!(formatter, "{}{name}", if self.descends { "" } else { "." })
            }
            ([selector], true) => write!(formatter, "{}{selector}", if self.descends { "" } else { "." }),
            (selectors, _) => write!(formatter, "[{}]", joined(selectors, ", ")),
        }
    }
}

fn joined<T: Display>(all: &[T], separator: &str) -> String {
    all.iter().map(T::to_string).collect::<Vec<_>>().join(separator)
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

impl Display for Selector {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        let shown = |index: &Option<i64>| index.map(|index| index.to_string()).unwrap_or_default();
        match self {
            Self::Name(name) => formatter.write_str(&quoted(name)),
            Self::Wildcard => formatter.write_str("*"),
            Self::Index(index) => index.fmt(formatter),
            Self::Slice { start, end, step: None } => write!(formatter, "{}:{}", shown(start), shown(end)),
            Self::Slice { start, end, step } => {
                write!(formatter, "{}:{}:{}", shown(start), shown(end), shown(step))
            }
            Self::Filter(condition) => write!(formatter, "?{condition}"),
        }
    }
}

impl Display for Condition {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        match self {
            Self::Any(all) => formatter.write_str(&joined(all, " || ")),
            Self::All(all) => formatter.write_str(&joined(all, " && ")),
            Self::Not(condition) => write!(formatter, "!{condition}"),
            Self::InParentheses(condition) => write!(formatter, "({condition})"),
            Self::Exists(query) => query.fmt(formatter),
            Self::Search(text, pattern) => write!(formatter, "search({text}, {pattern})"),
            Self::Compare(left, comparison, right) => {
                let symbol = COMPARISONS.iter().find(|(_, known)| known == comparison);
                write!(formatter, "{left} {} {right}", symbol.map_or("==", |(symbol, _)| symbol))
            }
        }
    }
}

impl Display for Operand {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        match self {
            Self::Literal(Value::String(text)) => formatter.write_str(&quoted(text)),
            Self::Literal(other) => other.fmt(formatter),
            Self::Query(query) => query.fmt(formatter),
        }
    }
}

impl Display for Query {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        formatter.write_str(if self.from_root { "$" } else { "@" })?;
        self.segments.iter().try_for_each(|segment| segment.fmt(formatter))
    }
}
