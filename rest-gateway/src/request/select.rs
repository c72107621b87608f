//! The `select` parameter: columns, casts, aggregates, embedded and spread resources.

use super::field::{self, Field};
use super::scanner::{Failed, Parsed, Scanner};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SelectItem {
    Field(FieldItem),
    Embed(EmbedItem),
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FieldItem {
    pub field: Field,
    /// The SQL function.
    pub aggregate: Option<&'static str>,
    pub aggregate_cast: Option<String>,
    pub cast: Option<String>,
    pub alias: Option<String>,
}

impl FieldItem {
    /// `*`
    pub fn all_columns() -> Self {
        Self { field: Field { name: "*".to_owned(), path: Vec::new() }, ..Self::default() }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbedItem {
    pub name: String,
    pub alias: Option<String>,
    pub hint: Option<String>,
    pub join: Option<Join>,
    pub spread: bool,
    pub items: Vec<SelectItem>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Join {
    Inner,
    Left,
}

/// Names in the request and in SQL.
const AGGREGATES: [(&str, &str); 5] =
    [("sum", "SUM"), ("avg", "AVG"), ("count", COUNT), ("max", "MAX"), ("min", "MIN")];
const COUNT: &str = "COUNT";

/// Maximum embedding depth.
const MAX_DEPTH: usize = 20;

/// Maximum number of embedded resources. Each one is a join.
pub const MAX_EMBEDS: usize = 100;

pub fn embeds(items: &[SelectItem]) -> usize {
    let embedded = items.iter().map(|item| match item {
        SelectItem::Field(_) => 0,
        SelectItem::Embed(embed) => 1 + embeds(&embed.items),
    });
    embedded.sum()
}

pub fn items(s: &mut Scanner) -> Parsed<Vec<SelectItem>> {
    items_at(s, 0)
}

fn items_at(s: &mut Scanner, depth: usize) -> Parsed<Vec<SelectItem>> {
    let some = s.optional(|s| s.separated(|s| item(s, depth), |s| s.lexeme(|s| s.char(','))))?;
    Ok(some.unwrap_or_default())
}

fn item(s: &mut Scanner, depth: usize) -> Parsed<SelectItem> {
    if depth > MAX_DEPTH {
        return Err(Failed);
    }
    s.first_of(&[&|s| nested(s, spread, depth), &|s| nested(s, relation, depth), &|s| {
        field_item(s).map(SelectItem::Field)
    }])
}

fn nested(s: &mut Scanner, head: fn(&mut Scanner) -> Parsed<EmbedItem>, depth: usize) -> Parsed<SelectItem> {
    let mut embed = s.attempt(head)?;
    s.char('(')?;
    embed.items = items_at(s, depth + 1)?;
    s.char(')')?;
    Ok(SelectItem::Embed(embed))
}

fn spread(s: &mut Scanner) -> Parsed<EmbedItem> {
    s.lexeme(|s| {
        s.string("...")?;
        let name = field::name(s)?;
        embed(s, name, None, true)
    })
}

fn relation(s: &mut Scanner) -> Parsed<EmbedItem> {
    s.lexeme(|s| {
        let alias = s.optional(alias)?;
        let name = field::name(s)?;
        if name == "count" {
            return Err(Failed);
        }
        embed(s, name, alias, false)
    })
}

fn embed(s: &mut Scanner, name: String, alias: Option<String>, spread: bool) -> Parsed<EmbedItem> {
    let mut item = EmbedItem { name, alias, hint: None, join: None, spread, items: Vec::new() };
    for _ in 0..2 {
        if s.optional(|s| s.char('!'))?.is_none() {
            break;
        }
        let join = s.optional(|s| s.first_of(&[&|s| join_word(s, "left"), &|s| join_word(s, "inner")]))?;
        match join {
            Some(_) => item.join = item.join.or(join),
            None => item.hint = item.hint.or(Some(s.attempt(field::name)?)),
        }
    }
    s.attempt(|s| s.ahead("("))?;
    Ok(item)
}

/// Requires the end of the word, because a hint may start with it.
fn join_word(s: &mut Scanner, word: &'static str) -> Parsed<Join> {
    s.attempt(|s| {
        s.string(word)?;
        s.not_followed_by(|found| found.is_alphanumeric() || "_-$".contains(found))?;
        Ok(if word == "left" { Join::Left } else { Join::Inner })
    })
}

fn alias(s: &mut Scanner) -> Parsed<String> {
    s.attempt(|s| {
        let alias = field::name(s)?;
        s.char(':')?;
        s.not_followed_by(|found| found == ':')?;
        Ok(alias)
    })
}

fn field_item(s: &mut Scanner) -> Parsed<FieldItem> {
    s.lexeme(|s| s.first_of(&[&|s| s.attempt(star), &|s| s.attempt(count), &column]))
}

fn star(s: &mut Scanner) -> Parsed<FieldItem> {
    s.string("*")?;
    item_end(s)?;
    Ok(FieldItem::all_columns())
}

fn count(s: &mut Scanner) -> Parsed<FieldItem> {
    let alias = s.optional(alias)?;
    s.string("count()")?;
    let aggregate_cast = s.optional(cast)?;
    item_end(s)?;
    Ok(FieldItem { aggregate: Some(COUNT), aggregate_cast, alias, ..FieldItem::all_columns() })
}

fn column(s: &mut Scanner) -> Parsed<FieldItem> {
    let alias = s.optional(alias)?;
    let field = field::field(s)?;
    let cast_to = s.optional(cast)?;
    let aggregate = s.optional(|s| s.attempt(aggregate))?;
    let aggregate_cast = s.optional(cast)?;
    item_end(s)?;
    Ok(FieldItem { field, aggregate, aggregate_cast, cast: cast_to, alias })
}

fn aggregate(s: &mut Scanner) -> Parsed<&'static str> {
    s.char('.')?;
    let aggregate = s.word_of(&AGGREGATES)?;
    s.string("()")?;
    Ok(aggregate)
}

fn cast(s: &mut Scanner) -> Parsed<String> {
    s.string("::")?;
    field::identifier(s).map(str::to_owned)
}

fn item_end(s: &mut Scanner) -> Parsed<()> {
    s.before(&[")", ","])
}
