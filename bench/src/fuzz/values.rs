//! Values for columns, parameters and bodies. Most fit their type; some fit no type.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, utf8_percent_encode};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;

pub type Text = BoxedStrategy<String>;

/// The fuzzer's dictionary. Each of the `nasty` values has broken a parser somewhere.
static WORDS: LazyLock<BTreeMap<String, Vec<Value>>> =
    LazyLock::new(|| serde_json::from_str(include_str!("words.json")).unwrap_or_default());

/// The words of a list as they are, or as texts.
pub fn word(list: &str) -> BoxedStrategy<Value> {
    match WORDS.get(list) {
        Some(words) => select(words.as_slice()).boxed(),
        None => Just(Value::String(format!("no list {list}"))).boxed(),
    }
}

pub fn is_list(name: &str) -> bool {
    WORDS.contains_key(name)
}

pub fn text(list: &str) -> Text {
    word(list).prop_map(|word| as_text(&word)).boxed()
}

pub fn as_text(word: &Value) -> String {
    word.as_str().map_or_else(|| word.to_string(), str::to_owned)
}

pub fn all(list: &str) -> Vec<String> {
    WORDS.get(list).into_iter().flatten().map(as_text).collect()
}

/// The second strategy in some percent of all cases.
pub fn mostly<T: std::fmt::Debug + 'static>(
    percent: u32,
    usual: impl Strategy<Value = T> + 'static,
    strange: impl Strategy<Value = T> + 'static,
) -> BoxedStrategy<T> {
    let percent = percent.clamp(1, 99);
    prop_oneof![100 - percent => usual, percent => strange].boxed()
}

/// `None` in most cases.
pub fn maybe<T: std::fmt::Debug + 'static>(
    percent: u32,
    value: impl Strategy<Value = T> + 'static,
) -> BoxedStrategy<Option<T>> {
    proptest::option::weighted(f64::from(percent.clamp(1, 99)) / 100.0, value).boxed()
}

pub fn nasty() -> Text {
    const REPEATED: &[&str] = &["a", "(", "[", "{", "\"", "1", "'", "%", "é", "\\"];
    let long = (select(REPEATED), 200..6000_usize).prop_map(|(text, times)| text.repeat(times));
    let two = (text("nasty"), text("nasty")).prop_map(|(one, other)| one + &other);
    prop_oneof![21 => text("nasty"), 1 => long, 1 => two, 1 => deep()].boxed()
}

/// Nested more deeply than any real value.
fn deep() -> Text {
    const PAIRS: &[(&str, &str)] = &[("[", "]"), ("{\"a\":", "}"), ("{", "}"), ("(", ")"), ("and(", ")")];
    let nested = |((open, close), depth): ((&str, &str), usize)| {
        format!("{}1{}", open.repeat(depth), close.repeat(depth))
    };
    (select(PAIRS), 10..1500_usize).prop_map(nested).boxed()
}

/// A value for a column of this type, as text.
pub fn of_type(kind: &str, pool: &[String], odd: u32) -> Text {
    let list = match kind {
        "int4" | "int8" | "int2" | "oid" => "number",
        "numeric" | "float8" | "float4" | "money" => "decimal",
        "timestamptz" | "timestamp" => "moment",
        "jsonb" => "json",
        "_text" | "_varchar" => "texts",
        "_int4" | "_int8" => "numbers",
        other => other,
    };
    let list = format!("of {list}");
    let usual = text(if WORDS.contains_key(&list) { &list } else { "of text" });
    let usual = if pool.is_empty() { usual } else { mostly(40, usual, select(pool.to_vec())) };
    mostly(odd, usual, nasty())
}

/// A value for a JSON body, already encoded. Some are malformed.
pub fn json(kind: &str, pool: &[String], odd: u32) -> Text {
    const BARE: [&str; 8] = ["int4", "int8", "int2", "bool", "numeric", "float8", "json", "jsonb"];
    let is_bare = BARE.contains(&kind);
    let usual = (of_type(kind, pool, odd), 0..10_u32).prop_map(move |(text, turn)| {
        if is_bare && turn < 8 { text } else { Value::String(text).to_string() }
    });
    mostly(odd / 2, usual, mostly(20, text("json"), deep()))
}

/// Characters that are usually left unencoded.
const LENIENT: &AsciiSet = &CONTROLS.add(b' ').add(b'#').add(b'&').add(b'+').add(b'%');

/// Percent-encodes texts for a query, some of them incorrectly.
pub fn encoded(value: impl Strategy<Value = String> + 'static, odd: u32) -> Text {
    let ways = if odd > super::CALM { 0..40_u32 } else { 0..400 };
    (value, ways, text("percent"))
        .prop_map(|(text, way, wrong)| match way {
            0 => text.replace(['\r', '\n', ' ', '#'], ""),
            1 => format!("{}{wrong}", utf8_percent_encode(&text, LENIENT)),
            2 => encode(&encode(&text)),
            3 | 4 => encode(&text),
            _ => utf8_percent_encode(&text, LENIENT).to_string(),
        })
        .boxed()
}

pub fn encode(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

/// A body, sometimes with changed, missing or duplicated bytes.
pub fn mangled(body: impl Strategy<Value = Vec<u8>> + 'static, odd: u32) -> BoxedStrategy<Vec<u8>> {
    let changes = vec((0..4_u8, any::<prop::sample::Index>(), any::<u8>()), 1..4);
    (body, maybe(odd, changes))
        .prop_map(|(mut body, changes)| {
            for (change, at, byte) in changes.into_iter().flatten() {
                if body.is_empty() {
                    break;
                }
                let at = at.index(body.len());
                match change {
                    0 => body[at] = byte,
                    1 => {
                        body.remove(at);
                    }
                    2 => body.insert(at, b"{}[]\",:\\\0\xff\xc3"[usize::from(byte) % 11]),
                    _ => body.truncate(at),
                }
            }
            body
        })
        .boxed()
}
