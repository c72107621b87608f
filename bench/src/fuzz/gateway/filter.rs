//! Filters of the form `column=operator.value`, and trees of them.

use std::rc::Rc;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::{Column, Table, parameter};
use crate::fuzz::values::{self, Text, maybe, mostly, nasty, text};

/// Operators that accept `(any)` and `(all)`.
pub const MODIFIABLE: &[&str] = &["eq", "gt", "gte", "lt", "lte", "like", "ilike", "match", "imatch"];

pub fn condition_of(table: &Rc<Table>, odd: u32) -> Text {
    const TREES: &[&str] = &["and", "or", "not.and", "not.or"];
    let embed = table.embeds.first().and_then(|embed| embed.split('!').next()).unwrap_or("x").to_owned();
    let single = column(table, odd).prop_flat_map(move |column| {
        let embed = embed.clone();
        let name = (field(&column, odd), 0..15_u8)
            .prop_map(move |(field, turn)| if turn == 0 { format!("{embed}.{field}") } else { field });
        parameter(name, condition(&column, false, odd), odd)
    });
    let tree = (select(TREES), group(Rc::clone(table), 0, odd));
    let tree =
        tree.prop_flat_map(move |(name, text)| parameter(Just(name.to_owned()), Just(text).boxed(), odd));
    prop_oneof![4 => single, 1 => tree].boxed()
}

/// Occasionally a column of another table.
pub fn column(table: &Rc<Table>, odd: u32) -> BoxedStrategy<Rc<Column>> {
    let strange = (text("column"), text("type"));
    let strange = strange.prop_map(|(name, kind)| Rc::new(Column { name, kind, pool: Vec::new() }));
    if table.columns.is_empty() {
        return strange.boxed();
    }
    mostly(odd / 5, select(table.columns.clone()), strange)
}

/// A column, or a path into its JSON.
pub fn field(column: &Column, odd: u32) -> Text {
    let name = quoted(&column.name);
    let percent = match column.kind.as_str() {
        "json" | "jsonb" => 60,
        kind if kind.starts_with('_') || kind == "address" => 20,
        _ => odd / 5,
    };
    let step =
        (select(&["->", "->>"][..]), text("json key")).prop_map(|(arrow, key)| format!("{arrow}{key}"));
    let path = vec(step, 1..4).prop_map(|steps| steps.concat());
    maybe(percent, path).prop_map(move |path| name.clone() + &path.unwrap_or_default()).boxed()
}

/// Quotes names that the grammar would cut off.
pub fn quoted(name: &str) -> String {
    if name.chars().all(|letter| letter.is_alphanumeric() || letter == '_') {
        name.to_owned()
    } else {
        format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
    }
}

fn condition(column: &Column, in_group: bool, odd: u32) -> Text {
    let value =
        (values::of_type(&column.kind, &column.pool, odd), any::<bool>()).prop_map(move |(text, quotes)| {
            if in_group && quotes {
                format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
            } else {
                text
            }
        });
    let simple: Vec<String> = values::all("operator").into_iter().take(6).collect();
    let operator = mostly(if odd > crate::fuzz::CALM { 70 } else { 15 }, select(simple), text("operator"));
    let words = (text("is"), text("search"), maybe(35, text("language")));
    let usual =
        (operator, vec(value, 1..5), words, 0..36_u8).prop_map(|(operator, mut values, words, turn)| {
            let (is, search, language) = words;
            let first = values.pop().unwrap_or_default();
            let negated = if turn.is_multiple_of(6) { "not." } else { "" };
            let text = match operator.as_str() {
                "in" => format!("in.({})", values.join(",")),
                "is" => format!("is.{is}"),
                "fts" | "plfts" | "phfts" | "wfts" => {
                    let language = language.map(|language| format!("({language})")).unwrap_or_default();
                    format!("{operator}{language}.{}", if turn.is_multiple_of(3) { first } else { search })
                }
                "like" | "ilike" if turn < 24 => format!("{operator}.*{first}*"),
                name if turn > 29 && MODIFIABLE.contains(&name) => {
                    format!("{name}({}).{{{}}}", ["any", "all"][usize::from(turn % 2)], values.join(","))
                }
                _ => format!("{operator}.{first}"),
            };
            format!("{negated}{text}")
        });
    mostly(odd / 8, usual, nasty())
}

fn group(table: Rc<Table>, depth: u32, odd: u32) -> Text {
    const TREES: &[&str] = &["and", "or", "not.and", "not.or"];
    let leaf = column(&table, odd).prop_flat_map(move |column| {
        (field(&column, odd), condition(&column, true, odd))
            .prop_map(|(field, text)| format!("{field}.{text}"))
    });
    let member = if depth < 4 {
        let inner = select(TREES).prop_flat_map(move |name| {
            group(Rc::clone(&table), depth + 1, odd).prop_map(move |group| format!("{name}{group}"))
        });
        prop_oneof![3 => leaf, 1 => inner].boxed()
    } else {
        leaf.boxed()
    };
    vec(member, 1..4).prop_map(|members| format!("({})", members.join(","))).boxed()
}
