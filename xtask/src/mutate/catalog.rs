//! Generates the mutants from the catalog of a migrated database.

use std::collections::HashSet;

use serde_json::Value;

use super::Mutant;
use super::databases::Database;
use super::expressions::{without_each_statement, without_each_term};

/// Statements with which a function refuses something.
const GUARDS: [&str; 2] = ["raise", "perform"];
const LONGEST_NAME: usize = 160;

/// # Errors
/// When the catalog can't be read.
pub fn mutants(database: &Database) -> anyhow::Result<Vec<Mutant>> {
    let mut mutants = Vec::new();
    for row in rows(database, include_str!("policies.sql"))? {
        let field = |name: &str| row[name].as_str().unwrap_or_default();
        let mut add = |change: String, sql: String| {
            let (table, policy) = (field("table"), field("name"));
            mutants.push(Mutant {
                kind: "policies",
                subject: table.to_owned(),
                name: shortened(&format!("policy {policy} on {table}: {change}")),
                sql: format!("alter policy {policy} on {table} {sql}"),
            });
        };
        for (clause, expression) in [("using", field("using")), ("with check", field("check"))] {
            if expression.is_empty() || expression == "true" {
                continue;
            }
            add(format!("{clause} true"), format!("{clause} (true)"));
            for (term, rest) in without_each_term(expression) {
                add(format!("{clause} without {term}"), format!("{clause} ({rest})"));
            }
        }
        if field("roles") != "public" {
            add("to public".to_owned(), "to public".to_owned());
        }
    }
    for (kind, query) in [
        ("grants", include_str!("grants.sql")),
        ("guards", include_str!("guards.sql")),
        ("constraints", include_str!("constraints.sql")),
    ] {
        for row in rows(database, query)? {
            let field = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
            let mutant = |name: &str, sql: String| Mutant {
                kind,
                subject: field("subject"),
                name: shortened(name),
                sql,
            };
            let (name, sql) = (field("name"), field("sql"));
            match row["body"].as_str() {
                None => mutants.push(mutant(&name, sql)),
                Some(body) => mutants.extend(weakened(kind, body).into_iter().map(|(part, rest)| {
                    mutant(&format!("{name}: without {part}"), sql.replacen("%body%", &rest, 1))
                })),
            }
        }
    }
    let mut seen = HashSet::new();
    mutants.retain(|mutant| seen.insert(mutant.sql.clone()));
    Ok(mutants)
}

/// A function without each of its guards, or a check without each of its terms. A lock is no guard: it orders
/// transactions, of which these tests have only one. The tests in db/tests/it run two.
fn weakened(kind: &str, body: &str) -> Vec<(String, String)> {
    if kind == "constraints" {
        return without_each_term(body);
    }
    let is_lock = |guard: &str| {
        guard.contains("_lock")
            || guard.contains("lock_")
            || guard.ends_with("for share")
            || guard.ends_with("for key share")
    };
    let mut guards = without_each_statement(body, &GUARDS);
    guards.retain(|(guard, _)| !is_lock(guard));
    guards
}

fn rows(database: &Database, query: &str) -> anyhow::Result<Vec<Value>> {
    let query = format!("select coalesce(json_agg(to_json(mutant)), '[]') from ({query}) as mutant");
    Ok(serde_json::from_str(&database.psql(&[&query])?)?)
}

fn shortened(name: &str) -> String {
    match name.char_indices().nth(LONGEST_NAME) {
        Some((at, _)) => format!("{}…", &name[..at]),
        None => name.to_owned(),
    }
}
