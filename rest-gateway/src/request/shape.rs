//! Splits a read into its shape and the values of its filters. Reads of the same shape share a plan and a
//! statement.

use std::fmt::Write;

use axum::http::{HeaderMap, Method, Uri};

use super::query_string;

/// Longer requests are not cached.
const MAX_KEY: usize = 2048;
/// The first character of a placeholder. Requests that contain it have no shape.
const MARK: char = '\u{1}';
const ENCODED_MARK: &str = "%01";

/// Headers that influence the plan or the response.
const HEADERS: [&str; 5] = ["accept", "accept-profile", "prefer", "range", "content-type"];

/// Operators whose value is the whole text after the dot, and the kind of the value.
const OPERATORS: [(&str, ValueKind); 10] = [
    ("eq.", ValueKind::Plain),
    ("neq.", ValueKind::Plain),
    ("gt.", ValueKind::Plain),
    ("gte.", ValueKind::Plain),
    ("lt.", ValueKind::Plain),
    ("lte.", ValueKind::Plain),
    ("like.", ValueKind::Wildcards),
    ("ilike.", ValueKind::Wildcards),
    ("match.", ValueKind::Regex),
    ("imatch.", ValueKind::Regex),
];

/// The kind of a filter's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    Plain,
    /// A pattern in which `*` stands for `%`.
    Wildcards,
    Regex,
}

#[derive(Debug)]
pub struct Shape {
    /// Identifies the shape.
    pub key: String,
    pub values: Vec<(ValueKind, String)>,
    /// The query string with placeholders for the values.
    query: String,
}

impl Shape {
    /// Returns `None` unless the request reads a table and can be cached.
    pub fn split(method: &Method, uri: &Uri, headers: &HeaderMap) -> Option<Self> {
        let path = uri.path();
        let is_read = *method == Method::GET || *method == Method::HEAD;
        if !is_read || path.trim_matches('/').is_empty() || path.trim_matches('/').contains('/') {
            return None;
        }
        let text = uri.query().unwrap_or_default();
        if text.contains(ENCODED_MARK) || text.contains(MARK) || text.len() > MAX_KEY {
            return None;
        }
        let mut shape = Self {
            key: String::with_capacity(text.len() + 128),
            values: Vec::new(),
            query: String::with_capacity(text.len() + 16),
        };
        shape.key.push_str(method.as_str());
        shape.key.push_str(path);
        // No path contains it.
        shape.key.push('?');
        for parameter in text.split('&') {
            shape.add(parameter);
        }
        for name in HEADERS {
            for value in headers.get_all(name) {
                shape.key.push('\n');
                shape.key.push_str(name);
                shape.key.push(':');
                shape.key.push_str(value.to_str().ok()?);
            }
        }
        (shape.key.len() <= MAX_KEY).then_some(shape)
    }

    /// The URI with placeholders instead of values.
    pub fn uri(&self, path: &str) -> Option<Uri> {
        Uri::try_from(format!("{path}?{}", self.query)).ok()
    }

    /// Stands for the value with this index.
    pub fn placeholder(index: usize) -> String {
        format!("{MARK}{index}.")
    }

    fn add(&mut self, parameter: &str) {
        let separator = if self.query.is_empty() { "" } else { "&" };
        self.key.push('&');
        self.query.push_str(separator);
        let Some((kept, kind, value)) = split(parameter) else {
            self.key.push_str(parameter);
            self.query.push_str(parameter);
            return;
        };
        self.key.push_str(kept);
        // No query string contains this byte.
        self.key.push('\0');
        self.query.push_str(kept);
        // Writing to a string can't fail.
        let _ = write!(self.query, "{ENCODED_MARK}{}.", self.values.len());
        self.values.push((kind, query_string::percent_decode(value)));
    }
}

/// Splits `name=eq.value` into `name=eq.`, the kind and the value. Returns `None` for parameters that belong to the
/// shape as a whole.
fn split(parameter: &str) -> Option<(&str, ValueKind, &str)> {
    let (name, text) = parameter.split_once('=')?;
    // An encoded name might be a reserved one.
    if name.contains(['%', '+', ';']) || text.contains(';') || !query_string::is_filter(name) {
        return None;
    }
    let operation = text.strip_prefix("not.").unwrap_or(text);
    let (operator, kind) = OPERATORS.into_iter().find(|(operator, _)| operation.starts_with(operator))?;
    let start = parameter.len() - operation.len() + operator.len();
    Some((&parameter[..start], kind, &parameter[start..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(query: &str) -> Shape {
        let uri: Uri = format!("/people?{query}").parse().unwrap();
        Shape::split(&Method::GET, &uri, &HeaderMap::new()).unwrap()
    }

    #[test]
    fn requests_that_differ_in_values_have_the_same_shape() {
        let one = shape("select=id&name=eq.a%20b&age=not.gt.5&order=id");
        let two = shape("select=id&name=eq.&age=not.gt.%2B7&order=id");
        assert_eq!(one.key, two.key);
        assert_eq!(one.values, [(ValueKind::Plain, "a b".to_owned()), (ValueKind::Plain, "5".to_owned())]);
        assert_eq!(two.values, [(ValueKind::Plain, String::new()), (ValueKind::Plain, "+7".to_owned())]);
        assert_eq!(
            one.uri("/people").unwrap().query(),
            Some("select=id&name=eq.%010.&age=not.gt.%011.&order=id")
        );
    }

    #[test]
    fn the_shape_contains_everything_except_filter_values() {
        let differ = [
            "a=eq.1",
            "a=neq.1",
            "b=eq.1",
            "a=not.eq.1",
            "a=is.null",
            "a=is.true",
            "a=in.(1,2)",
            "a=in.(1,3)",
            "or=(a.eq.1)",
            "or=(a.eq.2)",
            "a=eq.1&limit=1",
            "a=eq.1&limit=2",
            "limit=eq.1",
            "order=eq.1",
            "select=eq.1",
            "a=like(any).{1}",
            "a=like.1",
            "p.limit=eq.1",
            "a=eq.1&b=eq.1",
            "a=fts.1",
            "a=fts.2",
        ];
        let keys: std::collections::BTreeSet<_> = differ.iter().map(|query| shape(query).key).collect();
        assert_eq!(keys.len(), differ.len());
        assert!(shape("limit=eq.1&%6Fr=eq.1&a=in.(1)").values.is_empty());
    }

    #[test]
    fn a_path_is_no_parameter() {
        let key =
            |uri: &str| Shape::split(&Method::GET, &uri.parse().unwrap(), &HeaderMap::new()).unwrap().key;
        assert_ne!(key("/people&select=id"), key("/people?select=id&"));
    }

    #[test]
    fn a_request_that_contains_a_placeholder_has_no_shape() {
        let uri: Uri = "/people?a=eq.%010.".parse().unwrap();
        assert!(Shape::split(&Method::GET, &uri, &HeaderMap::new()).is_none());
    }
}
