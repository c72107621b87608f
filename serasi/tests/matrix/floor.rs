//! Guards against tests that are missing, and against refusals that prove nothing because no one is ever
//! allowed.

use std::collections::BTreeSet;
use std::path::Path;

use crate::rows::over_http;
use crate::table::{self, Row};

const SUBJECTS: &str = include_str!("subjects.rs");
/// What the API exposes: a line for each table and view, and below it indented lines for columns and privileges.
const STRUCTURE: &str = include_str!("../../../db/schema.snapshot");

fn own() -> Vec<Row> {
    table::read_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/matrix/tables"))
}

/// The tables or views of a schema, with the lines below each.
fn relations(schema: &'static str) -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    STRUCTURE.lines().enumerate().filter_map(move |(number, line)| {
        let name = line.strip_prefix(schema)?.split(' ').next()?;
        let below = STRUCTURE.lines().skip(number + 1).take_while(|line| line.starts_with("  "));
        Some((name, below.map(str::trim_start).collect()))
    })
}

fn columns<'line>(lines: &[&'line str]) -> Vec<&'line str> {
    let keywords = ["constraint", "grant", "index", "policy", "rule", "statistics", "trigger"];
    let first_words = lines.iter().filter_map(|line| line.split(' ').next());
    first_words.filter(|word| !keywords.contains(word)).collect()
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
}

/// The columns that `authenticated` may insert or update.
fn writable<'line>(lines: &[&'line str]) -> BTreeSet<&'line str> {
    let grants = lines.iter().filter(|line| line.ends_with(" to authenticated"));
    let written = grants.filter(|line| line.starts_with("grant insert") || line.starts_with("grant update"));
    let lists = written.filter_map(|line| line.split_once('(')?.1.split_once(')'));
    lists.flat_map(|(list, _)| list.split(", ")).collect()
}

#[test]
fn every_table_of_acts_has_a_test() {
    let files: BTreeSet<String> = own().into_iter().map(|row| row.file).collect();
    let missing: Vec<&String> =
        files.iter().filter(|file| !SUBJECTS.contains(&format!("\"{file}\""))).collect();
    assert!(missing.is_empty(), "add to serasi/tests/matrix/subjects.rs: {missing:#?}");
}

#[test]
fn every_view_of_the_api_has_acts() {
    let rows = table::policies();
    let named: BTreeSet<&str> =
        over_http(&rows).filter_map(|row| row.field("request").split([' ', '?']).nth(1)).collect();
    let missing: Vec<&str> =
        relations("view public.").map(|(view, _)| view).filter(|view| !named.contains(view)).collect();
    assert!(missing.is_empty(), "add acts to a file in db/tests/policies: {missing:#?}");
}

#[test]
fn every_column_that_users_write_has_an_act() {
    let rows = table::policies();
    let statements = rows.iter().map(|row| row.field("sql"));
    let written: BTreeSet<&str> = statements
        .filter(|sql| sql.starts_with("insert") || sql.starts_with("update"))
        .flat_map(words)
        .collect();
    let missing: Vec<String> = relations("table app.")
        .flat_map(|(name, lines)| writable(&lines).into_iter().map(move |column| (name, column)))
        .filter(|(_, column)| !written.contains(column))
        .map(|(name, column)| format!("{name}.{column}"))
        .collect();
    assert!(missing.is_empty(), "write it in an act of a file in db/tests/policies: {missing:#?}");
}

/// A column that its file doesn't name was probably forgotten: the view does not show it, and nobody may write it.
#[test]
fn the_file_of_a_table_names_all_columns() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../db/marketplace/access");
    let mut missing = Vec::new();
    for (name, lines) in relations("table app.") {
        let Ok(access) = std::fs::read_to_string(folder.join(format!("{name}.sql"))) else { continue };
        let named: BTreeSet<&str> = words(&access).collect();
        let unnamed = columns(&lines).into_iter().filter(|column| !named.contains(column));
        missing.extend(unnamed.map(|column| format!("{column} in db/marketplace/access/{name}.sql")));
    }
    assert!(
        missing.is_empty(),
        "show it in the view and grant it, or name it in a comment that begins with `Internal:`: {missing:#?}"
    );
}

#[test]
fn every_refused_act_is_allowed_for_somebody() {
    let rows: Vec<Row> = table::policies().into_iter().chain(own()).collect();
    let allowed: BTreeSet<&str> =
        over_http(&rows).filter(|row| row.cells.iter().any(lets_through)).map(code).collect();
    let never_allowed: Vec<String> = over_http(&rows)
        .filter(|row| !allowed.contains(code(row)) && !is_for_nobody(row))
        .map(|row| format!("{}:{}: {}", row.file, row.line, row.id))
        .collect();
    assert!(never_allowed.is_empty(), "never allowed for anybody: {never_allowed:#?}");
}

fn code(row: &Row) -> &str {
    row.id.split(' ').next().unwrap_or_default()
}

fn lets_through((_, cell): &(String, String)) -> bool {
    let (first, second) = cell.split_once(' ').unwrap_or((cell, ""));
    let http = first.rsplit('/').next().unwrap_or_default();
    match first {
        "tells" => true,
        "same" => !second.is_empty() && !second.starts_with(['0', '/']) && second.len() < 5,
        _ => matches!(http.parse(), Ok(1..=99 | 200..=299)),
    }
}

/// Refused even with the service key, or unrelated to privileges.
fn is_for_nobody(row: &Row) -> bool {
    let service = row.cells.iter().find(|(person, _)| person == "service");
    service.is_some_and(|cell| !lets_through(cell))
}
