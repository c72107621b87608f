//! Acts as data: blocks of lines, which end with `\.`.
//!
//!     copy act (line) from stdin;
//!     IN-3 another's
//!       request: GET influencers?id=eq.{profile of other unapproved}
//!       0: visitor
//!       1: admin, superadmin
//!     \.
//!
//! Tables in `tables/` begin with `acts` instead, and a line `before: …` outside a block sets that field for all
//! following acts. As in psql, `\n` is a line break and `\\` a backslash. Other lines outside blocks are SQL for
//! psql or explanations.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Lines that are not outcomes.
const FIELDS: [&str; 7] = ["sql", "request", "body", "before", "after", "other", "then"];

#[derive(Debug, Clone)]
pub struct Row {
    pub file: String,
    pub line: usize,
    pub id: String,
    fields: BTreeMap<String, String>,
    /// Pairs of person and expected outcome.
    pub cells: Vec<(String, String)>,
}

impl Row {
    /// Empty if the act has no such line.
    pub fn field(&self, name: &str) -> &str {
        self.fields.get(name).map_or("", String::as_str)
    }
}

/// The acts of all files in `db/tests/policies`.
pub fn policies() -> Vec<Row> {
    read_all(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../db/tests/policies"))
}

/// The acts of all files in a folder, by the names of the files.
pub fn read_all(folder: &Path) -> Vec<Row> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().flat_map(|file| read(file)).collect()
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
    let mut rows: Vec<Row> = Vec::new();
    let mut given = BTreeMap::new();
    let mut block = None;
    for (number, line) in text.lines().enumerate().map(|(index, line)| (index + 1, line)) {
        let part = line.trim_start().split_once(": ");
        match (block, line) {
            (None, "acts" | "copy act (line) from stdin;") => block = Some(number),
            (None, _) => {
                if let Some((name, value)) = part.filter(|(name, _)| FIELDS.contains(name)) {
                    given.insert(name.to_owned(), value.trim().to_owned());
                }
            }
            (Some(_), "\\.") => block = None,
            (Some(begin), _) if line.starts_with(' ') => {
                let row = rows.last_mut().filter(|row| row.line > begin);
                let (Some(row), Some((key, value))) = (row, part) else {
                    return Err(format!(
                        "{file}:{number}: neither an act nor a part of one, such as `0: visitor`"
                    ));
                };
                if FIELDS.contains(&key) {
                    row.fields.insert(key.to_owned(), unescaped(value));
                } else {
                    let wanted = unescaped(key);
                    row.cells.extend(value.split(", ").map(|person| (person.to_owned(), wanted.clone())));
                }
            }
            (Some(_), _) => rows.push(Row {
                file: file.to_owned(),
                line: number,
                id: unescaped(line),
                fields: given.clone(),
                cells: Vec::new(),
            }),
        }
    }
    match block {
        Some(begin) => Err(format!("{file}:{begin}: the block has no end")),
        None => Ok(rows),
    }
}

/// COPY's text format, as far as acts need it.
fn unescaped(text: &str) -> String {
    let mut unescaped = String::new();
    let mut letters = text.trim().chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => {
                unescaped.extend(letters.next().map(|escaped| if escaped == 'n' { '\n' } else { escaped }));
            }
            other => unescaped.push(other),
        }
    }
    unescaped
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCKS: &str = r#"select tests.people();
copy act (line) from stdin;
A-1 one
  sql: select 'a'
  request: GET a?id=eq.{me}
  42501: visitor, other agency
  0: service
A-2 two
  sql: select 'a' || 'b'
  body: {"a": "x\\n"}
  42501/400: other agency
\.
select tests.matrix();
before: select 1
acts
B-1
  request: GET b
  same 3: admin
\.
"#;

    #[test]
    fn blocks_are_parsed_like_psql_does() {
        let rows = parse("x.sql", BLOCKS).unwrap();

        assert_eq!(rows.len(), 3);
        assert_eq!((rows[0].line, rows[0].id.as_str()), (3, "A-1 one"));
        assert_eq!(rows[0].field("request"), "GET a?id=eq.{me}");
        let cell = |who: &str, wanted: &str| (who.to_owned(), wanted.to_owned());
        assert_eq!(
            rows[0].cells,
            [cell("visitor", "42501"), cell("other agency", "42501"), cell("service", "0")]
        );
        assert_eq!(rows[1].field("sql"), "select 'a' || 'b'");
        assert_eq!(rows[1].field("body"), r#"{"a": "x\n"}"#);
        assert_eq!(rows[1].cells, [cell("other agency", "42501/400")]);
        assert_eq!((rows[2].line, rows[2].field("body")), (16, ""));
        assert_eq!(rows[2].cells, [cell("admin", "same 3")]);
        assert_eq!((rows[1].field("before"), rows[2].field("before")), ("", "select 1"));
    }

    #[test]
    fn errors_contain_the_line_number() {
        let fault = |text: &str| parse("x.sql", text).unwrap_err();
        assert!(fault("acts\nA-1\n  1 visitor\n\\.\n").starts_with("x.sql:3: neither an act nor a part"));
        assert!(fault("acts\n  1: visitor\n\\.\n").starts_with("x.sql:2: neither"));
        assert_eq!(fault("acts\nA-1\n"), "x.sql:1: the block has no end");
    }
}
