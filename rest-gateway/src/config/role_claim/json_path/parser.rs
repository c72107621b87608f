//! Parses JSON paths.

use serde_json::Value;

use super::{Comparison, Condition, Operand, Query, Segment, Selector};

/// A longer symbol comes before its prefixes.
pub(super) const COMPARISONS: [(&str, Comparison); 6] = [
    ("==", Comparison::Equal),
    ("!=", Comparison::NotEqual),
    ("<=", Comparison::AtMost),
    (">=", Comparison::AtLeast),
    ("<", Comparison::Less),
    (">", Comparison::Greater),
];

pub(super) fn parse(text: &str) -> Option<Vec<Segment>> {
    let mut parser = Parser { rest: text };
    let segments = if parser.skip("$") { parser.segments()? } else { return None };
    parser.rest.trim_start().is_empty().then_some(segments)
}

struct Parser<'t> {
    rest: &'t str,
}

impl Parser<'_> {
    /// Skips spaces and the text, if it comes next.
    fn skip(&mut self, text: &str) -> bool {
        let after = self.rest.trim_start().strip_prefix(text);
        self.rest = after.unwrap_or(self.rest);
        after.is_some()
    }

    fn expect(&mut self, text: &str) -> Option<()> {
        self.skip(text).then_some(())
    }

    fn segments(&mut self) -> Option<Vec<Segment>> {
        let mut segments = Vec::new();
        loop {
            let descends = self.skip("..");
            if self.skip("[") {
                let selectors = self.list(",", Self::selector)?;
                self.expect("]")?;
                segments.push(Segment { descends, is_dotted: false, selectors });
            } else if descends || self.skip(".") {
                let selector = if self.rest.starts_with('*') {
                    self.skip("*");
                    Selector::Wildcard
                } else {
                    Selector::Name(self.name()?)
                };
                segments.push(Segment { descends, is_dotted: true, selectors: vec![selector] });
            } else {
                return Some(segments);
            }
        }
    }

    fn list<T>(&mut self, separator: &str, one: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let mut all = vec![one(self)?];
        while self.skip(separator) {
            all.push(one(self)?);
        }
        Some(all)
    }

    fn name(&mut self) -> Option<String> {
        let is_part = |found: char| found.is_ascii_alphanumeric() || found == '_' || !found.is_ascii();
        let end = self.rest.find(|found| !is_part(found)).unwrap_or(self.rest.len());
        let (name, after) = self.rest.split_at(end);
        self.rest = after;
        (!name.is_empty() && !name.starts_with(|first: char| first.is_ascii_digit())).then(|| name.to_owned())
    }

    fn selector(&mut self) -> Option<Selector> {
        if self.skip("*") {
            return Some(Selector::Wildcard);
        }
        if self.skip("?") {
            return self.any().map(Selector::Filter);
        }
        if let Some(name) = self.text()? {
            return Some(Selector::Name(name));
        }
        let start = self.integer()?;
        if !self.skip(":") {
            return start.map(Selector::Index);
        }
        let end = self.integer()?;
        let step = if self.skip(":") { self.integer()? } else { None };
        Some(Selector::Slice { start, end, step })
    }

    /// Returns an inner `None` when no number comes next.
    fn integer(&mut self) -> Option<Option<i64>> {
        let text = self.rest.trim_start();
        let end = text.find(|found: char| !found.is_ascii_digit() && found != '-').unwrap_or(text.len());
        let (number, after) = text.split_at(end);
        if number.is_empty() {
            return Some(None);
        }
        self.rest = after;
        number.parse().ok().map(Some)
    }

    /// Returns an inner `None` when no quoted text comes next.
    fn text(&mut self) -> Option<Option<String>> {
        let start = self.rest.trim_start();
        let Some(quote) = start.chars().next().filter(|first| matches!(first, '"' | '\'')) else {
            return Some(None);
        };
        let mut text = String::new();
        let mut characters = start.char_indices().skip(1);
        while let Some((index, found)) = characters.next() {
            match found {
                '\\' => {
                    let escaped = characters.next()?.1;
                    text.push(match escaped {
                        'n' => '\n',
                        't' => '\t',
                        'r' => '\r',
                        'b' => '\u{8}',
                        'f' => '\u{c}',
                        'u' => {
                            let digits: String =
                                characters.by_ref().take(4).map(|(_, digit)| digit).collect();
                            char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?
                        }
                        other => other,
                    });
                }
                end if end == quote => {
                    self.rest = &start[index + 1..];
                    return Some(Some(text));
                }
                other => text.push(other),
            }
        }
        None
    }

    fn any(&mut self) -> Option<Condition> {
        let mut all = self.list("||", Self::all)?;
        if all.len() == 1 { all.pop() } else { Some(Condition::Any(all)) }
    }

    fn all(&mut self) -> Option<Condition> {
        let mut all = self.list("&&", Self::condition)?;
        if all.len() == 1 { all.pop() } else { Some(Condition::All(all)) }
    }

    fn condition(&mut self) -> Option<Condition> {
        if self.skip("!") {
            return self.condition().map(|condition| Condition::Not(Box::new(condition)));
        }
        if self.skip("(") {
            let condition = self.any()?;
            self.expect(")")?;
            return Some(Condition::InParentheses(Box::new(condition)));
        }
        if self.skip("search(") {
            let text = self.operand()?;
            self.expect(",")?;
            let pattern = self.operand()?;
            self.expect(")")?;
            return Some(Condition::Search(text, pattern));
        }
        let left = self.operand()?;
        let comparison = COMPARISONS.iter().find(|(symbol, _)| self.skip(symbol));
        match (comparison, left) {
            (Some((_, comparison)), left) => Some(Condition::Compare(left, *comparison, self.operand()?)),
            (None, Operand::Query(query)) => Some(Condition::Exists(query)),
            (None, Operand::Literal(_)) => None,
        }
    }

    fn operand(&mut self) -> Option<Operand> {
        let from_root = self.skip("$");
        if from_root || self.skip("@") {
            return Some(Operand::Query(Query { from_root, segments: self.segments()? }));
        }
        if let Some(text) = self.text()? {
            return Some(Operand::Literal(text.into()));
        }
        let text = self.rest.trim_start();
        let end = text.find(|found: char| !found.is_ascii_alphanumeric() && !"+-.".contains(found));
        let (literal, after) = text.split_at(end.unwrap_or(text.len()));
        let literal: Value = serde_json::from_str(literal).ok()?;
        self.rest = after;
        Some(Operand::Literal(literal))
    }
}
