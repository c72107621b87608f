//! The report: what is imported, and what is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};

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
    /// Names by their kind, and why they are left out.
    left: BTreeMap<(String, &'static str), BTreeSet<String>>,
}

impl Report {
    pub fn leave(&mut self, kind: impl Into<String>, name: impl Into<String>, why: &'static str) {
        self.left.entry((kind.into(), why)).or_default().insert(name.into());
    }

    /// An object such as `extension vector`.
    pub fn leave_unknown(&mut self, what: &str) {
        let (kind, name) = what.rsplit_once(' ').unwrap_or(("", what));
        self.leave(kind, name, "left out: it does not exist here");
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (what, count) in &self.counts {
            let bytes = if what == "objects" { format!(" ({} bytes)", self.bytes) } else { String::new() };
            writeln!(f, "  {what}: {count}{bytes}")?;
        }
        let open = "tables without row security, open to every role that has a privilege on them";
        for (what, names) in [
            ("objects without a file", &self.missing),
            ("objects whose file differs from its row in size or hash", &self.differing),
            (open, &self.open_tables),
        ] {
            if !names.is_empty() {
                writeln!(f, "  {what}: {}\n    {}", names.len(), first_of(names, LISTED, "\n    "))?;
            }
        }
        if self.without_files > 0 {
            let count = self.without_files;
            writeln!(f, "  objects left out: {count}; name the folder with their files with --storage")?;
        }
        for ((kind, why), names) in &self.left {
            let names: Vec<String> = names.iter().cloned().collect();
            writeln!(f, "  {}: {why}", format!("{kind} {}", first_of(&names, LISTED, ", ")).trim_end())?;
        }
        Ok(())
    }
}

/// Returns the first names and the number of others.
pub fn first_of(names: &[String], limit: usize, separator: &str) -> String {
    let shown = names.iter().take(limit).cloned().collect::<Vec<_>>().join(separator);
    match names.len().saturating_sub(limit) {
        0 => shown,
        more => format!("{shown}{separator}and {more} more"),
    }
}
