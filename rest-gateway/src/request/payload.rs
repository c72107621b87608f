//! Request bodies. JSON is passed to PostgreSQL unchanged; only its keys are read here.

use std::collections::BTreeSet;

use bytes::Bytes;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
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

pub struct ReadPayload {
    pub payload: Payload,
    pub keys: BTreeSet<String>,
}

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
            Some(columns) => Ok(ReadPayload { payload: Payload::Json(body), keys: columns.clone() }),
            None => json(body, for_function),
        },
        (MediaType::Csv, _) => csv(&body),
        (MediaType::UrlEncoded, true) => {
            let form = form(&body);
            let keys = form.iter().map(|(name, _)| name.clone()).collect();
            Ok(ReadPayload { payload: Payload::Form(form), keys })
        }
        (MediaType::UrlEncoded, false) => {
            let object: Map<String, Value> =
                form(&body).into_iter().map(|(name, value)| (name, Value::String(value))).collect();
            let keys = object.keys().cloned().collect();
            Ok(ReadPayload { payload: Payload::Json(Value::Object(object).to_string().into()), keys })
        }
        (MediaType::PlainText | MediaType::Xml | MediaType::OctetStream, true) => {
            Ok(ReadPayload { payload: Payload::Raw(body), keys: BTreeSet::new() })
        }
        (other, _) => Err(format!("Content-Type not acceptable: {}", other.name())),
    }
}

fn json(body: Bytes, for_function: bool) -> Result<ReadPayload, ErrorMessage> {
    if body.is_empty() && for_function {
        return Ok(ReadPayload { payload: Payload::Json(Bytes::from_static(b"{}")), keys: BTreeSet::new() });
    }
    let mut deserializer = serde_json::Deserializer::from_slice(&body);
    let keys = BodyKeysSeed.deserialize(&mut deserializer).and_then(|keys| deserializer.end().map(|()| keys));
    match keys {
        Err(_) => Err(INVALID_JSON.to_owned()),
        Ok(BodyKeys::Mismatched) => Err("All object keys must match".to_owned()),
        Ok(BodyKeys::Keys(keys)) => Ok(ReadPayload { payload: Payload::Json(body), keys }),
        // Anything other than objects counts as no rows.
        Ok(BodyKeys::Empty) => {
            Ok(ReadPayload { payload: Payload::Json(Bytes::from_static(b"[]")), keys: BTreeSet::new() })
        }
    }
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

/// The keys of a JSON body.
enum BodyKeys {
    Keys(BTreeSet<String>),
    Empty,
    Mismatched,
}

struct BodyKeysSeed;

impl<'de> DeserializeSeed<'de> for BodyKeysSeed {
    type Value = BodyKeys;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<BodyKeys, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for BodyKeysSeed {
    type Value = BodyKeys;

    fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<BodyKeys, A::Error> {
        let mut keys = BTreeSet::new();
        while let Some((key, IgnoredAny)) = map.next_entry::<String, IgnoredAny>()? {
            keys.insert(key);
        }
        Ok(BodyKeys::Keys(keys))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<BodyKeys, A::Error> {
        let mut expected: Option<BTreeSet<String>> = None;
        let mut match_all = true;
        while let Some(item) = items.next_element_seed(ItemSeed)? {
            match (&expected, item) {
                (_, None) => match_all = false,
                (None, Some(keys)) => expected = Some(keys),
                (Some(expected), Some(keys)) => match_all &= *expected == keys,
            }
        }
        Ok(match (match_all, expected) {
            (false, _) => BodyKeys::Mismatched,
            (true, None) => BodyKeys::Empty,
            (true, Some(keys)) => BodyKeys::Keys(keys),
        })
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<BodyKeys, E> {
        Ok(BodyKeys::Empty)
    }

    fn visit_bool<E: serde::de::Error>(self, _: bool) -> Result<BodyKeys, E> {
        Ok(BodyKeys::Empty)
    }

    fn visit_i64<E: serde::de::Error>(self, _: i64) -> Result<BodyKeys, E> {
        Ok(BodyKeys::Empty)
    }

    fn visit_u64<E: serde::de::Error>(self, _: u64) -> Result<BodyKeys, E> {
        Ok(BodyKeys::Empty)
    }

    fn visit_f64<E: serde::de::Error>(self, _: f64) -> Result<BodyKeys, E> {
        Ok(BodyKeys::Empty)
    }

    fn visit_str<E: serde::de::Error>(self, _: &str) -> Result<BodyKeys, E> {
        Ok(BodyKeys::Empty)
    }
}

/// The keys of an array element, or `None` if it is not an object.
struct ItemSeed;

impl<'de> DeserializeSeed<'de> for ItemSeed {
    type Value = Option<BTreeSet<String>>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        // Buffer the element as raw text, because the deserializer must also consume elements that are not
        // objects.
        let raw: Box<serde_json::value::RawValue> = serde::Deserialize::deserialize(deserializer)?;
        if !raw.get().starts_with('{') {
            return Ok(None);
        }
        let keys: std::collections::BTreeMap<String, IgnoredAny> =
            serde_json::from_str(raw.get()).map_err(D::Error::custom)?;
        Ok(Some(keys.into_keys().collect()))
    }
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
    Ok(ReadPayload { payload: Payload::Json(rows.into()), keys })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(body: &'static str) -> Result<Vec<String>, String> {
        json(Bytes::from_static(body.as_bytes()), false).map(|read| read.keys.into_iter().collect())
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
        let Payload::Json(json) = read.payload else { panic!("JSON expected") };
        assert_eq!(json, r#"[{"a":"1","b":null},{"a":"2","b":"x,y"}]"#);
        assert_eq!(csv(b"a,b\n1").err().unwrap(), "All lines must have same number of fields");
        let Payload::Json(empty) = csv(b"a,b").unwrap().payload else { panic!("JSON expected") };
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
