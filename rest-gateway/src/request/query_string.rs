//! Parses the query string into the parts of a request.

use std::collections::{BTreeMap, BTreeSet};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, PercentEncode, percent_decode_str, utf8_percent_encode};

use super::field;
use super::filters::{self, Filter, LogicTree};
use super::order::{self, OrderTerm};
use super::parse_error::syntax_error;
use super::range::RowRange;
use super::scanner;
use super::select::{self, FieldItem, SelectItem};
use crate::error_body::Rejection;

/// Characters that are percent-encoded in a query parameter.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~');

/// The names of the nested resources, down to the one that a parameter applies to. Empty for the top level.
pub type EmbedPath = Vec<String>;

#[derive(Debug, Default)]
pub struct QueryString {
    pub select: Vec<SelectItem>,
    pub filters: Vec<(EmbedPath, LogicTree)>,
    pub order: Vec<(EmbedPath, Vec<OrderTerm>)>,
    pub ranges: Vec<(EmbedPath, RowRange)>,
    pub columns: Option<BTreeSet<String>>,
    pub on_conflict: Option<Vec<String>>,
    /// Arguments of a function called by GET.
    pub arguments: Vec<(String, String)>,
    /// Names of the filter parameters, as the client wrote them.
    pub filter_names: BTreeSet<String>,
}

impl QueryString {
    /// With `calls_function`, parameters that are not filters are function arguments.
    ///
    /// # Errors
    /// When a parameter is malformed.
    pub fn parse(text: &str, calls_function: bool) -> Result<Self, Rejection> {
        let parameters = decode(text);
        let mut query = Self::default();
        let first = |wanted: &str| {
            parameters.iter().find(|(name, _)| name == wanted).and_then(|(_, value)| value.as_deref())
        };
        let valued =
            || parameters.iter().filter_map(|(name, value)| Some((name.as_str(), value.as_deref()?)));

        for (name, value) in valued().filter(|(name, _)| last_word(name) == "order") {
            query.order.push(order_parameter(name, value)?);
        }
        let trees = valued().filter(|(name, _)| matches!(last_word(name), "and" | "or"));
        let trees = trees.map(|(name, value)| logic_parameter(name, value));
        let trees = trees.collect::<Result<Vec<_>, _>>()?;
        query.columns =
            first("columns").map(|value| name_list("columns", value)).transpose()?.map(BTreeSet::from_iter);
        query.select = select_parameter(first("select").unwrap_or("*"))?;
        for (name, value) in valued().filter(|(name, _)| is_filter(name)) {
            query.filter_names.insert(name.to_owned());
            query.add_filter(name, value, calls_function)?;
        }
        query.filters.extend(trees);
        query.on_conflict = first("on_conflict").map(|value| name_list("on_conflict", value)).transpose()?;
        query.ranges = ranges(valued())?;
        Ok(query)
    }

    fn add_filter(&mut self, name: &str, value: &str, calls_function: bool) -> Result<(), Rejection> {
        let (path, field) = tree_path(name)?;
        let condition = scanner::read("filter", value, |s| {
            if calls_function { s.optional(filters::condition) } else { filters::condition(s).map(Some) }
        })?;
        match condition {
            Some(condition) => self.filters.push((path, LogicTree::Filter(Filter { field, condition }))),
            None => self.arguments.push((field.name, value.to_owned())),
        }
        Ok(())
    }

    /// The range of the top level.
    pub fn range(&self) -> Option<RowRange> {
        self.ranges.iter().find(|(path, _)| path.is_empty()).map(|(_, range)| *range)
    }
}

fn last_word(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

pub(super) fn is_filter(name: &str) -> bool {
    !matches!(name, "select" | "columns" | "on_conflict")
        && !matches!(last_word(name), "order" | "limit" | "offset" | "and" | "or")
}

fn select_parameter(value: &str) -> Result<Vec<SelectItem>, Rejection> {
    if value == "*" {
        return Ok(vec![SelectItem::Field(FieldItem::all_columns())]);
    }
    let items = scanner::read("select parameter", value, select::items)?;
    if select::embeds(&items) > select::MAX_EMBEDS {
        let details = format!("more than {} embedded resources", select::MAX_EMBEDS);
        let message = format!("\"failed to parse select parameter ({value})\" (line 1, column 1)");
        return Err(syntax_error(message, details));
    }
    Ok(items)
}

fn name_list(parameter: &str, value: &str) -> Result<Vec<String>, Rejection> {
    scanner::read(&format!("{parameter} parameter"), value, field::names)
}

fn tree_path(name: &str) -> Result<(EmbedPath, field::Field), Rejection> {
    scanner::read("tree path", name, |s| {
        let mut path = field::dotted(s)?;
        let json_path = field::json_path(s)?;
        let last = path.pop().unwrap_or_default();
        Ok((path, field::Field { name: last, path: json_path }))
    })
}

fn order_parameter(name: &str, value: &str) -> Result<(EmbedPath, Vec<OrderTerm>), Rejection> {
    let (path, _) = tree_path(name)?;
    let terms = scanner::read("order", value, order::terms)?;
    Ok((path, terms))
}

/// `rel.not.or=(…)`: the operator is part of the name, so both are parsed as one text.
fn logic_parameter(name: &str, value: &str) -> Result<(EmbedPath, LogicTree), Rejection> {
    let mut path = scanner::read("logic path", name, field::dotted)?;
    let operator = path.pop().unwrap_or_default();
    let negation = if path.iter().any(|word| word == "not") { "not." } else { "" };
    path.retain(|word| word != "not");
    let text = format!("{negation}{operator}{value}");
    let tree = scanner::read_as("logic tree", value, &text, filters::logic_tree)?;
    Ok((path, tree))
}

fn ranges<'a>(
    parameters: impl Iterator<Item = (&'a str, &'a str)>,
) -> Result<Vec<(EmbedPath, RowRange)>, Rejection> {
    let mut found: BTreeMap<&str, [Option<&str>; 2]> = BTreeMap::new();
    for (name, value) in parameters {
        let word = last_word(name);
        let index = match word {
            "limit" => 0,
            "offset" => 1,
            _ => continue,
        };
        found.entry(&name[..name.len() - word.len()]).or_default()[index] = Some(value);
    }
    found
        .into_iter()
        .map(|(prefix, [limit, offset])| {
            let (path, _) = tree_path(&format!("{prefix}limit"))?;
            Ok((path, RowRange::from_parameters(limit, offset)))
        })
        .collect()
}

/// Decodes names and values. A name without `=` has no value.
pub fn decode(text: &str) -> Vec<(String, Option<String>)> {
    text.split(['&', ';'])
        .filter(|part| !part.is_empty())
        .map(|part| match part.split_once('=') {
            Some((name, value)) => (percent_decode(name), Some(percent_decode(value))),
            None => (percent_decode(part), None),
        })
        .collect()
}

/// Decodes one segment of a path, where a plus stands for itself.
pub fn decode_path(part: &str) -> String {
    percent_decode_str(part).decode_utf8_lossy().into_owned()
}

pub(super) fn percent_decode(text: &str) -> String {
    if text.contains('+') { decode_path(&text.replace('+', " ")) } else { decode_path(text) }
}

/// Sorts the parameters by name, joins those with the same name, and encodes each again.
pub fn canonical(query: &str) -> String {
    let parameters = decode(query);
    let mut sorted: Vec<(&str, &str)> = parameters
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_deref().unwrap_or_default()))
        .collect();
    sorted.sort_by_key(|(name, _)| *name);
    let mut text = String::new();
    for (index, (name, value)) in sorted.iter().enumerate() {
        if index > 0 && sorted[index - 1].0 == *name {
            text.push(',');
        } else {
            if index > 0 {
                text.push('&');
            }
            text.extend(encoded(name));
            text.push('=');
        }
        text.extend(encoded(value));
    }
    text
}

pub fn encoded(text: &str) -> PercentEncode<'_> {
    utf8_percent_encode(text, RESERVED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_encoding_is_decoded_and_invalid_sequences_are_kept() {
        for (text, query, path) in [
            ("a%20b+c", "a b c", "a b+c"),
            ("%e4%b8%AD%2B+", "中+ ", "中++"),
            ("100%", "100%", "100%"),
            ("%zz%4", "%zz%4", "%zz%4"),
            ("%ff", "\u{fffd}", "\u{fffd}"),
        ] {
            assert_eq!((percent_decode(text).as_str(), decode_path(text).as_str()), (query, path), "{text}");
        }
    }

    #[test]
    fn parameters_are_sorted_and_encoded_again() {
        assert_eq!(canonical("b=x+y&a=%C3%A4-_.~&b=%26"), "a=%C3%A4-_.~&b=x%20y,%26");
    }
}
