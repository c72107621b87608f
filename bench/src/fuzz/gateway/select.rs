//! `select`, `order`, and lists of columns.

use super::filter::{column, field, quoted};
use crate::fuzz::dice::Dice;
use crate::fuzz::ground::{Ground, Table};
use crate::fuzz::values;

pub const AGGREGATES: &[&str] = &["sum", "avg", "min", "max", "count", "nope"];
const CASTS: &[&str] = &[
    "text",
    "int4",
    "integer",
    "numeric",
    "json",
    "jsonb",
    "date",
    "uuid",
    "boolean",
    "text[]",
    "bytea",
    "regclass",
    "int4range",
    "fuzz.mood",
    "nope",
    "int)",
    "xml",
];
const HINTS: &[&str] =
    &["inner", "left", "parent_id", "second_parent_id", "nope", "items_parent_id_fkey", "user_id"];
const MAX_EMBEDS: usize = 4;

pub fn list(dice: &mut Dice, ground: &Ground, table: &Table, depth: usize) -> String {
    let items: Vec<_> = (0..dice.between(1, 5)).map(|_| item(dice, ground, table, depth)).collect();
    items.join(",")
}

fn item(dice: &mut Dice, ground: &Ground, table: &Table, depth: usize) -> String {
    match dice.below(20) {
        0 => "*".to_owned(),
        1 if dice.percent(50) => values::nasty(dice),
        2 => dice.word(&["count()", "total:count()", "count()::text", "count"]).to_owned(),
        3..=6 if depth < MAX_EMBEDS => embed(dice, ground, table, depth),
        _ => {
            let column = column(dice, table);
            let mut text = field(dice, &column);
            if dice.one_in(6) {
                text = format!("{}:{text}", dice.word(&["alias", "a b", "\"q\"", "id", "", "ü"]));
            }
            if dice.one_in(5) {
                text = format!("{text}::{}", dice.word_of(CASTS, 1));
            }
            if dice.one_in(8) {
                text = format!("{text}.{}()", dice.word_of(AGGREGATES, 5));
                if dice.one_in(3) {
                    text = format!("{text}::{}", dice.word_of(CASTS, 1));
                }
            }
            text
        }
    }
}

fn embed(dice: &mut Dice, ground: &Ground, table: &Table, depth: usize) -> String {
    let others = ["shout", "siblings", "user_roles", "nope", "items_view"];
    let name = match table.embeds.len() {
        count if count > 0 && dice.percent(85) => table.embeds[dice.below(count)].clone(),
        _ => dice.word(&others).to_owned(),
    };
    let bare = name.split('!').next().unwrap_or_default();
    let target = ground.tables.iter().find(|other| other.name == bare && other.schema == table.schema);
    let inner =
        if dice.one_in(8) { String::new() } else { list(dice, ground, target.unwrap_or(table), depth + 1) };
    let alias = if dice.one_in(6) { "other:" } else { "" };
    let spread = if alias.is_empty() && dice.one_in(4) { "..." } else { "" };
    let hint = if dice.one_in(4) { format!("!{}", dice.word_of(HINTS, 2)) } else { String::new() };
    format!("{spread}{alias}{name}{hint}({inner})")
}

pub fn order(dice: &mut Dice, table: &Table) -> String {
    let items: Vec<_> = (0..dice.between(1, 3))
        .map(|_| {
            let column = column(dice, table);
            let mut text = field(dice, &column);
            if let (Some(embed), true) = (table.embeds.first(), dice.one_in(8)) {
                text = format!("{}({text})", embed.split('!').next().unwrap_or_default());
            }
            format!(
                "{text}{}{}",
                dice.word(&["", ".asc", ".desc", ".up"]),
                dice.word(&["", "", ".nullsfirst", ".nullslast", ".nulls"])
            )
        })
        .collect();
    items.join(",")
}

/// For `columns` and `on_conflict`.
pub fn names(dice: &mut Dice, table: &Table) -> String {
    let names: Vec<_> = (0..dice.between(1, 4)).map(|_| quoted(&column(dice, table).name)).collect();
    names.join(",")
}
