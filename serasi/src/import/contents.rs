//! The contents of a dump, which is read completely before anything is imported.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use anyhow::ensure;

use super::classify::{Action, Destination, Form};
use super::schemas::{OWNER, Origin, Staged, why_left};
use super::source::{Dump, Later, Source};
use super::split::Statement;
use super::tokens::{Name, quoted};

/// Limit in bytes for the statements that are kept in memory until the rows are loaded.
const MAX_LATER: usize = 256 << 20;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LeftOut {
    pub kind: String,
    pub name: String,
    pub why: &'static str,
}

/// The contents of a dump.
#[derive(Default)]
pub struct Contents {
    /// Tables, views, functions, types, sequences and schemas.
    pub created: BTreeSet<Name>,
    /// Tables with row security.
    pub secured: BTreeSet<Name>,
    /// Tables whose row security also applies to their owner.
    pub forced: BTreeSet<Name>,
    pub extensions: BTreeSet<Name>,
    pub columns: BTreeMap<Staged, Vec<String>>,
    /// The columns of rows of the platform's tables. `None`: those of the table.
    staged: BTreeMap<Staged, BTreeSet<Option<Vec<String>>>>,
    /// The number of rows that are imported, by table.
    pub rows: BTreeMap<String, u64>,
    pub left: BTreeSet<LeftOut>,
    /// In a backup: objects that `import_owner` did not own.
    pub adopted: BTreeSet<Name>,
    /// In a backup: functions of extensions that the API's roles may call.
    pub exposed: BTreeSet<String>,
    /// In a backup: imported policies on tables of the storage service.
    marked: BTreeSet<(Name, String)>,
    /// In a backup: the operator's triggers on Serasi's tables.
    triggers: BTreeSet<(Name, String)>,
    /// In a backup: Serasi's objects.
    ours: BTreeSet<Name>,
    left_rows: BTreeMap<Name, u64>,
    /// Bytes of kept statements in all files. See [`MAX_LATER`].
    later: usize,
}

impl Contents {
    /// Reads the whole dump.
    ///
    /// # Errors
    /// When it is truncated, is not of a Supabase project, or has a statement that is rejected.
    pub fn read(source: &Source) -> anyhow::Result<Self> {
        let mut contents = Self::default();
        if let Some(rename) = &source.rename {
            contents.created.insert(Name { schema: rename.name().to_owned(), name: String::new() });
        }
        for path in &source.files {
            contents.add(Dump::open(path, source.rename.as_ref())?)?;
        }
        let is_project = contents.columns.contains_key(&Staged::Users)
            || contents.rows.contains_key(Staged::Users.original());
        ensure!(
            is_project,
            "this is not a dump of a Supabase project: it has no table auth.users; dump the schemas auth, storage and public"
        );
        for (name, rows) in &contents.left_rows {
            let kind = if *rows == 1 { "1 row of".to_owned() } else { format!("{rows} rows of") };
            contents.left.insert(LeftOut { kind, name: name.to_string(), why: why_left(name) });
        }
        Ok(contents)
    }

    /// Reads the whole dump of a backup.
    ///
    /// # Errors
    /// When it is truncated or has a statement that is rejected.
    pub fn of_backup(dump: Dump<'_>) -> anyhow::Result<Self> {
        let mut contents = Self::default();
        contents.add(dump)?;
        Ok(contents)
    }

    fn add(&mut self, mut dump: Dump<'_>) -> anyhow::Result<()> {
        let mut chunk = Vec::new();
        while let Some((statement, action)) = dump.next()? {
            self.remember(&statement, &action);
            match action {
                Action::Run { creates } => self.created.extend(creates),
                Action::Secure(name) => drop(self.secured.insert(name)),
                Action::Force(name) => drop(self.forced.insert(name)),
                Action::Exposed(name) => drop(self.exposed.insert(name.name)),
                Action::Marked(table, policy) => drop(self.marked.insert((table, policy))),
                Action::Ours(name) => drop(self.ours.insert(name)),
                Action::Columns(staged, columns) => drop(self.columns.insert(staged, columns)),
                Action::Extension(name) => drop(self.extensions.insert(name)),
                Action::LeaveOut { kind, name, why } => {
                    self.left.insert(LeftOut { kind: kind.to_owned(), name, why });
                }
                Action::Later | Action::OnOurTable { .. } => {
                    self.later += statement.sql.len() + size_of::<Later>();
                    ensure!(
                        self.later < MAX_LATER,
                        "the dump has more than 256 MB of constraints and policies"
                    );
                }
                Action::Rows(rows) => {
                    let count = match rows.form {
                        Form::Insert(count) => count,
                        Form::Copy => count(&mut dump, &mut chunk)?,
                    };
                    match rows.to {
                        Destination::Nowhere if count > 0 && !is_bookkeeping(&rows.table) => {
                            *self.left_rows.entry(rows.table).or_default() += count;
                        }
                        Destination::Nowhere => (),
                        Destination::Own | Destination::Staged(_) => {
                            *self.rows.entry(rows.table.to_string()).or_default() += count;
                        }
                    }
                    if let Destination::Staged(staged) = rows.to {
                        self.staged.entry(staged).or_default().insert(rows.columns);
                    }
                }
                Action::Nothing | Action::Refuse(_) => (),
            }
        }
        dump.ensure_complete()
    }

    /// Records objects of other owners, and the operator's triggers on Serasi's tables. A dump creates functions before triggers.
    fn remember(&mut self, statement: &Statement, action: &Action) {
        if let Action::OnOurTable { name, table, function: Some(function), .. } = action
            && !self.ours.contains(function)
        {
            self.triggers.insert((table.clone(), name.clone()));
        }
        if let (Some(entry), Action::Run { creates: Some(name) }) = (&statement.entry, action)
            && entry.owner != OWNER
        {
            self.adopted.insert(name.clone());
        }
    }

    /// Whether the policy or trigger on one of Serasi's tables is the operator's.
    pub fn is_of_operator(&self, origin: Origin, action: &Action) -> bool {
        match action {
            _ if origin == Origin::Supabase => true,
            Action::OnOurTable { kind: "policy", name, table, .. } => {
                self.marked.contains(&(table.clone(), name.clone()))
            }
            Action::OnOurTable { function: Some(function), .. } => !self.ours.contains(function),
            Action::OnOurTable { name, table, .. } => self.triggers.contains(&(table.clone(), name.clone())),
            _ => false,
        }
    }

    /// The columns of the staging table, if the dump has rows for it.
    pub fn staged(&self, staged: Staged) -> Option<Vec<String>> {
        let rows = self.staged.get(&staged)?.iter();
        let lists = rows.filter_map(|columns| columns.as_ref().or_else(|| self.columns.get(&staged)));
        Some(lists.flatten().cloned().collect::<BTreeSet<_>>().into_iter().collect())
    }

    /// The statements that create the staging tables.
    pub fn staging(&self) -> String {
        let mut statements = String::new();
        for table in Staged::ALL {
            let Some(columns) = self.staged(table) else { continue };
            let name = table.table();
            let columns = columns.iter().map(|column| format!(", {} text", quoted(column)));
            let _ = write!(
                statements,
                "create unlogged table {name} (import_number bigint generated always as identity{});
                 grant select, insert, update on {name} to import_owner;",
                columns.collect::<String>()
            );
        }
        statements
    }

    pub fn total_rows(&self) -> u64 {
        self.rows.values().sum()
    }
}

/// Whether the table only records versions of the platform, which the report does not mention.
fn is_bookkeeping(table: &Name) -> bool {
    table.name.ends_with("migrations") || table.schema == "supabase_migrations"
}

fn count(dump: &mut Dump<'_>, chunk: &mut Vec<u8>) -> anyhow::Result<u64> {
    let mut count = 0;
    loop {
        let (rows, is_last) = dump.rows(chunk)?;
        count += rows;
        if is_last {
            return Ok(count);
        }
    }
}
