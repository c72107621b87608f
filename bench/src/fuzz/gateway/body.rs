//! Rows and arguments as JSON, CSV, forms or bytes.

use std::rc::Rc;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::Value;

use super::filter::column;
use super::{Column, Function, Table};
use crate::fuzz::values::{self, Text, maybe, mostly, nasty, text};

/// The media type and the bytes.
type Body = BoxedStrategy<(String, Vec<u8>)>;

pub fn rows(table: &Rc<Table>, odd: u32) -> Body {
    let json = mostly(odd / 2, json(table, odd), text("rows body")).prop_map(String::into_bytes);
    let usual = prop_oneof![
        14 => finished("application/json", values::mangled(json, odd / 2)),
        2 => finished("text/csv", csv(table, odd).prop_map(String::into_bytes)),
        2 => finished("application/x-www-form-urlencoded", form(table, odd).prop_map(String::into_bytes)),
    ];
    with_kind(mostly(odd / 3, usual, strange()), odd)
}

pub fn arguments(function: &Function, odd: u32) -> Body {
    let usual = match function.arguments.as_slice() {
        [(name, kind)] if name.is_empty() => match kind.as_str() {
            "bytea" => finished("application/octet-stream", vec(any::<u8>(), 0..64)),
            "text" => finished("text/plain", nasty().prop_map(String::into_bytes)),
            _ => finished("application/json", values::json("json", &[], odd).prop_map(String::into_bytes)),
        },
        arguments => {
            let members: Vec<_> =
                arguments.iter().map(|(name, kind)| maybe(92, member(name, kind, &[], odd))).collect();
            let object = members.prop_map(|members| {
                format!("{{{}}}", members.into_iter().flatten().collect::<Vec<_>>().join(",")).into_bytes()
            });
            let pairs: Vec<_> = arguments.iter().map(|(name, kind)| pair(name, kind, &[], odd)).collect();
            let form = pairs.prop_map(|pairs| pairs.join("&").into_bytes());
            let json = finished("application/json", values::mangled(object, odd / 2));
            mostly(10, json, finished("application/x-www-form-urlencoded", form))
        }
    };
    with_kind(mostly(odd / 2, usual, strange()), odd)
}

fn finished(kind: &'static str, body: impl Strategy<Value = Vec<u8>> + 'static) -> Body {
    body.prop_map(move |body| (kind.to_owned(), body)).boxed()
}

/// Sometimes with another media type.
fn with_kind(body: Body, odd: u32) -> Body {
    (body, maybe(odd / 4, text("media type")))
        .prop_map(|((kind, body), other)| (other.unwrap_or(kind), body))
        .boxed()
}

fn member(name: &str, kind: &str, pool: &[String], odd: u32) -> Text {
    let name = Value::from(name).to_string();
    values::json(kind, pool, odd).prop_map(move |value| format!("{name}:{value}")).boxed()
}

fn pair(name: &str, kind: &str, pool: &[String], odd: u32) -> Text {
    let name = values::encoded(Just(name.to_owned()), odd);
    (name, values::encoded(values::of_type(kind, pool, odd), odd))
        .prop_map(|(name, value)| format!("{name}={value}"))
        .boxed()
}

fn json(table: &Rc<Table>, odd: u32) -> Text {
    let member =
        column(table, odd).prop_flat_map(move |column| member(&column.name, &column.kind, &column.pool, odd));
    let object = vec(member, 0..7).prop_map(|members| format!("{{{}}}", members.join(",")));
    // The gateway requires the same members in all objects.
    let array =
        (object.clone(), object.clone(), 0..5_usize, 0..5_u8).prop_map(|(one, other, count, turn)| {
            let mut objects = vec![one; count];
            if turn == 0 {
                objects.push(other);
            }
            format!("[{}]", objects.join(","))
        });
    prop_oneof![7 => object, 3 => array].boxed()
}

fn csv(table: &Rc<Table>, odd: u32) -> Text {
    vec(column(table, odd), 1..4)
        .prop_flat_map(move |columns| {
            let header: Vec<_> = columns.iter().map(|column| column.name.clone()).collect();
            let row: Vec<_> = columns.iter().map(|column| cell(column, odd)).collect();
            (Just(header), vec(row, 0..4), select(&["\n", "\r\n", "\r"][..]), 0..8_u8)
        })
        .prop_map(|(header, rows, end, turn)| {
            let mut lines = vec![header.join(",")];
            lines.extend(rows.into_iter().map(|row| row.join(",")));
            // A row with a field too many.
            if turn == 0 {
                lines.push(vec!["1"; header.len() + 1].join(","));
            }
            lines.join(end)
        })
        .boxed()
}

fn cell(column: &Column, odd: u32) -> Text {
    (values::of_type(&column.kind, &column.pool, odd), 0..6_u8)
        .prop_map(|(value, turn)| match turn {
            0 => "NULL".to_owned(),
            1 => value,
            2 => format!("\"{value}"),
            _ => format!("\"{}\"", value.replace('"', "\"\"")),
        })
        .boxed()
}

fn form(table: &Rc<Table>, odd: u32) -> Text {
    let pair =
        column(table, odd).prop_flat_map(move |column| pair(&column.name, &column.kind, &column.pool, odd));
    vec(pair, 0..5).prop_map(|pairs| pairs.join("&")).boxed()
}

fn strange() -> Body {
    const PARTS: &[u8] = b"--x\r\ncontent-disposition: form-data; name=\"a\"\r\n\r\n1\r\n--x--";
    prop_oneof![
        finished("application/octet-stream", vec(any::<u8>(), 0..400)),
        finished("text/plain", nasty().prop_map(String::into_bytes)),
        finished("multipart/form-data; boundary=x", Just(PARTS.to_vec())),
        finished("text/xml", Just(b"<a><b/></a>".to_vec())),
    ]
    .boxed()
}
