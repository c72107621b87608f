//! Reads statements and their parameters from PostgreSQL's log.

use std::sync::LazyLock;

use anyhow::Context;
use regex::Regex;

/// Begins each entry of the log while statements are captured; the rest of `log_line_prefix` is session and user.
const MARK: &str = "\nserasi-bench|";
pub const LINE_PREFIX: &str = "serasi-bench|%c|%u|";
/// `$1 = 'it''s'` or `$2 = NULL`.
static PARAMETER: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\$\d+ = (?:NULL|'((?:[^']|'')*)')").ok());
/// `statement: …` of the simple protocol, or `execute name: …` of the extended protocol.
static STATEMENT: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?s)^LOG:  (?:statement|execute [^:]*): (.*?)[;\s]*$").ok());

/// A statement as PostgreSQL received it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// With placeholders such as `$1`.
    pub text: String,
    /// `None` is null.
    pub parameters: Vec<Option<String>>,
}

/// The statements of the session that mentions `person`, in order. Other sessions of the same login, such as health
/// checks, are left out.
///
/// # Errors
/// When no session of this login mentions the person.
pub fn statements(log: &str, login: &str, person: &str) -> anyhow::Result<Vec<Statement>> {
    let (statement, parameter) = STATEMENT.as_ref().zip(PARAMETER.as_ref()).context("the patterns")?;
    // PostgreSQL begins the further lines of an entry with a tab.
    let log = format!("\n{log}").replace("\n\t", "\r");
    let entries: Vec<(&str, String)> = log
        .split(MARK)
        .filter_map(|entry| {
            let (session, rest) = entry.split_once('|')?;
            let (user, message) = rest.split_once('|')?;
            let message = message.lines().next().unwrap_or_default().replace('\r', "\n");
            (user == login).then_some((session, message))
        })
        .collect();
    let mentioned = entries.iter().rev().find(|(_, message)| message.contains(person));
    let (session, _) = mentioned.context("PostgreSQL's log does not mention the request")?;
    let mut found: Vec<Statement> = Vec::new();
    for (_, message) in entries.iter().filter(|(other, _)| other == session) {
        if let Some(text) = statement.captures(message) {
            found.push(Statement { text: text[1].to_owned(), parameters: Vec::new() });
        } else if let (true, Some(last)) = (message.starts_with("DETAIL:  "), found.last_mut()) {
            let value = |found: regex::Captures<'_>| Some(found.get(1)?.as_str().replace("''", "'"));
            last.parameters = parameter.captures_iter(message).map(value).collect();
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "\
2026-11-24 10:00:00 UTC [1] LOG:  parameter \"log_statement\" changed to \"all\"
serasi-bench|a.1|authenticator|LOG:  execute s1: BEGIN READ ONLY
serasi-bench|b.2|authenticator|LOG:  execute s0: select 1
serasi-bench|a.1|authenticator|LOG:  execute s2/p1: select set_config('role', $1, true),
\tset_config('claims', $2, true)
serasi-bench|a.1|authenticator|DETAIL:  Parameters: $1 = 'it''s, $2 = ''', $2 = '{\"sub\": \"me\",
\t \"n\": 1}'
serasi-bench|c.3|auth_admin|LOG:  statement: select 'me'
serasi-bench|a.1|authenticator|LOG:  execute <unnamed>: select $1::text
serasi-bench|a.1|authenticator|DETAIL:  parameters: $1 = NULL
serasi-bench|a.1|authenticator|LOG:  duration: 1.0 ms
serasi-bench|a.1|authenticator|LOG:  statement: COMMIT;
";

    #[test]
    fn the_statements_of_one_session_are_read_with_parameters() {
        let statements = statements(LOG, "authenticator", "me").unwrap();
        let expected = [
            ("BEGIN READ ONLY", vec![]),
            (
                "select set_config('role', $1, true),\nset_config('claims', $2, true)",
                vec![Some("it's, $2 = '".to_owned()), Some("{\"sub\": \"me\",\n \"n\": 1}".to_owned())],
            ),
            ("select $1::text", vec![None]),
            ("COMMIT", vec![]),
        ]
        .map(|(text, parameters)| Statement { text: text.to_owned(), parameters });
        assert_eq!(statements, expected);
    }

    #[test]
    fn an_absent_session_is_an_error() {
        assert!(statements(LOG, "authenticator", "somebody else").is_err());
    }
}
