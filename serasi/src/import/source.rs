//! Reads the files of a dump.

use std::fs::File;
use std::io::{BufReader, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use flate2::read::MultiGzDecoder;

use super::classify::{Action, classify};
use super::ours;
use super::rename::Rename;
use super::schemas::Origin;
use super::split::{Splitter, Statement};

/// A statement that is kept until the rows are loaded, with its file and its action.
pub type Later = (Arc<Path>, Statement, Action);

/// The files of a dump, in the order in which they are read.
pub struct Source {
    pub files: Vec<PathBuf>,
    /// The new name of the schema `public`.
    pub rename: Option<Rename>,
}

pub struct Dump<'a> {
    pub path: Arc<Path>,
    origin: Origin,
    rename: Option<&'a Rename>,
    splitter: Splitter<Box<dyn Read + Send>>,
}

impl<'a> Dump<'a> {
    /// # Errors
    /// When the file can't be opened or is not a plain dump.
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
        let origin = Origin::Supabase;
        Ok(Self { path: path.into(), origin, rename, splitter: Splitter::new(source) })
    }

    /// The dump of a backup. `name`: for messages.
    pub fn of_backup(name: &str, source: Box<dyn Read + Send>) -> Self {
        let path = Path::new(name).into();
        Self { path, origin: Origin::Backup, rename: None, splitter: Splitter::new(source) }
    }

    /// The next statement and its action.
    ///
    /// # Errors
    /// When the dump can't be read or has a statement that is rejected. The message names the line.
    pub fn next(&mut self) -> anyhow::Result<Option<(Statement, Action)>> {
        let next = self.splitter.next().with_context(|| self.path.display().to_string())?;
        let Some(statement) = next else { return Ok(None) };
        let action = classify(&statement.sql, self.origin);
        let action = match self.origin {
            Origin::Supabase => action,
            Origin::Backup => ours::without(statement.entry.as_ref(), action),
        };
        match action {
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

    /// # Errors
    /// When the end of the dump is missing.
    pub fn ensure_complete(&self) -> anyhow::Result<()> {
        ensure!(
            self.splitter.is_complete(),
            "{} is truncated, or was not made by pg_dump or `supabase db dump`: the end of the dump is missing",
            self.path.display()
        );
        Ok(())
    }
}
