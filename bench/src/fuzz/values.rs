//! Values for columns and bodies. Most fit their type; some fit no type.

use super::dice::Dice;

/// Each of these has broken a parser somewhere.
pub const NASTY: &[&str] = &[
    "",
    " ",
    "null",
    "NULL",
    "true",
    "-1",
    "0",
    "-0",
    "1e400",
    "NaN",
    "Infinity",
    "-Infinity",
    "2147483648",
    "9223372036854775808",
    "-9223372036854775809",
    "99999999999999999999999999999999999999999",
    "0x1f",
    "1_000",
    "1.5",
    "2026-02-30",
    "infinity",
    "-infinity",
    "294277-01-01",
    "4714-01-01 BC",
    "25:61:61",
    "2026-01-01T00:00:00+99:99",
    "10000000 years",
    "P1Y",
    "now",
    "epoch",
    "{}",
    "{1,2}",
    "{{1},{2,3}}",
    "{{{{{{{1}}}}}}}",
    "{{{{{{1}}}}}}",
    "{null}",
    "[1:2]={1,2}",
    "[-2147483648:2147483647]={1}",
    "{\"a\":1}",
    "[]",
    "[[[[[[[[[[1]]]]]]]]]]",
    "[1,2)",
    "(,)",
    "empty",
    "[2,1]",
    "'",
    "\"",
    "\\",
    "''",
    "$1",
    "';drop table x--",
    "\u{0}",
    "a\u{0}b",
    "\u{1}",
    "\u{7f}",
    "\r\n",
    "\t",
    "\u{202e}abc",
    "\u{feff}",
    "ＩＤ",
    "ı",
    "ﷺ",
    "😀",
    "e\u{301}\u{301}\u{301}",
    "\u{d7ff}",
    "\u{10ffff}",
    "*",
    "%",
    "_",
    "%25",
    "%00",
    "(a)",
    "(",
    ")",
    "a,b",
    "a.b",
    ".",
    "..",
    "../../etc",
    ":*",
    "&",
    "|",
    "!",
    "a & ",
    "a <-> b",
    "a<0>b",
    "a:*ABCD",
    "((((a))))",
    "[",
    "(?i)(a+)+$",
    "(.*)*b",
    "\\1",
    "x{1,256}",
    "[[:foo:]]",
    "(?=a)",
    "***:a",
    "any(a)",
    "not.eq.1",
    "{\"\\ud800\":1}",
    "\\ud800",
    "00000000-0000-0000-0000-000000000000",
    "5e7a0001-0000-4000-8000",
    "192.168.0.0/99",
    "<a>&amp;</a>",
    "simple",
    "-",
    "--",
    "/*",
    "1=1",
    "pg_sleep(9)",
];

pub const KNOWN_TYPES: &[&str] = &[
    "text",
    "uuid",
    "int4",
    "int8",
    "int2",
    "numeric",
    "float8",
    "bool",
    "date",
    "timestamptz",
    "timestamp",
    "time",
    "interval",
    "json",
    "jsonb",
    "_text",
    "_int4",
    "int4range",
    "tstzrange",
    "tsvector",
    "bytea",
    "inet",
    "bit",
    "xml",
    "char",
    "point",
    "money",
    "regclass",
    "oid",
    "record",
    "mood",
    "short_text",
    "address",
];

pub fn nasty(dice: &mut Dice) -> String {
    match dice.below(24) {
        0 => dice.word(&["a", "(", "[", "{", "\"", "1", "'", "%", "é", "\\"]).repeat(dice.between(200, 6000)),
        1 => deep(dice),
        2 => format!("{}{}", dice.word(NASTY), dice.word(NASTY)),
        _ => dice.word(NASTY).to_owned(),
    }
}

/// Nested more deeply than any real value.
fn deep(dice: &mut Dice) -> String {
    let depth = dice.between(10, 1500);
    let (open, close) = *dice.pick(&[("[", "]"), ("{\"a\":", "}"), ("{", "}"), ("(", ")"), ("and(", ")")]);
    format!("{}1{}", open.repeat(depth), close.repeat(depth))
}

/// A value for a column of this type, as text.
pub fn of_type(dice: &mut Dice, kind: &str, pool: &[String]) -> String {
    if dice.odd_one_in(6) {
        return nasty(dice);
    }
    if dice.percent(40) && !pool.is_empty() {
        return dice.pick(pool).clone();
    }
    let small = dice.below(40);
    match kind {
        "uuid" => format!("5e7b0001-0000-4000-8000-{small:012x}"),
        "int4" | "int8" | "int2" | "oid" => format!("{small}"),
        "numeric" | "float8" | "float4" | "money" => format!("{small}.{}", dice.below(100)),
        "bool" => dice.word(&["true", "false", "t", "f", "on", "0", "yes"]).to_owned(),
        "date" => format!("2026-0{}-1{}", dice.between(1, 9), dice.below(10)),
        "timestamptz" | "timestamp" => format!("2026-0{}-11T10:00:0{}Z", dice.between(1, 9), dice.below(10)),
        "time" => format!("1{}:00", dice.below(10)),
        "interval" => format!("{small} days"),
        "json" | "jsonb" => dice
            .word(&[
                "{\"a\": {\"b\": [1, 2]}}",
                "[1, 2, {\"a\": null}]",
                "\"x\"",
                "1",
                "null",
                "{\"title\": \"t\", \"price\": \"1\"}",
            ])
            .to_owned(),
        "_text" | "_varchar" => dice.word(&["{a,b}", "{}", "{\"a b\",c}"]).to_owned(),
        "_int4" | "_int8" => dice.word(&["{1,2,3}", "{}", "{{1,2},{3,4}}"]).to_owned(),
        "int4range" => dice.word(&["[1,5)", "(,3]", "empty"]).to_owned(),
        "tstzrange" => "[2026-01-01,2026-02-01)".to_owned(),
        "tsvector" => dice.word(&["a b c", "'cat':1 'dog':2"]).to_owned(),
        "bytea" => "\\xdeadbeef".to_owned(),
        "mood" => dice.word(&["sad", "happy", "glum"]).to_owned(),
        "inet" => "10.0.0.1/8".to_owned(),
        "address" => "(Main,5)".to_owned(),
        "bit" => "101".to_owned(),
        "point" => "(1,2)".to_owned(),
        _ => dice.word(&["a", "Fashion", "kopi", "Kuala Lumpur", "blue", "none", "x y"]).to_owned(),
    }
}

/// A value for a JSON body, already encoded. Some are malformed.
pub fn json(dice: &mut Dice, kind: &str, pool: &[String]) -> String {
    let kinds = if dice.is_calm() { 200 } else { 20 };
    match dice.below(kinds) {
        0 => "null".to_owned(),
        1 => dice
            .word(&[
                "1e999",
                "-0",
                "1E400",
                "123456789012345678901234567890",
                "[]",
                "{}",
                "\"\\ud800\"",
                "\"\\u0000\"",
                "\"\\udfff\\ud800\"",
                "nul",
                "01",
                "'a'",
                "[1,]",
                "{\"a\":}",
                "{\"a\":1,\"a\":2}",
                "\"\u{1}\"",
                "\"unfinished",
            ])
            .to_owned(),
        2 => deep(dice),
        _ => {
            let text = of_type(dice, kind, pool);
            let is_bare =
                matches!(kind, "int4" | "int8" | "int2" | "bool" | "numeric" | "float8" | "json" | "jsonb");
            if is_bare && dice.percent(80) { text } else { serde_json::Value::String(text).to_string() }
        }
    }
}

/// Percent-encodes a value for a query, occasionally incorrectly.
pub fn encoded(dice: &mut Dice, text: &str) -> Vec<u8> {
    use percent_encoding::{AsciiSet, CONTROLS, NON_ALPHANUMERIC, utf8_percent_encode};
    // Characters that are usually left unencoded.
    const LENIENT: &AsciiSet = &CONTROLS.add(b' ').add(b'#').add(b'&').add(b'+').add(b'%');
    let ways = if dice.is_calm() { 400 } else { 40 };
    match dice.below(ways) {
        0 => text.replace(['\r', '\n', ' ', '#'], "").into_bytes(),
        1 => format!(
            "{}{}",
            utf8_percent_encode(text, LENIENT),
            dice.word(&[
                "%",
                "%z",
                "%zz",
                "%0",
                "%c3%28",
                "%c0%80",
                "%ff",
                "%ed%a0%80",
                "%25%30%30",
                "%u0041"
            ])
        )
        .into_bytes(),
        2 => utf8_percent_encode(&utf8_percent_encode(text, NON_ALPHANUMERIC).to_string(), NON_ALPHANUMERIC)
            .to_string()
            .into_bytes(),
        3 | 4 => utf8_percent_encode(text, NON_ALPHANUMERIC).to_string().into_bytes(),
        _ => utf8_percent_encode(text, LENIENT).to_string().into_bytes(),
    }
}
