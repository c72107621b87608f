//! Generates the mutants from the catalog of a migrated database.

use std::collections::HashMap;

use sqlx::Connection;

use super::policy::Policy;
use super::sql_text::{Weakened, without_each_statement, without_each_term};
use super::{Mutant, PRIVILEGES};

/// Group name, and the query that returns (subject, name, SQL, batch key).
const QUERIES: [(&str, &str); 6] = [
    ("row security, views", include_str!("catalog/relations.sql")),
    (PRIVILEGES, include_str!("catalog/grants.sql")),
    ("functions", include_str!("catalog/functions.sql")),
    ("triggers", include_str!("catalog/triggers.sql")),
    ("constraints, defaults", include_str!("catalog/constraints.sql")),
    ("roles", include_str!("catalog/roles.sql")),
];

type Row = (String, String, String, Option<String>);

/// Statements that functions use as guards.
const GUARDS: [&str; 2] = ["raise", "perform"];
const LONGEST_NAME: usize = 160;

/// # Errors
/// When the catalog can't be read.
pub(super) async fn mutants(database: &str) -> anyhow::Result<Vec<Mutant>> {
    let mut connection = db::connect(database).await?;

    let policies: Vec<Policy> =
        sqlx::query_as(include_str!("catalog/policies.sql")).fetch_all(&mut connection).await?;
    let mut mutants: Vec<Mutant> = policies.iter().flat_map(Policy::mutants).collect();
    for (group, query) in QUERIES {
        let rows: Vec<Row> = sqlx::query_as(query).fetch_all(&mut connection).await?;
        mutants.extend(rows.into_iter().map(|(subject, name, sql, batch_key)| Mutant {
            group,
            subject,
            name,
            sql,
            batch_key,
        }));
    }
    let bodies: Vec<(String, String, String)> =
        sqlx::query_as(include_str!("catalog/bodies.sql")).fetch_all(&mut connection).await?;
    mutants.extend(bodies.iter().flat_map(|(name, head, body)| weakened_function(name, head, body)));
    let checks: Vec<(String, String, String, String)> =
        sqlx::query_as(include_str!("catalog/checks.sql")).fetch_all(&mut connection).await?;
    mutants.extend(
        checks.iter().flat_map(|(subject, target, name, check)| weakened_check(subject, target, name, check)),
    );
    connection.close().await?;
    number_duplicates(&mut mutants);
    Ok(mutants)
}

fn weakened_function(name: &str, head: &str, body: &str) -> Vec<Mutant> {
    let terms = without_each_term(body);
    let guards = without_each_statement(body, &GUARDS);
    terms
        .into_iter()
        .chain(guards)
        .map(|Weakened { without, text }| Mutant {
            group: "functions",
            subject: name.to_owned(),
            name: shortened(&format!("function {name}: without {without}")),
            sql: format!("{head}\nAS $mutant${text}$mutant$"),
            batch_key: None,
        })
        .collect()
}

fn weakened_check(subject: &str, target: &str, name: &str, check: &str) -> Vec<Mutant> {
    without_each_term(check)
        .into_iter()
        .enumerate()
        .map(|(number, Weakened { without, text })| Mutant {
            group: "constraints, defaults",
            subject: subject.to_owned(),
            name: shortened(&format!("constraint {name} on {subject}: without {without}")),
            sql: format!(
                "alter {target} drop constraint {name}; alter {target} add constraint {name} {text}"
            ),
            // Two mutants of the same check can't be applied together.
            batch_key: Some(format!("term {number}")),
        })
        .collect()
}

fn shortened(name: &str) -> String {
    match name.char_indices().nth(LONGEST_NAME) {
        Some((at, _)) => format!("{}…", &name[..at]),
        None => name.to_owned(),
    }
}

/// Numbers duplicate names.
fn number_duplicates(mutants: &mut [Mutant]) {
    let mut seen: HashMap<String, usize> = HashMap::new();
    for mutant in mutants {
        let times = seen.entry(mutant.name.clone()).or_default();
        *times += 1;
        if *times > 1 {
            mutant.name = format!("{} ({times})", mutant.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_condition_and_guard_of_a_function_is_removed_once() {
        let body = "begin if a and b then raise exception 'no'; end if; return new; end";
        let names: Vec<_> =
            weakened_function("app.f()", "create …", body).into_iter().map(|mutant| mutant.name).collect();
        assert_eq!(
            names,
            [
                "function app.f(): without a",
                "function app.f(): without b",
                "function app.f(): without raise exception 'no'"
            ]
        );
    }

    #[test]
    fn duplicate_names_are_numbered() {
        let mut mutants = weakened_check("app.t", "table app.t", "t_rule", "CHECK ((a OR a) AND (b))");
        number_duplicates(&mut mutants);
        let mut names: Vec<_> = mutants.iter().map(|mutant| mutant.name.as_str()).collect();
        names.dedup();
        assert_eq!(names.len(), 4);
        assert!(mutants[1].name.ends_with("without a (2)"));
    }
}
