//! The test files, ordered by how likely they are to kill a mutant.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use tempfile::TempDir;

use super::Mutant;
use crate::{policies, run};

/// Markers in psql's output.
const APPLIED: &str = "#mutant-applied";
const FILE: &str = "#file:";
/// A line of setup.sql that runs only once per database.
const OPEN_PGTAP: &str = "grant execute on all functions in schema tap to public;";
/// So many of the closest behavior tests come before the rules of db/tests/lints, all others after them.
const CLOSEST: usize = 4;
/// A mutant that hangs counts as killed. The largest statement of a test takes a third of it on busy cores.
const PGOPTIONS: &str = "-c statement_timeout=180s -c client_min_messages=error";

pub enum Verdict {
    Killed {
        file: String,
        by: String,
    },
    Survived,
    /// The mutant's SQL failed, which is a bug in this tool.
    Impossible(String),
}

struct File {
    /// Such as `policies/gigs.sql`.
    name: String,
    path: PathBuf,
    text: String,
}

pub struct Suite {
    /// The rewritten files, which run inside a transaction that already contains the mutant.
    folder: TempDir,
    files: Vec<File>,
}

impl Suite {
    /// # Errors
    /// When the test files can't be read.
    pub fn read() -> anyhow::Result<Self> {
        let tests = run::root().join("db/tests");
        let folder = tempfile::Builder::new().prefix("serasi-mutants-").tempdir()?;
        let shared = std::fs::read_dir(&tests)?.filter_map(|entry| Some(entry.ok()?.path()));
        let shared = shared.filter(|path| path.extension().is_some_and(|extension| extension == "sql"));
        let mut files = Vec::new();
        for file in policies::test_files(&tests)?.into_iter().chain(shared) {
            let name = file.strip_prefix(&tests)?.display().to_string();
            let text = std::fs::read_to_string(&file).with_context(|| name.clone())?;
            let path = folder.path().join("tests").join(&name);
            std::fs::create_dir_all(path.parent().context("a folder")?)?;
            std::fs::write(&path, within_a_transaction(&text))?;
            // Plans tell what a request costs, not who may do what.
            if name.contains('/') && !name.starts_with("plans/") {
                files.push(File { name, path, text });
            }
        }
        Ok(Self { folder, files })
    }

    /// Applies the mutant and runs the test files until one fails.
    ///
    /// # Errors
    /// When psql or the server is gone.
    pub fn judge(&self, database: &str, mutant: Option<&Mutant>) -> anyhow::Result<Verdict> {
        let script = tempfile::Builder::new().suffix(".sql").tempfile_in(self.folder.path())?;
        std::fs::write(script.path(), self.script(mutant))?;
        let mut psql = policies::psql(database);
        psql.args(["-At", "-f"]).arg(script.path()).env("PGOPTIONS", PGOPTIONS);
        let output = psql.output().context("psql can't be started")?;
        if output.status.success() {
            return Ok(Verdict::Survived);
        }
        let (text, errors) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        // Exit code 3: a statement failed. 2: the server is gone.
        ensure!(output.status.code() == Some(3), "psql: {errors}");
        let error =
            errors.lines().find_map(|line| line.split_once("ERROR:")).map_or("", |(_, text)| text.trim());
        let (error, file) =
            (error.to_owned(), text.lines().filter_map(|line| line.strip_prefix(FILE)).next_back());
        Ok(match file {
            Some(file) => Verdict::Killed { file: file.to_owned(), by: error },
            None => Verdict::Impossible(error),
        })
    }

    fn script(&self, mutant: Option<&Mutant>) -> String {
        let setup = self.folder.path().join("tests/setup.sql");
        let mut script = format!("begin;\n\\set without_pages on\n\\i '{}'\n", setup.display());
        if let Some(mutant) = mutant {
            script.push_str(&format!("{};\n", mutant.sql));
        }
        script.push_str(&format!("\\echo {APPLIED}\n"));
        for file in self.in_order(mutant.map_or("", |mutant| &mutant.subject)) {
            script.push_str(&format!("\\echo {FILE}{}\n\\i '{}'\n", file.name, file.path.display()));
        }
        script + "rollback;\n"
    }

    /// The closest files, the rules, then all other files.
    fn in_order(&self, subject: &str) -> Vec<&File> {
        let (rules, mut files): (Vec<_>, Vec<_>) =
            self.files.iter().partition(|file| file.name.starts_with("lints/"));
        files.sort_by_key(|file| (Reverse(closeness(file, subject)), &file.name));
        let rest = files.split_off(CLOSEST.min(files.len()));
        files.into_iter().chain(rules).chain(rest).collect()
    }
}

/// How closely a file is related to a table (`app.gigs`) or function (`app.has_role(text)`).
fn closeness(file: &File, subject: &str) -> usize {
    let name = subject.split('(').next().unwrap_or_default().rsplit('.').next().unwrap_or_default();
    if name.is_empty() {
        return 0;
    }
    let stem = Path::new(&file.name).file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    // `influencers.sql` also covers `influencer_private`.
    let is_named_after = name.starts_with(stem.trim_end_matches('s'));
    usize::from(is_named_after) * 1000 + file.text.matches(name).count()
}

/// Turns a file's own transaction into a savepoint of the transaction that contains the mutant and already ran setup.sql.
/// Leaves out what was done once: writing and rolling back a thousand catalog rows per run made every later run slower.
fn within_a_transaction(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        lines.push(match line.trim().to_lowercase().as_str() {
            "begin;" | OPEN_PGTAP => "",
            "\\ir ../setup.sql" => "savepoint test_file;",
            "rollback;" => "rollback to savepoint test_file;",
            // It can't run inside a transaction.
            vacuum if vacuum.starts_with("vacuum ") => "",
            _ => line,
        });
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closest_behavior_tests_run_first_then_the_rules() {
        let suite = Suite::read().unwrap();
        let names: Vec<_> = suite.in_order("app.favorites").iter().map(|file| file.name.as_str()).collect();
        assert_eq!(names.len(), suite.files.len());
        assert!(names[..CLOSEST].iter().all(|name| !name.starts_with("lints/")), "{names:?}");
        assert!(names[CLOSEST].starts_with("lints/"), "{names:?}");
        let influencers = suite.in_order("app.influencers");
        assert!(influencers[0].name.starts_with("policies/influencers"), "{}", influencers[0].name);
    }

    #[test]
    fn a_file_runs_inside_the_mutants_transaction() {
        let file = "-- Gigs.\n\\ir ../setup.sql\ncreate function f() returns void language plpgsql as $$\nbegin\nend $$;\n\\ir ../finish.sql";
        assert!(within_a_transaction(file).starts_with("-- Gigs.\nsavepoint test_file;\ncreate"));
        assert_eq!(within_a_transaction("begin;\nrollback;"), "\nrollback to savepoint test_file;\n");
        assert_eq!(within_a_transaction("vacuum app.influencers;"), "\n");
    }
}
