//! Reads the files of a dump, to the end of each before anything is imported.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use flate2::read::MultiGzDecoder;

use super::classify::{Action, Destination, Form, classify};
use super::rename::Rename;
use super::schemas::{Staged, why_left};
use super::split::{Splitter, Statement};
use super::tokens::Name;

/// Limit in bytes for the statements that are kept in memory until the rows are loaded.
const MAX_LATER: usize = 256 << 20;

/// A statement that is kept until the rows are loaded, with its file and its action.
pub type Later = (Arc<Path>, Statement, Action);

/// The files of a dump, in their order.
pub struct Source {
    pub files: Vec<PathBuf>,
    /// The new name of the schema `public`.
    pub rename: Option<Rename>,
}

pub struct Dump<'a> {
    pub path: Arc<Path>,
    rename: Option<&'a Rename>,
    splitter: Splitter<Box<dyn Read + Send>>,
}

impl<'a> Dump<'a> {
    /// # Errors
    /// When it can't be opened, or is not a plain dump.
    pub fn open(path: &Path, rename: Option<&'a Rename>) -> anyhow::Result<Self> {
        let shown = path.display();
        let mut file = File::open(path).with_context(|| format!("{shown} can't be opened"))?;
        let mut first = [0; 8];
        let length = file.read(&mut first).with_context(|| format!("{shown} can't be read"))?;
        file.rewind()?;
        let source: Box<dyn Read + Send> = match &first[..length] {
            [b'P', b'G', b'D', b'M', b'P', ..] | [b't', b'o', b'c', b'.', ..] => {
                bail!("{shown} is not a plain dump: convert it with `pg_restore --file=dump.sql {shown}`")
            }
            [0x1f, 0x8b, ..] => Box::new(MultiGzDecoder::new(BufReader::new(file))),
            _ => Box::new(file),
        };
        Ok(Self { path: path.into(), rename, splitter: Splitter::new(source) })
    }

    /// The next statement and its action.
    ///
    /// # Errors
    /// When the dump can't be read or has a statement that is not imported. The message names the line.
    pub fn next(&mut self) -> anyhow::Result<Option<(Statement, Action)>> {
        let next = self.splitter.next().with_context(|| self.path.display().to_string())?;
        let Some(statement) = next else { return Ok(None) };
        match classify(&statement.sql) {
            Action::Refuse(reason) => bail!("line {} of {}: {reason}", statement.line, self.path.display()),
            action => Ok(Some(match self.rename {
                Some(rename) => {
                    let (sql, action) = rename.apply(&statement.sql, action);
                    (Statement { sql, ..statement }, action)
                }
                None => (statement, action),
            })),
        }
    }

    /// See [`Splitter::rows`].
    ///
    /// # Errors
    /// When the dump is truncated.
    pub fn rows(&mut self, chunk: &mut Vec<u8>) -> anyhow::Result<(u64, bool)> {
        self.splitter.rows(chunk).with_context(|| self.path.display().to_string())
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LeftOut {
    pub kind: String,
    pub name: String,
    pub why: &'static str,
}

/// What the dump contains.
#[derive(Default)]
pub struct Contents {
    /// Tables, views, functions, types, sequences and schemas.
    pub created: BTreeSet<Name>,
    pub secured: BTreeSet<Name>,
    pub extensions: BTreeSet<Name>,
    pub columns: BTreeMap<Staged, Vec<String>>,
    /// The number of rows by table, without those that are left out.
    pub rows: BTreeMap<String, u64>,
    pub left: BTreeSet<LeftOut>,
    left_rows: BTreeMap<Name, u64>,
    /// Bytes of all files together. See [`MAX_LATER`].
    later: usize,
}

impl Contents {
    /// Reads the whole dump.
    ///
    /// # Errors
    /// When it is truncated, not of a Supabase project, or has statements that are not imported.
    pub fn read(source: &Source) -> anyhow::Result<Self> {
        let mut contents = Self::default();
        if let Some(rename) = &source.rename {
            contents.created.insert(Name { schema: rename.name().to_owned(), name: String::new() });
        }
        for path in &source.files {
            contents.add(path, source.rename.as_ref())?;
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

    fn add(&mut self, path: &Path, rename: Option<&Rename>) -> anyhow::Result<()> {
        let mut dump = Dump::open(path, rename)?;
        let mut chunk = Vec::new();
        while let Some((statement, action)) = dump.next()? {
            match action {
                Action::Run { creates } => self.created.extend(creates),
                Action::Secure(name) => drop(self.secured.insert(name)),
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
                }
                Action::Nothing | Action::Refuse(_) => (),
            }
        }
        ensure!(
            dump.splitter.is_complete(),
            "{} is truncated, or was not made by pg_dump or `supabase db dump`: the end of the dump is missing",
            path.display()
        );
        Ok(())
    }

    pub fn total_rows(&self) -> u64 {
        self.rows.values().sum()
    }
}

/// Whether the table only records the version of the platform.
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
