//! The report: what is imported, and what is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LeftOut {
    pub kind: String,
    pub name: String,
    pub why: &'static str,
}

impl LeftOut {
    /// An object such as `extension vector`.
    pub fn here(what: String) -> Self {
        let (kind, name) = what.rsplit_once(' ').unwrap_or(("", &what));
        Self { kind: kind.to_owned(), name: name.to_owned(), why: "left out: it does not exist here" }
    }
}

/// The maximum number of names listed per kind.
const LISTED: usize = 20;

#[derive(Default)]
pub struct Report {
    /// The numbers of accounts, identities, buckets and objects, then the number of rows of each table.
    pub counts: Vec<(String, u64)>,
    pub bytes: u64,
    pub open_tables: Vec<String>,
    pub missing: Vec<String>,
    pub differing: Vec<String>,
    pub without_files: u64,
    pub left: BTreeSet<LeftOut>,
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (what, count) in &self.counts {
            match what.as_str() {
                "objects" => writeln!(f, "  {what}: {count} ({} bytes)", self.bytes)?,
                _ => writeln!(f, "  {what}: {count}")?,
            }
        }
        list(f, "objects without a file", &self.missing)?;
        list(f, "objects whose file differs from its row in size or hash", &self.differing)?;
        if self.without_files > 0 {
            writeln!(
                f,
                "  objects left out: {}; name the folder with their files with --storage",
                self.without_files
            )?;
        }
        let open = "tables without row security, open to every role that has a privilege on them";
        list(f, open, &self.open_tables)?;
        let mut kinds: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
        for left in &self.left {
            kinds.entry((&left.kind, left.why)).or_default().push(left.name.clone());
        }
        for ((kind, why), names) in kinds {
            let what = format!("{kind} {}", first_of(&names, LISTED));
            writeln!(f, "  {}: {why}", what.trim_end())?;
        }
        Ok(())
    }
}

/// Returns the first names and the number of others.
pub fn first_of(names: &[String], limit: usize) -> String {
    let shown = names.iter().take(limit).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(limit) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

fn list(f: &mut fmt::Formatter<'_>, what: &str, names: &[String]) -> fmt::Result {
    if names.is_empty() {
        return Ok(());
    }
    writeln!(f, "  {what}: {}", names.len())?;
    for name in names.iter().take(LISTED) {
        writeln!(f, "    {name}")?;
    }
    if names.len() > LISTED {
        writeln!(f, "    and {} more", names.len() - LISTED)?;
    }
    Ok(())
}
