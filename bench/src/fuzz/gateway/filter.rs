//! Filters of the form `column=operator.value`, and trees of them.

use super::Query;
use crate::fuzz::dice::Dice;
use crate::fuzz::ground::{Column, Table};
use crate::fuzz::values;

pub const OPERATORS: &[&str] = &[
    "eq",
    "neq",
    "gt",
    "gte",
    "lt",
    "lte",
    "like",
    "ilike",
    "match",
    "imatch",
    "in",
    "is",
    "isdistinct",
    "fts",
    "plfts",
    "phfts",
    "wfts",
    "cs",
    "cd",
    "ov",
    "sl",
    "sr",
    "nxr",
    "nxl",
    "adj",
];
/// Operators that accept `(any)` and `(all)`.
pub const MODIFIABLE: &[&str] = &["eq", "gt", "gte", "lt", "lte", "like", "ilike", "match", "imatch"];
const LANGUAGES: &[&str] =
    &["english", "simple", "0", "klingon", "pg_catalog.english", "", "english)", "ENGLISH", "123"];

pub fn add(dice: &mut Dice, table: &Table, query: &mut Query) {
    if dice.percent(22) {
        let (name, text) = (dice.word(&["and", "or", "not.and", "not.or"]), group(dice, table, 0));
        return query.add(dice, name, &text);
    }
    let column = column(dice, table);
    let name = field(dice, &column);
    let name = match table.embeds.first() {
        Some(embed) if dice.one_in(15) => format!("{}.{name}", embed.split('!').next().unwrap_or_default()),
        _ => name,
    };
    let text = condition(dice, &column, false);
    query.add(dice, &name, &text);
}

/// Occasionally a column of another table.
pub fn column(dice: &mut Dice, table: &Table) -> Column {
    if table.columns.is_empty() || dice.odd_one_in(50) {
        let kind = dice.word(values::KNOWN_TYPES).to_owned();
        return Column {
            name: dice.word(&["nope", "id", "select", "or", "*", "", "ctid", "influencers"]).to_owned(),
            kind,
            pool: Vec::new(),
        };
    }
    dice.pick(&table.columns).clone()
}

/// A column, or a path into its JSON.
pub fn field(dice: &mut Dice, column: &Column) -> String {
    let name = quoted(&column.name);
    let is_json = matches!(column.kind.as_str(), "json" | "jsonb");
    let is_compound = column.kind.starts_with('_') || column.kind == "address";
    if !(is_json && dice.percent(60) || is_compound && dice.percent(20) || dice.odd_one_in(40)) {
        return name;
    }
    const KEYS: &[&str] =
        &["a", "0", "-1", "title", "b", "\"a b\"", "99999999999", "", "*", "2147483648", "é"];
    (0..dice.between(1, 4))
        .fold(name, |path, _| format!("{path}{}{}", dice.word(&["->", "->>"]), dice.word(KEYS)))
}

/// Quotes names that the grammar would cut off.
pub fn quoted(name: &str) -> String {
    if name.chars().all(|letter| letter.is_alphanumeric() || letter == '_') {
        name.to_owned()
    } else {
        format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
    }
}

fn condition(dice: &mut Dice, column: &Column, in_group: bool) -> String {
    if dice.odd_one_in(60) {
        return values::nasty(dice);
    }
    let negated = if dice.one_in(6) { "not." } else { "" };
    let operator = dice.word_of(OPERATORS, 6);
    let value = |dice: &mut Dice| {
        let text = values::of_type(dice, &column.kind, &column.pool);
        if in_group && dice.percent(50) {
            format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
        } else {
            text
        }
    };
    let text = match operator {
        "in" => format!("in.({})", (0..dice.below(5)).map(|_| value(dice)).collect::<Vec<_>>().join(",")),
        "is" => format!(
            "is.{}",
            dice.word(&["null", "not_null", "true", "false", "unknown", "NULL", "maybe", ""])
        ),
        "fts" | "plfts" | "phfts" | "wfts" => {
            let language =
                if dice.percent(35) { format!("({})", dice.word_of(LANGUAGES, 2)) } else { String::new() };
            let words = if dice.percent(60) {
                dice.word(&["cat", "fat & cat", "a | b", "!x", "fat:*", "a <-> b"]).to_owned()
            } else {
                value(dice)
            };
            format!("{operator}{language}.{words}")
        }
        "like" | "ilike" if dice.percent(70) => format!("{operator}.*{}*", value(dice)),
        _ if MODIFIABLE.contains(&operator) && dice.one_in(6) => {
            let values: Vec<_> = (0..dice.below(4)).map(|_| value(dice)).collect();
            format!("{operator}({}).{{{}}}", dice.word(&["any", "all"]), values.join(","))
        }
        _ => format!("{operator}.{}", value(dice)),
    };
    format!("{negated}{text}")
}

fn group(dice: &mut Dice, table: &Table, depth: usize) -> String {
    let members: Vec<_> = (0..dice.between(1, 4))
        .map(|_| {
            if depth < 4 && dice.percent(25) {
                format!(
                    "{}{}{}",
                    dice.word(&["", "", "not."]),
                    dice.word(&["and", "or"]),
                    group(dice, table, depth + 1)
                )
            } else {
                let column = column(dice, table);
                format!("{}.{}", field(dice, &column), condition(dice, &column, true))
            }
        })
        .collect();
    format!("({})", members.join(","))
}
