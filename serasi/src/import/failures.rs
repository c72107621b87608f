//! The errors that psql reports for a dump, and those that don't matter: statements about roles, extensions and schemas of
//! Supabase's platform, which a Serasi does not have.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{bail, ensure};

use super::platform::is_platform_schema;

/// A statement that failed.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Failure {
    pub line: u64,
    /// SQLSTATE; empty for an error of psql itself.
    pub code: String,
    pub message: String,
    pub statement: String,
}

/// Parses psql's messages: `psql:<stdin>:12: ERROR:  42P01: message`, more lines, and `psql:<stdin>:12: STATEMENT:  …`. psql names
/// the last line of a statement; a failure has the first one.
pub fn parse(said: &str) -> Vec<Failure> {
    let mut failures = Vec::<Failure>::new();
    let mut in_statement = false;
    for text in said.lines() {
        let Some((line, rest)) = located(text) else {
            let Some(failure) = failures.last_mut() else { continue };
            if in_statement {
                failure.statement += &format!("\n{text}");
                failure.line -= 1;
            } else if ["DETAIL: ", "CONTEXT: "].iter().any(|more| text.starts_with(more)) {
                failure.message += &format!(" ({})", text.split_whitespace().collect::<Vec<_>>().join(" "));
            }
            continue;
        };
        in_statement = false;
        if let Some(error) = rest.strip_prefix("ERROR:  ").or_else(|| rest.strip_prefix("FATAL:  ")) {
            let (code, message) = error.split_once(": ").unwrap_or(("", error));
            failures.push(Failure { line, code: code.into(), message: message.into(), ..Failure::default() });
        } else if let Some(error) = rest.strip_prefix("error: ") {
            failures.push(Failure { line, message: error.into(), ..Failure::default() });
        } else if let Some(statement) = rest.strip_prefix("STATEMENT:  ")
            && let Some(failure) = failures.last_mut()
        {
            failure.statement = statement.to_owned();
            in_statement = true;
        }
    }
    failures
}

fn located(text: &str) -> Option<(u64, &str)> {
    let (line, rest) = text.strip_prefix("psql:<stdin>:")?.split_once(": ")?;
    Some((line.parse().ok()?, rest))
}

/// Returns what is left out of the import because of failures that don't matter.
///
/// # Errors
/// For the first failure that matters. `missing`: extensions that do not exist here.
pub fn judge(
    failures: Vec<Failure>,
    restricted: &BTreeSet<u64>,
    path: &Path,
    missing: &[String],
) -> anyhow::Result<BTreeSet<String>> {
    let mut left_out = BTreeSet::new();
    let mut serious = Vec::new();
    for failure in failures {
        // The first line that psql read was ours.
        let line = failure.line - 1;
        if let Some(what) = failure.left_out() {
            left_out.insert(what);
        } else if !(failure.is_harmless() || failure.code.is_empty() && restricted.contains(&line)) {
            serious.push((line, failure));
        }
    }
    let Some((line, first)) = serious.first() else { return Ok(left_out) };
    ensure!(
        !first.message.contains("backslash commands are restricted"),
        "line {line} of {}: a psql command, which is not run",
        path.display()
    );
    let more = match serious.len() - 1 {
        0 => String::new(),
        more => format!(" ({more} more errors followed)"),
    };
    let hint = match missing {
        [] => String::new(),
        missing => format!("; the dump uses extensions that do not exist here: {}", missing.join(", ")),
    };
    bail!("line {line} of {}: {}{more}{hint}", path.display(), first.message)
}

/// Statements about roles, settings and objects of the server, which are the platform's.
const HARMLESS: [&str; 8] = [
    "COMMENT ON EXTENSION",
    "COMMENT ON EVENT TRIGGER",
    "ALTER EXTENSION",
    "ALTER DEFAULT PRIVILEGES",
    "SET ",
    "RESET ",
    "GRANT ",
    "REVOKE ",
];

/// Statements whose objects are left out.
const LEFT_OUT: [&str; 11] = [
    "CREATE EXTENSION IF NOT EXISTS",
    "CREATE EXTENSION",
    "CREATE EVENT TRIGGER",
    "ALTER EVENT TRIGGER",
    "CREATE PUBLICATION",
    "ALTER PUBLICATION",
    "CREATE SUBSCRIPTION",
    "CREATE FOREIGN DATA WRAPPER",
    "CREATE SERVER",
    "CREATE FOREIGN TABLE",
    "CREATE USER MAPPING",
];

impl Failure {
    fn is_harmless(&self) -> bool {
        let upper = self.statement.to_uppercase();
        // `42P06`: a schema exists.
        self.code == "42P06"
            || upper.starts_with("ALTER ") && upper.contains(" OWNER TO ")
            || HARMLESS.iter().any(|start| upper.starts_with(start))
            || qualifier(self.first_line()).is_some_and(|schema| is_platform_schema(&schema))
    }

    /// What does not exist here, such as `extension vector`.
    fn left_out(&self) -> Option<String> {
        let first = self.first_line();
        let kind = LEFT_OUT.into_iter().find(|kind| first.to_uppercase().starts_with(kind))?;
        let name = first.get(kind.len()..)?.split_whitespace().next().unwrap_or_default();
        let kind = kind.trim_end_matches(" IF NOT EXISTS").split_once(' ').map_or("", |(_, kind)| kind);
        Some(format!("{} {}", kind.to_lowercase(), name.trim_matches(['"', ';'])))
    }

    fn first_line(&self) -> &str {
        self.statement.lines().next().unwrap_or_default()
    }
}

/// The schema of the first qualified name in a statement.
fn qualifier(statement: &str) -> Option<String> {
    let words = statement.split([' ', '(', ',', ';']);
    let name = words.filter(|word| !word.starts_with('\'')).find_map(|word| word.split_once('.'));
    name.map(|(schema, _)| schema.trim_matches('"').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str =
        "psql:<stdin>:2: error: backslash commands are restricted; only \\unrestrict is allowed
psql:<stdin>:5: ERROR:  42703: column \"nothing\" does not exist
LINE 2:  nothing;
         ^
LOCATION:  errorMissingColumn, parse_relation.c:3827
psql:<stdin>:5: STATEMENT:  select
 nothing;
psql:<stdin>:7: ERROR:  42704: role \"nobody\" does not exist
LOCATION:  get_role_oid, acl.c:5562
psql:<stdin>:7: STATEMENT:  ALTER SCHEMA public OWNER TO nobody;
psql:<stdin>:12: ERROR:  23505: duplicate key value violates unique constraint \"t2_pkey\"
DETAIL:  Key (a)=(1) already exists.
CONTEXT:  COPY t2, line 2
psql:<stdin>:12: STATEMENT:  copy t2 (a) from stdin;
psql:<stdin>:15: ERROR:  0A000: extension \"vector\" is not available
psql:<stdin>:15: STATEMENT:  CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA extensions;
psql:<stdin>:18: WARNING:  25P01: there is no transaction in progress
";

    #[test]
    fn failures_are_read_and_judged() {
        let failures = parse(SAID);
        assert_eq!(failures.iter().map(|failure| failure.line).collect::<Vec<_>>(), [2, 4, 7, 12, 15]);
        let expected = "duplicate key value violates unique constraint \"t2_pkey\" (DETAIL: Key (a)=(1) already exists.) (CONTEXT: COPY t2, line 2)";
        assert_eq!(failures[3].message, expected);
        let judged = judge(parse(SAID), &BTreeSet::from([1]), Path::new("a.sql"), &["vector".to_owned()]);
        let error = judged.unwrap_err().to_string();
        assert!(
            error.starts_with("line 3 of a.sql: column \"nothing\" does not exist (1 more errors"),
            "{error}"
        );
        let harmless = parse(SAID).into_iter().filter(|failure| [7, 15].contains(&failure.line)).collect();
        let left_out = judge(harmless, &BTreeSet::new(), Path::new("a.sql"), &[]).unwrap();
        assert_eq!(left_out, BTreeSet::from(["extension vector".to_owned()]));
        let psql = judge(parse(SAID), &BTreeSet::new(), Path::new("a.sql"), &[]).unwrap_err().to_string();
        assert!(psql.contains("line 1 of a.sql: a psql command"), "{psql}");
    }

    #[test]
    fn names_of_the_platform_are_recognized() {
        for (statement, expected) in [
            ("COPY vault.secrets (id) FROM stdin;", Some("vault")),
            ("CREATE POLICY a ON \"realtime\".messages", Some("realtime")),
            ("ALTER TABLE ONLY public.notes", Some("public")),
            ("SELECT 1", None),
        ] {
            assert_eq!(qualifier(statement).as_deref(), expected, "{statement}");
        }
    }
}
