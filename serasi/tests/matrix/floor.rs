//! Guards against tests that disappear unnoticed, and against refusals that prove nothing because no one is
//! ever allowed.

use std::collections::{BTreeMap, BTreeSet};

use crate::rows::over_http;
use crate::table::{self, Row};

/// Minimum number of cells over HTTP by subject, including an expired and a tampered token per act.
const POLICIES: [(&str, usize); 19] = [
    ("agencies", 860),
    ("applications", 360),
    ("audit_log", 40),
    ("backups", 50),
    ("collaborations", 160),
    ("enquiries", 300),
    ("gigs", 480),
    ("guest_reviews", 75),
    ("influencers", 1_800),
    ("moderation", 40),
    ("notices", 50),
    ("notifications", 164),
    ("profiles", 200),
    ("report_kinds", 55),
    ("reports", 330),
    ("reviews", 300),
    ("user_roles", 320),
    ("vendors", 800),
    ("visitors", 285),
];
const OWN: [(&str, usize); 7] = [
    ("rows.txt", 440),
    ("private.txt", 160),
    ("hidden.txt", 640),
    ("storage.txt", 575),
    ("auth.txt", 400),
    ("create_admin.txt", 335),
    ("enquiries.txt", 100),
];
const TOTAL: usize = 7_500;

fn policies() -> BTreeMap<String, Vec<Row>> {
    let files = std::fs::read_dir(table::policies()).unwrap().map(|entry| entry.unwrap().path());
    files.map(|file| (file.file_stem().unwrap().to_string_lossy().into_owned(), table::read(&file))).collect()
}

fn own() -> BTreeMap<String, Vec<Row>> {
    OWN.iter().map(|(name, _)| ((*name).to_owned(), table::own(name))).collect()
}

#[test]
fn cells_do_not_vanish() {
    let (policies, own) = (policies(), own());
    let with_acts: BTreeSet<&str> = policies
        .iter()
        .filter(|(_, rows)| over_http(rows).next().is_some())
        .map(|(subject, _)| subject.as_str())
        .collect();
    assert_eq!(with_acts, POLICIES.iter().map(|(subject, _)| *subject).collect(), "a test for each subject");

    let mut total = 0;
    for (name, floor) in POLICIES {
        let cells: usize = over_http(&policies[name]).map(|row| row.cells.len() + 2).sum();
        assert!(cells >= floor, "{name}: {cells} cells are left of {floor}");
        total += cells;
    }
    for (name, floor) in OWN {
        let cells: usize = own[name].iter().map(|row| row.cells.len()).sum();
        assert!(cells >= floor, "{name}: {cells} cells are left of {floor}");
        total += cells;
    }
    assert!(total >= TOTAL, "{total} cells are left");
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
