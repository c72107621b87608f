//! The errors that psql reports for a script, and those that don't matter.

use std::collections::BTreeSet;

/// A statement that failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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

/// What became of a script whose errors are these.
#[derive(Default)]
pub struct Judged {
    /// Objects that can't exist here, such as `extension vector`.
    pub left_out: BTreeSet<String>,
    /// Statements about privileges that can't be granted here.
    pub privileges: Vec<String>,
    /// The errors that matter.
    pub serious: Vec<Failure>,
}

pub fn judge(failures: Vec<Failure>) -> Judged {
    let mut judged = Judged::default();
    for failure in failures {
        let statement = failure.first_line();
        if let Some(what) = failure.left_out() {
            judged.left_out.insert(what);
        } else if PRIVILEGES.iter().any(|start| statement.to_uppercase().starts_with(start)) {
            judged.privileges.push(statement.to_owned());
        } else if !failure.is_harmless() {
            judged.serious.push(failure);
        }
    }
    judged
}

const PRIVILEGES: [&str; 3] = ["GRANT ", "REVOKE ", "ALTER DEFAULT PRIVILEGES"];

/// Statements about settings and objects of the server, which have their values already.
const HARMLESS: [&str; 5] =
    ["COMMENT ON EXTENSION", "COMMENT ON EVENT TRIGGER", "COMMENT ON SCHEMA PUBLIC", "SET ", "RESET "];

/// Objects that are left out, because only a superuser can create them.
const LEFT_OUT: &str = "EXTENSION|EVENT TRIGGER|PUBLICATION|SUBSCRIPTION|FOREIGN DATA WRAPPER|SERVER|FOREIGN TABLE|USER MAPPING|\
    ACCESS METHOD|CAST";

impl Failure {
    fn is_harmless(&self) -> bool {
        let upper = self.statement.to_uppercase();
        // `42P06`: a schema exists.
        self.code == "42P06"
            || upper.starts_with("ALTER ") && upper.contains(" OWNER TO ")
            || HARMLESS.iter().any(|start| upper.starts_with(start))
    }

    fn left_out(&self) -> Option<String> {
        let upper = self.first_line().to_uppercase();
        let object = upper.strip_prefix("CREATE ").or_else(|| upper.strip_prefix("ALTER "))?;
        let kind = LEFT_OUT.split('|').find(|kind| object.starts_with(kind))?;
        let rest = self.first_line().get(upper.len() - object.len() + kind.len()..)?;
        let is_name = |word: &&str| !["IF", "NOT", "EXISTS"].contains(&word.to_uppercase().as_str());
        let name = rest.split_whitespace().find(is_name).unwrap_or_default();
        Some(format!("{} {}", kind.to_lowercase(), name.trim_matches(['"', ';'])))
    }

    fn first_line(&self) -> &str {
        self.statement.lines().next().unwrap_or_default()
    }

    /// The schema of the first qualified name in the statement.
    pub fn schema(&self) -> Option<&str> {
        let words = self.first_line().split([' ', '(', ',', ';']);
        let name = words.filter(|word| !word.starts_with('\'')).find_map(|word| word.split_once('.'));
        name.map(|(schema, _)| schema.trim_matches('"'))
    }
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
        let judged = judge(failures);
        assert_eq!(judged.serious.iter().map(|failure| failure.line).collect::<Vec<_>>(), [2, 4, 12]);
        assert_eq!(judged.left_out, BTreeSet::from(["extension vector".to_owned()]));
    }

    #[test]
    fn names_of_schemas_are_recognized() {
        for (statement, expected) in [
            ("COPY vault.secrets (id) FROM stdin;", Some("vault")),
            ("CREATE POLICY a ON \"realtime\".messages", Some("realtime")),
            ("ALTER TABLE ONLY public.notes", Some("public")),
            ("SELECT 1", None),
        ] {
            let failure = Failure { statement: statement.to_owned(), ..Failure::default() };
            assert_eq!(failure.schema(), expected, "{statement}");
        }
    }
}
