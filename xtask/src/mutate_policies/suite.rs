//! The test files, in the order in which they are likely to notice a mutant.

use std::path::{Path, PathBuf};

use anyhow::Context;
use tempfile::TempDir;

use super::Mutant;
use crate::run;

/// What kind of proof a file is, the strongest first. The exact lists of `structure/` notice everything, so
/// they only speak when nothing else did.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Proof {
    Behaviour,
    Lint,
    Plan,
    Structure,
}

pub(super) struct File {
    /// `policies/gigs.sql`
    pub(super) name: String,
    pub(super) proof: Proof,
    path: PathBuf,
    text: String,
}

pub(super) struct Suite {
    /// The files as they are run: within a transaction that already holds the mutant.
    _folder: TempDir,
    files: Vec<File>,
}

impl Suite {
    /// # Errors
    /// When the test files can't be read.
    pub(super) fn read() -> anyhow::Result<Self> {
        let tests = run::root().join("db/tests");
        let folder = tempfile::Builder::new().prefix("serasi-mutants-").tempdir()?;
        let mut files = Vec::new();
        for file in sql_files(&tests)? {
            let name = file.strip_prefix(&tests)?.display().to_string();
            let text = std::fs::read_to_string(&file).with_context(|| name.clone())?;
            let path = folder.path().join(&name);
            std::fs::create_dir_all(path.parent().context("a folder")?)?;
            std::fs::write(&path, within_a_transaction(&text))?;
            if let Some((folder, _)) = name.split_once('/') {
                files.push(File { proof: proof(folder), path, text, name });
            }
        }
        files.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(Self { _folder: folder, files })
    }

    /// Behaviour, lints, plans, lists; within each the files that speak most of what was weakened.
    pub(super) fn in_order(&self, subject: &str) -> Vec<&File> {
        let mut files: Vec<&File> = self.files.iter().collect();
        files.sort_by_key(|file| (file.proof, std::cmp::Reverse(closeness(file, subject))));
        files
    }

    /// What psql is to run for a mutant.
    pub(super) fn script(&self, mutant: &Mutant) -> String {
        let mut script = format!("begin;\n{};\n\\echo {APPLIED}\n", mutant.sql);
        for file in self.in_order(&mutant.subject) {
            script.push_str(&format!("\\echo {FILE}{}\n\\i '{}'\n", file.name, file.path.display()));
        }
        script.push_str("rollback;\n");
        script
    }

    pub(super) fn proof_of(&self, name: &str) -> Proof {
        self.files.iter().find(|file| file.name == name).map_or(Proof::Behaviour, |file| file.proof)
    }
}

/// What psql says between the tests' lines.
pub(super) const APPLIED: &str = "#mutant-applied";
pub(super) const FILE: &str = "#file:";

fn proof(folder: &str) -> Proof {
    match folder {
        "lints" => Proof::Lint,
        "plans" => Proof::Plan,
        "structure" => Proof::Structure,
        _ => Proof::Behaviour,
    }
}

/// How much a file has to do with a table (`app.gigs`) or function (`app.has_role(text)`).
fn closeness(file: &File, subject: &str) -> usize {
    let name = subject.split('(').next().unwrap_or_default().rsplit('.').next().unwrap_or_default();
    if name.is_empty() {
        return 0;
    }
    let stem = file.name.rsplit('/').next().unwrap_or_default().trim_end_matches(".sql");
    // `influencers` is also the file of `influencer_private`.
    let is_its_own = name.starts_with(stem.trim_end_matches('s'));
    usize::from(is_its_own) * 1000 + file.text.matches(name).count()
}

/// A file's own transaction becomes a part of the one in which the mutant lives.
fn within_a_transaction(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        lines.push(match line.trim().to_lowercase().as_str() {
            "begin;" => "savepoint test_file;",
            "rollback;" => "rollback to savepoint test_file;",
            _ => line,
        });
    }
    lines.join("\n") + "\n"
}

fn sql_files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(sql_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "sql") {
            files.push(path);
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suite(files: &[(&str, &str)]) -> Suite {
        let files = files
            .iter()
            .map(|(name, text)| File {
                name: (*name).to_owned(),
                proof: proof(name.split('/').next().unwrap()),
                path: PathBuf::new(),
                text: (*text).to_owned(),
            })
            .collect();
        Suite { _folder: tempfile::tempdir().unwrap(), files }
    }

    #[test]
    fn the_likeliest_killer_comes_first_and_lists_last() {
        let suite = suite(&[
            ("lints/traps.sql", "influencer_private influencer_private influencer_private"),
            ("policies/gigs.sql", "influencer_private"),
            ("policies/influencers.sql", ""),
            ("policies/vendors.sql", ""),
            ("structure/policies.sql", "influencer_private"),
        ]);
        let names: Vec<_> =
            suite.in_order("app.influencer_private").iter().map(|file| file.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "policies/influencers.sql",
                "policies/gigs.sql",
                "policies/vendors.sql",
                "lints/traps.sql",
                "structure/policies.sql"
            ]
        );
        assert_eq!(suite.in_order("").len(), 5);
    }

    #[test]
    fn a_file_runs_inside_the_mutants_transaction() {
        let file = "begin;\nselect 1; -- begin;\ncreate function f() returns void language plpgsql as $$\nbegin\nend $$;\nrollback;\n";
        let run = within_a_transaction(file);
        assert!(run.starts_with("savepoint test_file;\nselect 1; -- begin;\n"));
        assert!(run.contains("\nbegin\nend $$;\nrollback to savepoint test_file;\n"));
    }
}
