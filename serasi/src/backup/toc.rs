//! Chooses what `pg_restore` restores, from the table of contents that it lists: `ID; OID OID KIND SCHEMA NAME OWNER`. What it may do
//! depends on its login alone.

use std::collections::BTreeSet;

use crate::import_owner::OURS;

/// Objects whose new owner the report names.
const OWNED: [&str; 6] = ["SCHEMA", "TABLE", "VIEW", "MATERIALIZED VIEW", "FUNCTION", "SEQUENCE"];

struct Entry<'t> {
    line: &'t str,
    /// One or more words of capital letters.
    kind: &'t str,
    /// `-` for objects of the database.
    schema: &'t str,
    name: &'t str,
    owner: &'t str,
}

impl<'t> Entry<'t> {
    fn parse(line: &'t str) -> Option<Self> {
        let mut parts = line.splitn(4, ' ');
        // Comments at the top begin with a semicolon alone.
        parts.next()?.strip_suffix(';')?.parse::<u32>().ok()?;
        let rest = parts.nth(2)?;
        let is_kind = |word: &&str| word.bytes().all(|letter| letter.is_ascii_uppercase());
        let length: usize = rest.split(' ').take_while(is_kind).map(|word| word.len() + 1).sum();
        let kind = rest.get(..length.checked_sub(1)?)?;
        let (schema, rest) = rest.get(length..)?.split_once(' ')?;
        let (name, owner) = rest.rsplit_once(' ')?;
        Some(Self { line, kind, schema, name, owner })
    }

    fn is_ours(&self) -> bool {
        let of_schema = match (self.schema, self.kind) {
            ("-", "SCHEMA") => Some(self.name),
            ("-", _) => self.name.strip_prefix("SCHEMA "),
            _ => None,
        };
        OURS.contains(&self.schema)
            || of_schema.is_some_and(|schema| schema == "public" || OURS.contains(&schema))
            || matches!(self.kind, "EXTENSION" | "PROCEDURAL LANGUAGE")
            || self.schema == "-"
                && ["EXTENSION ", "DATABASE "].iter().any(|kind| self.name.starts_with(kind))
            || self.schema == "public" && self.owner == "serasi_owner"
            || self.kind == "DEFAULT ACL" && matches!(self.schema, "-" | "public")
            || self.kind == "EVENT TRIGGER" && self.name == "secure_new_tables"
    }
}

/// A list of entries for `pg_restore --use-list`.
#[derive(Default)]
pub struct Selection {
    pub list: String,
    /// Objects that belonged to another role.
    pub adopted: Vec<String>,
}

/// The rows of these tables, with the values of Serasi's sequences.
pub fn our_rows(toc: &str, tables: &BTreeSet<String>) -> String {
    let entries = toc.lines().filter_map(Entry::parse);
    let wanted = entries.filter(|entry| match entry.kind {
        "TABLE DATA" => tables.contains(&format!("{}.{}", entry.schema, entry.name)),
        "SEQUENCE SET" => ["app", "serasi", "auth", "storage"].contains(&entry.schema),
        _ => false,
    });
    wanted.map(|entry| entry.line.to_owned() + "\n").collect()
}

/// The operator's objects.
pub fn operators_objects(toc: &str) -> Selection {
    let mut selection = Selection::default();
    for entry in toc.lines().filter_map(Entry::parse).filter(|entry| !entry.is_ours()) {
        let Entry { line, kind, schema, name, owner } = entry;
        if OWNED.contains(&kind) && owner != "import_owner" {
            let shown = if kind == "SCHEMA" { format!("schema {name}") } else { format!("{schema}.{name}") };
            selection.adopted.push(shown);
        }
        selection.list += &format!("{line}\n");
    }
    selection
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOC: &str = "\
;     Dumped by pg_dump version: 18.6
; Selected TOC Entries:
;
7; 2615 16388 SCHEMA - shop postgres
8; 2615 16389 SCHEMA - public serasi_owner
2; 3079 16406 EXTENSION - citext 
3415; 0 0 COMMENT - EXTENSION citext 
226; 1255 16405 FUNCTION public f(a integer, b text) postgres
227; 1255 16405 FUNCTION public g() serasi_owner
223; 1259 16398 TABLE app gigs serasi_owner
3406; 0 16398 TABLE DATA app gigs serasi_owner
3407; 0 16398 TABLE DATA app mine postgres
3408; 0 16398 TABLE DATA shop items import_owner
3419; 0 0 SEQUENCE SET app log_id_seq serasi_owner
3403; 3256 16404 POLICY shop items own notes; all of them import_owner
3404; 3256 16404 TRIGGER auth users log_account serasi_owner
3418; 0 0 ACL - SCHEMA public serasi_owner
3420; 0 0 ACL - SCHEMA shop postgres
2152; 826 16522 DEFAULT ACL public DEFAULT PRIVILEGES FOR TABLES postgres
21; 826 16522 EVENT TRIGGER - secure_new_tables postgres
22; 826 16522 EVENT TRIGGER - watch postgres
";

    #[test]
    fn serasis_objects_and_the_operators_are_told_apart() {
        let ids = |list: &str| -> Vec<u32> {
            list.lines().map(|line| line.split(';').next().unwrap().parse().unwrap()).collect()
        };
        let tables = BTreeSet::from(["app.gigs".to_owned()]);
        assert_eq!(ids(&our_rows(TOC, &tables)), [3406, 3419]);
        let selection = operators_objects(TOC);
        assert_eq!(ids(&selection.list), [7, 226, 3408, 3403, 3420, 22]);
        assert_eq!(selection.adopted, ["schema shop", "public.f(a integer, b text)"]);
    }
}
