//! What an import brings along, and what it leaves behind.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};

use super::source::Left;

/// Names of each kind that are listed.
const LISTED: usize = 20;

#[derive(Default)]
pub struct Report {
    /// Rows by what they are, in this order.
    pub counts: Vec<(String, u64)>,
    pub bytes: u64,
    pub open_tables: Vec<String>,
    pub missing: Vec<String>,
    pub differing: Vec<String>,
    pub without_files: u64,
    pub left: BTreeSet<Left>,
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
        if !self.open_tables.is_empty() {
            list(
                f,
                "tables without row security, open to every role that has a privilege on them",
                &self.open_tables,
            )?;
        }
        let mut kinds: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
        for left in &self.left {
            kinds.entry((&left.kind, left.why)).or_default().push(left.name.clone());
        }
        for ((kind, why), names) in kinds {
            let shown = names.iter().take(LISTED).cloned().collect::<Vec<_>>().join(", ");
            let more = if names.len() > LISTED {
                format!(" and {} more", names.len() - LISTED)
            } else {
                String::new()
            };
            let what = format!("{kind} {shown}{more}");
            writeln!(f, "  {}: {why}", what.trim_end())?;
        }
        Ok(())
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
