//! Rows and arguments as JSON, CSV, forms or bytes.

use super::filter::column;
use crate::fuzz::dice::Dice;
use crate::fuzz::ground::Table;
use crate::fuzz::request::Request;
use crate::fuzz::values;

pub fn rows(dice: &mut Dice, table: &Table, request: &mut Request) {
    let kinds = if dice.is_calm() { 18 } else { 20 };
    let (kind, body) = match dice.below(kinds) {
        0..=13 => ("application/json", json(dice, table)),
        14 | 15 => ("text/csv", csv(dice, table)),
        16 | 17 => ("application/x-www-form-urlencoded", form(dice, table)),
        18 => odd(dice),
        _ => ("application/json", mangled(dice, table)),
    };
    finish(dice, request, kind, body);
}

pub fn arguments(dice: &mut Dice, arguments: &[(String, String)], request: &mut Request) {
    let (kind, body) = match (dice.below(10), arguments) {
        (0, _) => odd(dice),
        (1, _) => {
            let pairs: Vec<_> = arguments
                .iter()
                .map(|(name, kind)| {
                    let value = values::of_type(dice, kind, &[]);
                    [name.as_bytes(), b"=", &values::encoded(dice, &value)].concat()
                })
                .collect();
            ("application/x-www-form-urlencoded", pairs.join(&b'&'))
        }
        (_, [(name, kind)]) if name.is_empty() => match kind.as_str() {
            "bytea" => ("application/octet-stream", (0..dice.below(64)).map(|_| dice.byte()).collect()),
            "text" => ("text/plain", values::nasty(dice).into_bytes()),
            _ => ("application/json", values::json(dice, "json", &[]).into_bytes()),
        },
        _ => {
            let mut members = Vec::new();
            for (name, kind) in arguments {
                if dice.percent(92) {
                    let name = serde_json::Value::from(name.as_str());
                    members.push(format!("{name}:{}", values::json(dice, kind, &[])));
                }
            }
            ("application/json", format!("{{{}}}", members.join(",")).into_bytes())
        }
    };
    finish(dice, request, kind, body);
}

fn finish(dice: &mut Dice, request: &mut Request, kind: &'static str, body: Vec<u8>) {
    if !dice.odd_one_in(30) {
        let kind = if dice.odd_one_in(40) { dice.word(super::MEDIA_TYPES) } else { kind };
        request.header("content-type", kind);
    }
    request.body = Some(body);
}

fn object(dice: &mut Dice, table: &Table) -> String {
    let count = dice.below(7);
    let members: Vec<_> = (0..count)
        .map(|_| {
            let column = column(dice, table);
            let name = serde_json::Value::from(column.name.as_str());
            format!("{name}:{}", values::json(dice, &column.kind, &column.pool))
        })
        .collect();
    format!("{{{}}}", members.join(","))
}

fn json(dice: &mut Dice, table: &Table) -> Vec<u8> {
    let kinds = if dice.is_calm() { 10 } else { 12 };
    match dice.below(kinds) {
        0..=6 => object(dice, table).into_bytes(),
        7..=9 => {
            let one = object(dice, table);
            let count = dice.below(5);
            // The gateway requires the same members in all objects.
            let objects: Vec<_> = (0..count)
                .map(|_| if dice.percent(80) { one.clone() } else { object(dice, table) })
                .collect();
            format!("[{}]", objects.join(",")).into_bytes()
        }
        10 => values::json(dice, "json", &[]).into_bytes(),
        _ => dice
            .word(&[
                "",
                "[]",
                "{}",
                "[{}]",
                "[{},{}]",
                "[[]]",
                "null",
                "\"x\"",
                "1",
                "[1]",
                "{",
                "[{\"a\":1},1]",
                "\u{feff}{}",
            ])
            .as_bytes()
            .to_vec(),
    }
}

/// JSON with changed, missing or duplicated bytes.
fn mangled(dice: &mut Dice, table: &Table) -> Vec<u8> {
    let mut body = json(dice, table);
    for _ in 0..dice.between(1, 4) {
        if body.is_empty() {
            break;
        }
        let at = dice.below(body.len());
        match dice.below(4) {
            0 => body[at] = dice.byte(),
            1 => {
                body.remove(at);
            }
            2 => body.insert(at, *dice.pick(b"{}[]\",:\\\0\xff\xc3")),
            _ => body.truncate(at),
        }
    }
    body
}

fn csv(dice: &mut Dice, table: &Table) -> Vec<u8> {
    let columns: Vec<_> = (0..dice.between(1, 4)).map(|_| column(dice, table)).collect();
    let mut lines = vec![columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>().join(",")];
    for _ in 0..dice.below(4) {
        let width = if dice.one_in(8) { dice.below(6) } else { columns.len() };
        let fields: Vec<_> = columns
            .iter()
            .cycle()
            .take(width)
            .map(|column| {
                let value = values::of_type(dice, &column.kind, &column.pool);
                match dice.below(6) {
                    0 => "NULL".to_owned(),
                    1 => value,
                    2 => format!("\"{value}"),
                    _ => format!("\"{}\"", value.replace('"', "\"\"")),
                }
            })
            .collect();
        lines.push(fields.join(","));
    }
    lines.join(dice.word(&["\n", "\r\n", "\r"])).into_bytes()
}

fn form(dice: &mut Dice, table: &Table) -> Vec<u8> {
    let pairs: Vec<_> = (0..dice.below(5))
        .map(|_| {
            let column = column(dice, table);
            let value = values::of_type(dice, &column.kind, &column.pool);
            [values::encoded(dice, &column.name), b"=".to_vec(), values::encoded(dice, &value)].concat()
        })
        .collect();
    pairs.join(&b'&')
}

fn odd(dice: &mut Dice) -> (&'static str, Vec<u8>) {
    match dice.below(4) {
        0 => ("application/octet-stream", (0..dice.below(400)).map(|_| dice.byte()).collect()),
        1 => ("text/plain", values::nasty(dice).into_bytes()),
        2 => (
            "multipart/form-data; boundary=x",
            b"--x\r\ncontent-disposition: form-data; name=\"a\"\r\n\r\n1\r\n--x--".to_vec(),
        ),
        _ => ("text/xml", b"<a><b/></a>".to_vec()),
    }
}
