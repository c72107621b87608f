//! Request bodies. JSON is passed to PostgreSQL unchanged; only its keys are read here.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::query_string;
use crate::media::MediaType;

#[derive(Debug, Clone)]
pub enum Payload {
    /// An object or an array of objects. The objects have the same keys, unless `columns` selects the keys.
    Json(Bytes),
    /// Form names and values, as function arguments.
    Form(Vec<(String, String)>),
    /// An unparsed body, for a function's single parameter.
    Raw(Bytes),
}

/// A body, and the columns or parameters with values in it.
pub type ReadPayload = (Payload, BTreeSet<String>);

/// The recursion limit of `serde_json`.
const MAX_DEPTH: usize = 127;
pub const INVALID_JSON: &str = "Empty or invalid json";
/// The JSON of a CSV body may be larger by this factor, unless it is small. Every row repeats the column names, so
/// without a limit a megabyte of CSV with one long name would become a hundred gigabytes of JSON.
const MAX_CSV_GROWTH: usize = 8;
const SMALL_JSON: usize = 256 * 1024;
const CSV_GROWS_TOO_MUCH: &str =
    "The column names are too long for this many short CSV rows. Send fewer rows at once";

type ErrorMessage = String;

/// # Errors
/// When the body is malformed, or when its media type is not supported.
pub fn read(
    body: Bytes,
    media: &MediaType,
    columns: Option<&BTreeSet<String>>,
    for_function: bool,
) -> Result<ReadPayload, ErrorMessage> {
    match (media, for_function) {
        (MediaType::Json, _) => match columns {
            Some(_) if is_too_deep(&body) => Err(INVALID_JSON.to_owned()),
            Some(columns) => Ok((Payload::Json(body), columns.clone())),
            None => json(body, for_function),
        },
        (MediaType::Csv, _) => csv(&body),
        (MediaType::UrlEncoded, true) => {
            let form = form(&body);
            let keys = form.iter().map(|(name, _)| name.clone()).collect();
            Ok((Payload::Form(form), keys))
        }
        (MediaType::UrlEncoded, false) => {
            let object: Map<String, Value> =
                form(&body).into_iter().map(|(name, value)| (name, Value::String(value))).collect();
            let keys = object.keys().cloned().collect();
            Ok((Payload::Json(Value::Object(object).to_string().into()), keys))
        }
        (MediaType::PlainText | MediaType::Xml | MediaType::OctetStream, true) => {
            Ok((Payload::Raw(body), BTreeSet::new()))
        }
        (other, _) => Err(format!("Content-Type not acceptable: {}", other.name())),
    }
}

fn json(body: Bytes, for_function: bool) -> Result<ReadPayload, ErrorMessage> {
    if body.is_empty() && for_function {
        return Ok((Payload::Json(Bytes::from_static(b"{}")), BTreeSet::new()));
    }
    // Anything other than objects counts as no rows.
    let nothing = || (Payload::Json(Bytes::from_static(b"[]")), BTreeSet::new());
    Ok(json_keys(&body)?.map_or_else(nothing, |keys| (Payload::Json(body), keys)))
}

/// The keys of an object, or those that all objects of an array have. `None` for an empty array and other values.
fn json_keys(body: &[u8]) -> Result<Option<BTreeSet<String>>, ErrorMessage> {
    let invalid = |_| INVALID_JSON.to_owned();
    match body.trim_ascii_start() {
        [b'{', ..] => object_keys(body).map(Some).map_err(invalid),
        [b'[', ..] => {
            let items: Vec<&RawValue> = serde_json::from_slice(body).map_err(invalid)?;
            let mut common: Option<BTreeSet<String>> = None;
            for item in items {
                let is_object = item.get().starts_with('{');
                let keys = if is_object {
                    object_keys(item.get().as_bytes()).map_err(invalid)?
                } else {
                    BTreeSet::new()
                };
                if !is_object || common.as_ref().is_some_and(|common| *common != keys) {
                    return Err("All object keys must match".to_owned());
                }
                common = Some(keys);
            }
            Ok(common)
        }
        _ => serde_json::from_slice(body).map(|IgnoredAny| None).map_err(invalid),
    }
}

fn object_keys(object: &[u8]) -> serde_json::Result<BTreeSet<String>> {
    let members: BTreeMap<String, IgnoredAny> = serde_json::from_slice(object)?;
    Ok(members.into_keys().collect())
}

/// Whether brackets nest deeper than `serde_json` allows. With `columns`, only PostgreSQL parses the body,
/// and its stack depth error would look like a server error.
fn is_too_deep(body: &[u8]) -> bool {
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    for byte in body {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_text => escaped = true,
            b'"' => in_text = !in_text,
            b'[' | b'{' if !in_text => depth += 1,
            b']' | b'}' if !in_text => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return true;
        }
    }
    false
}

fn form(body: &[u8]) -> Vec<(String, String)> {
    query_string::decode(&String::from_utf8_lossy(body))
        .into_iter()
        .map(|(name, value)| (name, value.unwrap_or_default()))
        .collect()
}

/// CSV with a header line. `NULL` means null.
fn csv(body: &[u8]) -> Result<ReadPayload, ErrorMessage> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(body);
    let header = reader.headers().map_err(|error| error.to_string())?.clone();
    let mut rows = vec![b'['];
    for record in reader.records() {
        let record = record.map_err(|error| error.to_string())?;
        if record.len() != header.len() {
            return Err("All lines must have same number of fields".to_owned());
        }
        let cells = header.iter().zip(record.iter()).map(|(name, cell)| {
            (name.to_owned(), if cell == "NULL" { Value::Null } else { Value::String(cell.to_owned()) })
        });
        if rows.len() > 1 {
            rows.push(b',');
        }
        serde_json::to_writer(&mut rows, &Value::Object(cells.collect()))
            .map_err(|error| error.to_string())?;
        if rows.len() > SMALL_JSON.max(MAX_CSV_GROWTH * body.len()) {
            return Err(CSV_GROWS_TOO_MUCH.to_owned());
        }
    }
    let keys = if rows.len() == 1 { BTreeSet::new() } else { header.iter().map(str::to_owned).collect() };
    rows.push(b']');
    Ok((Payload::Json(rows.into()), keys))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(body: &'static str) -> Result<Vec<String>, String> {
        json(Bytes::from_static(body.as_bytes()), false).map(|(_, keys)| keys.into_iter().collect())
    }

    #[test]
    fn keys_are_read_and_must_match() {
        assert_eq!(keys(r#" {"b":[1,{"x":2}],"a":null}"#).unwrap(), ["a", "b"]);
        assert_eq!(keys(r#"[{"a":1},{"a":2}]"#).unwrap(), ["a"]);
        assert_eq!(keys(r#"[{"a":1},{"b":2}]"#).unwrap_err(), "All object keys must match");
        assert_eq!(keys("[{},[]]").unwrap_err(), "All object keys must match");
        assert_eq!(keys("").unwrap_err(), "Empty or invalid json");
        assert_eq!(keys("{} x").unwrap_err(), "Empty or invalid json");
        assert!(keys("null").unwrap().is_empty());
    }

    #[test]
    fn depth_ignores_brackets_in_strings() {
        assert!(is_too_deep("[".repeat(128).as_bytes()));
        assert!(!is_too_deep("[]".repeat(1000).as_bytes()));
        assert!(!is_too_deep(format!("\"{}\\\"{}\"", "[".repeat(200), "[".repeat(200)).as_bytes()));
    }

    #[test]
    fn csv_becomes_json() {
        let read = csv(b"a,b\n1,NULL\n2,\"x,y\"").unwrap();
        let (Payload::Json(json), _) = read else { panic!("JSON expected") };
        assert_eq!(json, r#"[{"a":"1","b":null},{"a":"2","b":"x,y"}]"#);
        assert_eq!(csv(b"a,b\n1").err().unwrap(), "All lines must have same number of fields");
        let (Payload::Json(empty), _) = csv(b"a,b").unwrap() else { panic!("JSON expected") };
        assert_eq!(empty, "[]");
    }

    #[test]
    fn a_long_csv_column_name_is_not_repeated_without_limit() {
        let rows = "1\n".repeat(20_000);
        assert!(csv(format!("name\n{rows}").as_bytes()).is_ok());
        assert!(csv(format!("subscribed\n{}", "1\n".repeat(10_000)).as_bytes()).is_ok());
        assert_eq!(
            csv(format!("{}\n{rows}", "x".repeat(20_000)).as_bytes()).err().unwrap(),
            CSV_GROWS_TOO_MUCH
        );
    }
}
