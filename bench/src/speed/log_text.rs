//! Reads statements and their parameters from PostgreSQL's log.

use anyhow::{Context, bail};

/// Begins each entry of the log while statements are captured; the rest of `log_line_prefix` is session and user.
pub const MARK: &str = "serasi-bench|";
pub const LINE_PREFIX: &str = "serasi-bench|%c|%u|";

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
/// When no session of this login mentions the person, or the log can't be parsed.
pub fn statements(log: &str, login: &str, person: &str) -> anyhow::Result<Vec<Statement>> {
    let entries = entries(log);
    let by_login = || entries.iter().filter(|entry| entry.user == login);
    let session =
        by_login().filter(|entry| entry.message.contains(person)).map(|entry| entry.session).next_back();
    let session = session.context("PostgreSQL's log does not mention the request")?;
    let mut found: Vec<Statement> = Vec::new();
    for entry in by_login().filter(|entry| entry.session == session) {
        if let Some(message) = entry.message.strip_prefix("LOG:  ") {
            found.extend(statement(message));
        } else if let Some(detail) = entry.message.strip_prefix("DETAIL:  ")
            && let Some((_, list)) = detail.split_once("arameters: ")
        {
            let last = found.last_mut().context("parameters without a statement")?;
            last.parameters = parameters(list).with_context(|| detail.to_owned())?;
        }
    }
    Ok(found)
}

struct Entry<'a> {
    session: &'a str,
    user: &'a str,
    message: String,
}

/// PostgreSQL begins the further lines of an entry with a tab.
fn entries(log: &str) -> Vec<Entry<'_>> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    for line in log.lines() {
        let mut parts = line.strip_prefix(MARK).unwrap_or_default().splitn(3, '|');
        match (parts.next(), parts.next(), parts.next()) {
            (Some(session), Some(user), Some(message)) => {
                entries.push(Entry { session, user, message: message.to_owned() });
            }
            _ => {
                if let (Some(last), Some(more)) = (entries.last_mut(), line.strip_prefix('\t')) {
                    last.message.push('\n');
                    last.message.push_str(more);
                }
            }
        }
    }
    entries
}

/// `statement: …` of the simple protocol, or `execute name: …` of the extended protocol.
fn statement(message: &str) -> Option<Statement> {
    let text = match message.strip_prefix("statement: ") {
        Some(text) => text,
        None => {
            let named = message.strip_prefix("execute ").filter(|text| !text.starts_with("fetch from "))?;
            named.split_once(": ")?.1
        }
    };
    Some(Statement { text: text.trim().trim_end_matches(';').to_owned(), parameters: Vec::new() })
}

/// `$1 = 'it''s', $2 = NULL`
fn parameters(list: &str) -> anyhow::Result<Vec<Option<String>>> {
    let mut values = Vec::new();
    let mut rest = list;
    while !rest.is_empty() {
        let (_, after) = rest.split_once(" = ").context("a parameter without a value")?;
        if let Some(after) = after.strip_prefix("NULL") {
            values.push(None);
            rest = after;
        } else {
            let Some(quoted) = after.strip_prefix('\'') else { bail!("a value without quotes") };
            let (value, after) = unquoted(quoted)?;
            values.push(Some(value));
            rest = after;
        }
        rest = rest.strip_prefix(", ").unwrap_or(rest);
    }
    Ok(values)
}

/// The value up to its closing quote, and what follows. Quotes inside are doubled.
fn unquoted(text: &str) -> anyhow::Result<(String, &str)> {
    let mut value = String::new();
    let mut rest = text;
    loop {
        let (part, after) = rest.split_once('\'').context("a value without a closing quote")?;
        value.push_str(part);
        match after.strip_prefix('\'') {
            Some(after) => {
                value.push('\'');
                rest = after;
            }
            None => return Ok((value, after)),
        }
    }
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
