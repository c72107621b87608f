//! Acts as data: blocks of lines. The first line names the columns; the last one is `\.`.
//!
//!     copy act (id, request, body, visitor, admin) from stdin with (delimiter '|');
//!     IN-3 another's | GET influencers?id=eq.{profile of other unapproved} | | 0 | 1
//!     \.
//!
//! Tables in `tables/` begin with `acts (…)` instead, and a line `before: …` sets that field for all
//! following acts. A backslash escapes a delimiter, as in psql. Lines outside blocks are SQL for psql or
//! explanations.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Columns that are not persons.
const FIELDS: [&str; 8] = ["id", "sql", "request", "body", "before", "after", "other", "then"];

#[derive(Debug, Clone)]
pub struct Row {
    pub file: String,
    pub line: usize,
    pub id: String,
    fields: BTreeMap<String, String>,
    /// Pairs of person and expected outcome. Empty cells are left out.
    pub cells: Vec<(String, String)>,
}

impl Row {
    /// Empty if the table has no such column.
    pub fn field(&self, name: &str) -> &str {
        self.fields.get(name).map_or("", String::as_str)
    }
}

pub fn policies() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../db/tests/policies")
}

pub fn own(name: &str) -> Vec<Row> {
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/matrix/tables").join(name))
}

pub fn read(file: &Path) -> Vec<Row> {
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let name = file.file_name().unwrap().to_string_lossy();
    parse(&name, &text).unwrap_or_else(|fault| panic!("{fault}"))
}

pub fn parse(file: &str, text: &str) -> Result<Vec<Row>, String> {
    let mut rows = Vec::new();
    let mut given = BTreeMap::new();
    let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
    while let Some((number, line)) = lines.next() {
        if let Some((name, value)) = line.split_once(": ").filter(|(name, _)| FIELDS.contains(name)) {
            given.insert(name.to_owned(), value.trim().to_owned());
        }
        let Some(columns) = columns(line) else { continue };
        if line.contains("csv") {
            return Err(format!("{file}:{number}: only COPY's text format is read"));
        }
        loop {
            let (number, line) =
                lines.next().ok_or_else(|| format!("{file}:{number}: the block has no end"))?;
            if line == "\\." {
                break;
            }
            rows.push(row(file, number, &columns, line, given.clone())?);
        }
    }
    Ok(rows)
}

/// The columns, if a block begins on this line.
fn columns(line: &str) -> Option<Vec<String>> {
    let named = line.strip_prefix("copy act (").or_else(|| line.strip_prefix("acts ("))?;
    Some(named.split_once(')')?.0.split(',').map(|name| name.trim().replace('_', " ")).collect())
}

fn row(
    file: &str,
    line: usize,
    columns: &[String],
    record: &str,
    given: BTreeMap<String, String>,
) -> Result<Row, String> {
    let values = fields(record);
    if values.len() != columns.len() {
        return Err(format!("{file}:{line}: {} fields for {} columns", values.len(), columns.len()));
    }
    let mut row = Row { file: file.to_owned(), line, id: String::new(), fields: given, cells: Vec::new() };
    for (name, value) in columns.iter().zip(values) {
        match name.as_str() {
            "id" => row.id = value,
            name if FIELDS.contains(&name) => {
                row.fields.insert(name.to_owned(), value);
            }
            _ if value.is_empty() => {}
            person => row.cells.push((person.to_owned(), value)),
        }
    }
    Ok(row)
}

/// Splits a line like COPY's text format, as far as acts need it.
fn fields(record: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut letters = record.chars();
    while let Some(letter) = letters.next() {
        let last = fields.len() - 1;
        match letter {
            '|' => fields.push(String::new()),
            '\\' => {
                fields[last]
                    .extend(letters.next().map(|escaped| if escaped == 'n' { '\n' } else { escaped }));
            }
            other => fields[last].push(other),
        }
    }
    fields.into_iter().map(|field| field.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCKS: &str = r#"select tests.people();
copy act (id, sql, request, body, visitor, other_agency) from stdin with (delimiter '|');
A-1 one | select 'a' | GET a?id=eq.{me} | | 42501 | 0
A-2 two | select 'a' \|\| 'b' |  | {"a": "x\\n"} |  | 42501/400
\.
select tests.matrix();
before: select 1
acts (id, request, admin)
B-1 | GET b | 3
\.
"#;

    #[test]
    fn blocks_are_parsed_like_psql_does() {
        let rows = parse("x.sql", BLOCKS).unwrap();

        assert_eq!(rows.len(), 3);
        assert_eq!((rows[0].line, rows[0].id.as_str()), (3, "A-1 one"));
        assert_eq!(rows[0].field("request"), "GET a?id=eq.{me}");
        let cell = |who: &str, wanted: &str| (who.to_owned(), wanted.to_owned());
        assert_eq!(rows[0].cells, [cell("visitor", "42501"), cell("other agency", "0")]);
        assert_eq!(rows[1].field("sql"), "select 'a' || 'b'");
        assert_eq!(rows[1].field("body"), r#"{"a": "x\n"}"#);
        assert_eq!(rows[1].cells, [cell("other agency", "42501/400")], "an empty cell is left out");
        assert_eq!((rows[2].line, rows[2].field("body")), (9, ""));
        assert_eq!((rows[1].field("before"), rows[2].field("before")), ("", "select 1"));
    }

    #[test]
    fn errors_contain_the_line_number() {
        let fault = |text: &str| parse("x.sql", text).unwrap_err();
        assert_eq!(fault("acts (id, admin)\nA-1 | 1 | 2\n"), "x.sql:2: 3 fields for 2 columns");
        assert_eq!(fault("acts (id)\nA-1\n"), "x.sql:1: the block has no end");
        assert!(fault("copy act (id) from stdin with (format csv);").contains("only COPY's text format"));
    }
}
