//! What earlier runs found out, line by line, so that a run that was ended goes on where it stopped. A journal
//! belongs to one version of the database and its tests: another version begins another one.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::Mutant;
use super::judge::Verdict;
use crate::run;

const FOLDER: &str = "target/mutate-policies";

/// How far a mutant was tried.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) enum Stage {
    /// By the acts nearest to it and the catalogue.
    Alone,
    /// By all acts.
    Herd,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    stage: Stage,
    sql: String,
    verdict: Verdict,
}

pub(super) struct Journal {
    file: RefCell<File>,
    known: HashMap<(Stage, String), Verdict>,
}

impl Journal {
    /// # Errors
    /// When the journal can't be read or written.
    pub(super) fn open(suite: &str) -> anyhow::Result<Self> {
        let folder = run::root().join(FOLDER);
        std::fs::create_dir_all(&folder)?;
        Self::at(folder.join(format!("{suite}.jsonl")))
    }

    fn at(path: PathBuf) -> anyhow::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).read(true).open(path)?;
        // The last line may have been cut off with the run.
        let entries = BufReader::new(&file).lines().map_while(Result::ok);
        let entries = entries.filter_map(|line| serde_json::from_str::<Entry>(&line).ok());
        let known = entries.map(|entry| ((entry.stage, entry.sql), entry.verdict)).collect();
        Ok(Self { file: RefCell::new(file), known })
    }

    pub(super) fn known(&self, stage: Stage, mutant: &Mutant) -> Option<Verdict> {
        self.known.get(&(stage, mutant.sql.clone())).cloned()
    }

    /// # Errors
    /// When it can't be written.
    pub(super) fn note(&self, stage: Stage, mutant: &Mutant, verdict: &Verdict) -> anyhow::Result<()> {
        if matches!(verdict, Verdict::Impossible(_)) {
            return Ok(());
        }
        let entry = Entry { stage, sql: mutant.sql.clone(), verdict: verdict.clone() };
        let line = format!("\n{}\n", serde_json::to_string(&entry)?);
        self.file.borrow_mut().write_all(line.as_bytes())?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutant(sql: &str) -> Mutant {
        Mutant { group: "", subject: String::new(), name: String::new(), sql: sql.to_owned(), kin: None }
    }

    #[test]
    fn a_run_that_was_cut_off_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let first = Journal::at(path.clone()).unwrap();
        first.note(Stage::Alone, &mutant("drop policy a"), &Verdict::Survived).unwrap();
        first.note(Stage::Alone, &mutant("drop policy b"), &Verdict::Impossible(String::new())).unwrap();
        std::fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"stage\":\"Al").unwrap();

        let second = Journal::at(path.clone()).unwrap();
        second.note(Stage::Herd, &mutant("drop policy a"), &Verdict::Survived).unwrap();

        let third = Journal::at(path).unwrap();
        assert_eq!(third.known(Stage::Alone, &mutant("drop policy a")), Some(Verdict::Survived));
        assert_eq!(third.known(Stage::Herd, &mutant("drop policy a")), Some(Verdict::Survived));
        assert_eq!(third.known(Stage::Alone, &mutant("drop policy b")), None);
    }
}
