//! Maps view columns to table columns. Views have no foreign keys, but PostgreSQL stores the source table
//! and column of every output column in the view's rewrite rule.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;

use super::tables::QualifiedName;

/// A key, or the target of a foreign key, whose columns a view selects completely.
#[derive(Debug, Clone)]
pub struct ViewKey {
    pub table: QualifiedName,
    pub view: QualifiedName,
    pub constraint: String,
    /// `p` primary key, `f` foreign key, `r` target of a foreign key.
    pub kind: char,
    /// The view's names for each key column. There are several if the view selects the column repeatedly.
    pub names: Vec<Vec<String>>,
}

impl ViewKey {
    /// All combinations of one name per key column.
    pub fn name_choices(&self) -> impl Iterator<Item = Vec<String>> + use<> {
        let mut choices: Vec<Vec<String>> = vec![Vec::new()];
        for names in &self.names {
            choices = choices
                .iter()
                .flat_map(|chosen| {
                    names.iter().map(|name| chosen.iter().cloned().chain([name.clone()]).collect())
                })
                .collect();
        }
        choices.into_iter()
    }
}

#[derive(Debug, Deserialize)]
pub struct TableKey {
    kind: char,
    constraint: String,
    relation: i64,
    schema: String,
    table: String,
    /// Attribute number and name.
    columns: Vec<(i64, String)>,
}

#[derive(Deserialize)]
pub struct View {
    pub id: i64,
    pub name: QualifiedName,
    pub rule: String,
    /// Ordered by column number, which starts at 1.
    pub columns: Vec<String>,
}

/// The source of a view column.
#[derive(Debug, PartialEq, Eq, Clone, Copy)]
struct Origin {
    column: i64,
    relation: i64,
    relation_column: i64,
}

/// Finds the keys that views select, directly or through other views. Returns only views in `schemas`.
pub fn resolve(views: &[View], keys: &[TableKey], schemas: &[String]) -> Vec<ViewKey> {
    let origins: HashMap<i64, Vec<Origin>> =
        views.iter().map(|view| (view.id, origins(&view.rule))).collect();
    let mut found = Vec::new();
    for view in views.iter().filter(|view| schemas.contains(&view.name.schema)) {
        let mut shown: HashMap<(i64, i64), Vec<String>> = HashMap::new();
        for origin in origins.get(&view.id).into_iter().flatten() {
            let Some(name) =
                usize::try_from(origin.column - 1).ok().and_then(|index| view.columns.get(index))
            else {
                continue;
            };
            for source in sources(*origin, &origins) {
                shown.entry(source).or_default().push(name.clone());
            }
        }
        for key in keys {
            let names: Option<Vec<Vec<String>>> =
                key.columns.iter().map(|(number, _)| shown.get(&(key.relation, *number)).cloned()).collect();
            if let Some(names) = names {
                found.push(ViewKey {
                    table: QualifiedName::new(&key.schema, &key.table),
                    view: view.name.clone(),
                    constraint: key.constraint.clone(),
                    kind: key.kind,
                    names,
                });
            }
        }
    }
    found
}

/// The relation and column, and their sources if the relation is a view.
fn sources(origin: Origin, origins: &HashMap<i64, Vec<Origin>>) -> Vec<(i64, i64)> {
    let mut seen = HashSet::new();
    let mut pending = vec![(origin.relation, origin.relation_column)];
    let mut all = Vec::new();
    while let Some(source) = pending.pop() {
        if !seen.insert(source) {
            continue;
        }
        all.push(source);
        let sources = origins.get(&source.0).into_iter().flatten().filter(|next| next.column == source.1);
        pending.extend(sources.map(|next| (next.relation, next.relation_column)));
    }
    all
}

/// Reads the target list of the outermost query from the text of a rewrite rule:
/// `({QUERY … :targetList ({TARGETENTRY :expr {…} :resno 1 … :resorigtbl 16386 :resorigcol 1 …}) …})`.
fn origins(rule: &str) -> Vec<Origin> {
    let mut depth = 0_usize;
    let mut in_list = None;
    let mut entry = [0_i64; 3];
    let mut found = Vec::new();
    let mut tokens = Tokens(rule);
    while let Some(token) = tokens.next() {
        match (token, in_list) {
            ("{" | "(", _) => depth += 1,
            ("}", Some(list)) if depth == list + 1 => {
                depth -= 1;
                let [column, relation, relation_column] = std::mem::take(&mut entry);
                if relation != 0 {
                    found.push(Origin { column, relation, relation_column });
                }
            }
            (")", Some(list)) if depth == list => break,
            ("}" | ")", _) => depth = depth.saturating_sub(1),
            (":targetList", None) if depth == 2 => in_list = Some(depth + 1),
            (field @ (":resno" | ":resorigtbl" | ":resorigcol"), Some(list)) if depth == list + 1 => {
                let value = tokens.next().and_then(|text| text.parse().ok()).unwrap_or_default();
                entry[match field {
                    ":resno" => 0,
                    ":resorigtbl" => 1,
                    _ => 2,
                }] = value;
            }
            _ => {}
        }
    }
    found
}

/// Braces, parentheses and words; `\` escapes the next character.
struct Tokens<'a>(&'a str);

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let text = self.0.trim_start();
        let mut escaped = false;
        let mut end = text.len();
        for (at, byte) in text.bytes().enumerate() {
            if escaped {
                escaped = false;
            } else if byte == b'\\' {
                escaped = true;
            } else if matches!(byte, b'{' | b'}' | b'(' | b')') {
                end = at.max(1);
                break;
            } else if byte.is_ascii_whitespace() {
                end = at;
                break;
            }
        }
        if text.is_empty() {
            return None;
        }
        let (token, rest) = text.split_at(end);
        self.0 = rest;
        Some(token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_outermost_target_list_is_read() {
        let rule = r"({QUERY :commandType 1 :rtable ({RTE :subquery {QUERY :targetList ({TARGETENTRY :resno 9 :resorigtbl 9 :resorigcol 9})}})
            :targetList ({TARGETENTRY :expr {VAR :varno 1} :resno 1 :resname we\ ird\) :resorigtbl 16386 :resorigcol 2 :resjunk false}
            {TARGETENTRY :expr {CONST} :resno 2 :resname c :resorigtbl 0 :resorigcol 0 :resjunk false}) :override 0})";
        assert_eq!(origins(rule), [Origin { column: 1, relation: 16386, relation_column: 2 }]);
    }

    #[test]
    fn columns_selected_twice_give_every_combination() {
        let name = QualifiedName::new("s", "t");
        let names = vec![vec!["a".to_owned(), "b".to_owned()], vec!["c".to_owned()]];
        let key = ViewKey { table: name.clone(), view: name, constraint: String::new(), kind: 'f', names };
        assert_eq!(key.name_choices().collect::<Vec<_>>(), [["a", "c"], ["b", "c"]]);
    }
}
