//! Results of earlier runs, so that an interrupted run can resume. A journal belongs to one version of the
//! database, and each entry to the tests its verdict depends on: after adding a test for a survivor, only
//! the survivors run again, not the thousands that other files killed.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::Mutant;
use super::comments::without_comments;
use super::suite::Suite;
use super::verdict::Verdict;
use crate::run;

const FOLDER: &str = "target/mutate-policies";

/// How far a mutant was tested.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) enum Stage {
    /// Against the nearest behavior tests and the catalog checks.
    Alone,
    /// Against all behavior tests.
    Batch,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    stage: Stage,
    /// Without comments.
    sql: String,
    verdict: Verdict,
    /// Hash of what the verdict depends on: [`Suite::grounds`].
    grounds: String,
}

pub(super) struct Journal {
    file: RefCell<File>,
    /// By the mutant's SQL without comments: a function's body contains comments, which affect no verdict.
    known: HashMap<(Stage, String), Entry>,
    /// Number of verdicts taken from the journal.
    spared: Cell<usize>,
}

impl Journal {
    /// # Errors
    /// When the journal can't be read or written.
    pub(super) fn open(suite: &Suite) -> anyhow::Result<Self> {
        let folder = run::root().join(FOLDER);
        std::fs::create_dir_all(&folder)?;
        Self::at(folder.join(format!("{}.jsonl", suite.version())))
    }

    fn at(path: PathBuf) -> anyhow::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).read(true).open(path)?;
        // The last line may be incomplete if the run was killed.
        let entries = BufReader::new(&file).lines().map_while(Result::ok);
        let entries = entries.filter_map(|line| serde_json::from_str::<Entry>(&line).ok());
        let known = entries.map(|entry| ((entry.stage, entry.sql.clone()), entry)).collect();
        Ok(Self { file: RefCell::new(file), known, spared: Cell::new(0) })
    }

    pub(super) fn known(&self, suite: &Suite, stage: Stage, mutant: &Mutant) -> Option<Verdict> {
        let entry = self.known.get(&(stage, without_comments(&mutant.sql)))?;
        (entry.grounds == suite.grounds(&entry.verdict)).then(|| {
            self.spared.update(|spared| spared + 1);
            entry.verdict.clone()
        })
    }

    pub(super) fn spared(&self) -> usize {
        self.spared.get()
    }

    /// # Errors
    /// When the journal can't be written.
    pub(super) fn note(
        &self,
        suite: &Suite,
        stage: Stage,
        mutant: &Mutant,
        verdict: &Verdict,
    ) -> anyhow::Result<()> {
        if matches!(verdict, Verdict::Impossible(_)) {
            return Ok(());
        }
        let grounds = suite.grounds(verdict);
        let entry = Entry { stage, sql: without_comments(&mutant.sql), verdict: verdict.clone(), grounds };
        let line = format!("\n{}\n", serde_json::to_string(&entry)?);
        self.file.borrow_mut().write_all(line.as_bytes())?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutate_policies::verdict::Proof;

    fn mutant(sql: &str) -> Mutant {
        Mutant {
            group: "",
            subject: String::new(),
            name: String::new(),
            sql: sql.to_owned(),
            batch_key: None,
        }
    }

    fn killed(file: &str) -> Verdict {
        Verdict::Killed { proof: Proof::Behavior, file: file.to_owned(), by: "red".to_owned() }
    }

    #[test]
    fn an_interrupted_run_resumes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let suite = Suite::of(&[("policies/a.sql", "")]);
        let first = Journal::at(path.clone()).unwrap();
        first.note(&suite, Stage::Alone, &mutant("drop a"), &Verdict::Survived).unwrap();
        first.note(&suite, Stage::Alone, &mutant("drop b"), &Verdict::Impossible(String::new())).unwrap();
        first.file.borrow_mut().write_all(b"{\"stage\":\"Al").unwrap();

        let second = Journal::at(path.clone()).unwrap();
        second.note(&suite, Stage::Batch, &mutant("drop a"), &Verdict::Survived).unwrap();

        let third = Journal::at(path).unwrap();
        let known = |stage, sql| third.known(&suite, stage, &mutant(sql));
        assert_eq!(known(Stage::Alone, "drop a"), Some(Verdict::Survived));
        assert_eq!(known(Stage::Batch, "drop a"), Some(Verdict::Survived));
        assert_eq!(known(Stage::Alone, "drop b"), None);
    }

    #[test]
    fn comments_in_a_body_do_not_matter() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let suite = Suite::of(&[("policies/a.sql", "")]);
        let first = Journal::at(path.clone()).unwrap();
        let before = mutant("begin\n  -- The old words.\n  return true;\nend");
        first.note(&suite, Stage::Alone, &before, &Verdict::Survived).unwrap();

        let second = Journal::at(path).unwrap();
        let known = |sql| second.known(&suite, Stage::Alone, &mutant(sql));
        assert_eq!(known("begin\n  -- The new words.\n  return true;\nend"), Some(Verdict::Survived));
        assert_eq!(known("begin\n  return false;\nend"), None);
    }

    #[test]
    fn changed_tests_invalidate_their_verdicts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let before = Suite::of(&[("policies/a.sql", "old"), ("policies/b.sql", "")]);
        let first = Journal::at(path.clone()).unwrap();
        for (sql, verdict) in [
            ("survivor", Verdict::Survived),
            ("of a", killed("policies/a.sql")),
            ("of b", killed("policies/b.sql")),
        ] {
            first.note(&before, Stage::Alone, &mutant(sql), &verdict).unwrap();
        }

        let after = Suite::of(&[("policies/a.sql", "new"), ("policies/b.sql", "")]);
        let second = Journal::at(path).unwrap();
        let known = |sql| second.known(&after, Stage::Alone, &mutant(sql));
        assert_eq!(known("survivor"), None);
        assert_eq!(known("of a"), None);
        assert_eq!(known("of b"), Some(killed("policies/b.sql")));
    }
}
