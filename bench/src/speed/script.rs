//! Turns captured statements into scripts for pgbench.

use std::fmt::Write;

use anyhow::{Context, ensure};

use super::log_text::Statement;

/// After this many transactions a client of pgbench takes the next row of [`Rotation`]. The query for it costs
/// little in comparison.
const TRANSACTIONS_PER_ROW: usize = 50;
pub const ROTATION_TABLE: &str = "serasi_bench.rotation";

pub struct Script {
    pub text: String,
    /// The statements' parameters, except those that rotate.
    pub variables: Vec<(String, String)>,
}

/// Parameters that change from transaction to transaction, because they belong to different people.
pub struct Rotation {
    /// Names of variables.
    pub columns: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Rotation {
    /// Each of `people` is a list of texts, such as an account's and an agency's id. The statements were captured for
    /// the first one: parameters that contain its texts rotate, and get the others' texts instead.
    pub fn new(statements: &[Statement], people: &[Vec<String>]) -> Self {
        let Some(first) = people.first() else { return Self { columns: Vec::new(), rows: Vec::new() } };
        let (mut columns, mut originals) = (Vec::new(), Vec::new());
        for (statement, parameter, value) in all_parameters(statements) {
            if first.iter().any(|text| value.contains(text)) {
                columns.push(variable(statement, parameter));
                originals.push(value);
            }
        }
        let row = |person: &Vec<String>| {
            let replaced = |original: &&String| {
                let texts = first.iter().zip(person);
                texts.fold((*original).clone(), |value, (from, to)| value.replace(from, to))
            };
            originals.iter().map(replaced).collect()
        };
        Self { columns, rows: people.iter().map(row).collect() }
    }

    /// Fetches a row from [`ROTATION_TABLE`] from time to time. No two of `clients` have the same row at once.
    fn script(&self, clients: usize) -> String {
        format!(
            "\\if :left = 0\n\
             \\set row mod(:client_id + {clients} * :turn, {rows})\n\
             \\set turn :turn + 1\n\
             \\set left {TRANSACTIONS_PER_ROW}\n\
             select {columns} from {ROTATION_TABLE} where number = :row \\gset\n\
             \\endif\n\
             \\set left :left - 1\n",
            rows = self.rows.len(),
            columns = self.columns.join(", "),
        )
    }
}

/// Statements one after the other, or all in one pipeline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Plain,
    Pipelined,
}

impl Mode {
    pub fn name(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Pipelined => "pipelined",
        }
    }
}

/// # Errors
/// When pgbench can't send a statement.
pub fn build(
    statements: &[Statement],
    mode: Mode,
    rotation: Option<&Rotation>,
    clients: usize,
) -> anyhow::Result<Script> {
    let mut text = rotation.map(|rotation| rotation.script(clients)).unwrap_or_default();
    // A pipeline is one transaction even without BEGIN. Outside of a pipeline the settings need one.
    let needs_transaction = mode == Mode::Plain && !statements.iter().any(begins_transaction);
    let (begin, end) = match mode {
        Mode::Pipelined => ("\\startpipeline\n", "\\endpipeline\n"),
        Mode::Plain if needs_transaction => ("begin;\n", "commit;\n"),
        Mode::Plain => ("", ""),
    };
    text.push_str(begin);
    for (index, statement) in statements.iter().enumerate() {
        writeln!(text, "{};", for_pgbench(statement, index).with_context(|| statement.text.clone())?)?;
    }
    text.push_str(end);
    let mut variables: Vec<_> = all_parameters(statements)
        .map(|(statement, parameter, value)| (variable(statement, parameter), value.clone()))
        .collect();
    if let Some(rotation) = rotation {
        variables.retain(|(name, _)| !rotation.columns.contains(name));
        variables.extend(["left", "turn"].map(|name| (name.to_owned(), "0".to_owned())));
    }
    Ok(Script { text, variables })
}

fn begins_transaction(statement: &Statement) -> bool {
    let text = statement.text.trim_start().to_ascii_lowercase();
    text.starts_with("begin") || text.starts_with("start transaction")
}

/// The indexes of statement and parameter, and the value. Nulls become part of the text.
fn all_parameters(statements: &[Statement]) -> impl Iterator<Item = (usize, usize, &String)> {
    statements.iter().enumerate().flat_map(|(index, statement)| {
        let values = statement.parameters.iter().enumerate();
        values.filter_map(move |(parameter, value)| Some((index, parameter, value.as_ref()?)))
    })
}

fn variable(statement: usize, parameter: usize) -> String {
    format!("s{statement}_{}", parameter + 1)
}

/// Replaces `$1` by a variable. pgbench would also replace other names after a colon, even in literals; these colons
/// are separated from what follows, which does not change the statement.
fn for_pgbench(statement: &Statement, index: usize) -> anyhow::Result<String> {
    let mut text = String::new();
    let mut quote = None;
    let mut rest = statement.text.as_str();
    while let Some(letter) = rest.chars().next() {
        let after = &rest[letter.len_utf8()..];
        let next = after.chars().next().unwrap_or(' ');
        match (letter, quote) {
            ('$', None) if next.is_ascii_digit() => {
                let end = after.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(after.len());
                let number: usize = after[..end].parse()?;
                let value = statement.parameters.get(number.wrapping_sub(1));
                match value.with_context(|| format!("${number} has no value"))? {
                    Some(_) => text.push_str(&format!(":{}", variable(index, number - 1))),
                    None => text.push_str("null"),
                }
                rest = &after[end..];
                continue;
            }
            ('$', None) if next == '$' || next.is_alphabetic() => {
                anyhow::bail!("dollar quotes are not supported")
            }
            (':', _) if is_variable_letter(next) && !text.ends_with(':') => match quote {
                None => text.push_str(": "),
                // Adjacent literals on two lines are one literal.
                Some('\'') => text.push_str(":'\n'"),
                Some(_) => anyhow::bail!("a colon in an identifier is not supported"),
            },
            ('\'' | '"', None) => {
                quote = Some(letter);
                text.push(letter);
            }
            (letter, open) => {
                if open == Some(letter) {
                    quote = None;
                }
                text.push(letter);
            }
        }
        rest = after;
    }
    ensure!(quote.is_none(), "a quote is not closed");
    Ok(text)
}

fn is_variable_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || !letter.is_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statement(text: &str, parameters: &[Option<&str>]) -> Statement {
        let parameters = parameters.iter().map(|value| value.map(str::to_owned)).collect();
        Statement { text: text.to_owned(), parameters }
    }

    #[test]
    fn parameters_become_variables_and_other_colons_stay() {
        let parameters = [Some("a"), None];
        let text = "select $1::text, $2, '$1', '12:30', x[1:2], \"a $2\", 'it''s: fine' -- a::b";
        let expected =
            "select :s0_1::text, null, '$1', '12:'\n'30', x[1: 2], \"a $2\", 'it''s: fine' -- a::b";
        assert_eq!(for_pgbench(&statement(text, &parameters), 0).unwrap(), expected);
        assert!(for_pgbench(&statement("select $3", &parameters), 0).is_err());
        assert!(for_pgbench(&statement("select \"a:b\"", &[]), 0).is_err());
        assert!(for_pgbench(&statement("select $x$ $1 $x$", &parameters), 0).is_err());
    }

    #[test]
    fn plain_scripts_have_a_transaction_and_pipelines_have_one_sync() {
        let all = [
            statement("begin read only", &[]),
            statement("select $1", &[Some("1")]),
            statement("commit", &[]),
        ];
        let script = |statements: &[Statement], mode| build(statements, mode, None, 16).unwrap().text;
        assert_eq!(script(&all, Mode::Plain), "begin read only;\nselect :s1_1;\ncommit;\n");
        assert_eq!(
            script(&all, Mode::Pipelined),
            "\\startpipeline\nbegin read only;\nselect :s1_1;\ncommit;\n\\endpipeline\n"
        );
        assert_eq!(script(&all[1..2], Mode::Plain), "begin;\nselect :s0_1;\ncommit;\n");
        assert_eq!(script(&all[1..2], Mode::Pipelined), "\\startpipeline\nselect :s0_1;\n\\endpipeline\n");
    }

    #[test]
    fn parameters_of_a_person_rotate() {
        let statements =
            [statement("select $1, $2", &[Some("role"), Some("{\"sub\":\"ann\",\"of\":\"x1\"}")])];
        let people = [["ann", "x1"], ["bob", "x2"]].map(|texts| texts.map(str::to_owned).to_vec());
        let rotation = Rotation::new(&statements, &people);
        assert_eq!(rotation.columns, ["s0_2"]);
        assert_eq!(rotation.rows[1], ["{\"sub\":\"bob\",\"of\":\"x2\"}"]);
        let script = build(&statements, Mode::Plain, Some(&rotation), 16).unwrap();
        assert!(script.text.contains("select s0_2 from serasi_bench.rotation where number = :row \\gset"));
        let names: Vec<&str> = script.variables.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["s0_1", "left", "turn"]);
    }
}
