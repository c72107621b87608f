//! Guards against tests that are missing, and against refusals that prove nothing because no one is ever
//! allowed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::rows::over_http;
use crate::table::{self, Row};

const SUBJECTS: &str = include_str!("subjects.rs");
/// What the API exposes.
const STRUCTURE: &str = include_str!("../../../db/schema.snapshot");

fn read_all(folder: &Path) -> BTreeMap<String, Vec<Row>> {
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.map(|file| (file.file_stem().unwrap().to_string_lossy().into_owned(), table::read(&file))).collect()
}

fn policies() -> BTreeMap<String, Vec<Row>> {
    read_all(&table::policies())
}

fn own() -> BTreeMap<String, Vec<Row>> {
    read_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/matrix/tables"))
}

#[test]
fn every_file_of_acts_has_a_test() {
    let policies = policies();
    let acts = policies.iter().filter(|(_, rows)| over_http(rows).next().is_some());
    let calls = acts.map(|(name, _)| format!("policies(\"{name}\")"));
    let own = own();
    let calls = calls.chain(own.keys().map(|name| format!("\"{name}.txt\")")));
    let missing: Vec<String> = calls.filter(|call| !SUBJECTS.contains(call.as_str())).collect();
    assert!(missing.is_empty(), "add to serasi/tests/matrix/subjects.rs: {missing:#?}");
}

#[test]
fn every_view_of_the_api_has_acts() {
    let rows: Vec<Row> = policies().into_values().flatten().collect();
    let named: BTreeSet<&str> =
        over_http(&rows).filter_map(|row| row.field("request").split([' ', '?']).nth(1)).collect();
    let views = STRUCTURE.lines().filter_map(|line| line.strip_prefix("view public."));
    let views = views.filter_map(|line| line.split(' ').next());
    let missing: Vec<&str> = views.filter(|view| !named.contains(view)).collect();
    assert!(missing.is_empty(), "add acts to a file in db/tests/policies: {missing:#?}");
}

#[test]
fn every_refused_act_is_allowed_for_somebody() {
    let rows: Vec<Row> = policies().into_values().chain(own().into_values()).flatten().collect();
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
