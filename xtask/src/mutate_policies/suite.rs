//! The test files, ordered by how likely they are to kill a mutant.

use std::path::{Path, PathBuf};

use anyhow::Context;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use super::Mutant;
use super::comments::without_comments;
use super::psql::{APPLIED, FILE};
use super::reach::Reach;
use super::verdict::{Proof, Verdict};
use crate::run;

/// Which files to run against a mutant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// The few behavior tests that mention the subject most. Takes a moment.
    Nearest,
    /// All behavior tests, without plans.
    Behavior,
    /// All behavior tests and plans. Takes half a minute.
    Acts,
    /// Catalog queries. Take a moment.
    Catalogue,
    All,
}

const NEAREST: usize = 2;

/// Runs the matrix cells in shuffled order, because the cells that kill a mutant are often close together
/// near the end. Stops at the first failed cell. The consistency check of the matrix itself is skipped.
const SHUFFLED: &str = "
    create or replace function tests.matrix() returns setof text language plpgsql as $$
    declare line text;
    begin
      for line in
        select tests.cell(id, person, sql, wanted) from cell order by md5(id || person)
      loop
        return next line;
        exit when line like 'not ok %';
      end loop;
    end $$;";

pub(super) struct File {
    /// Such as `policies/gigs.sql`.
    pub(super) name: String,
    pub(super) proof: Proof,
    path: PathBuf,
    text: String,
}

pub(super) struct Suite {
    /// The rewritten files, which run inside a transaction that already contains the mutant.
    folder: TempDir,
    files: Vec<File>,
    version: String,
    reach: Reach,
}

impl Suite {
    /// # Errors
    /// When the test files can't be read.
    pub(super) fn read() -> anyhow::Result<Self> {
        let tests = run::root().join("db/tests");
        let folder = tempfile::Builder::new().prefix("serasi-mutants-").tempdir()?;
        let mut files = Vec::new();
        let mut setup = Sha256::new();
        let release = db::Release::current();
        for text in release.migrations.iter().map(|migration| migration.sql.as_str()) {
            setup.update(without_comments(text));
        }
        for text in &release.texts {
            setup.update(without_comments(&text.sql));
        }
        let mut paths = sql_files(&tests)?;
        paths.sort();
        for file in paths {
            let name = file.strip_prefix(&tests)?.display().to_string();
            let text = std::fs::read_to_string(&file).with_context(|| name.clone())?;
            let path = folder.path().join("tests").join(&name);
            std::fs::create_dir_all(path.parent().context("a folder")?)?;
            std::fs::write(&path, within_a_transaction(&text))?;
            if name.contains('/') {
                files.push(File { proof: proof(&name, &text), path, text, name });
            } else {
                setup.update(without_comments(&text));
            }
        }
        let structure = structure(&std::fs::read_to_string(run::root().join("db/schema.snapshot"))?);
        let path = folder.path().join("tests/structure/schema_snapshot.sql");
        std::fs::write(&path, within_a_transaction(&structure))?;
        let name = "structure/schema.snapshot".to_owned();
        files.push(File { proof: Proof::Structure, path, text: structure, name });
        files.sort_by(|one, other| one.name.cmp(&other.name));
        // The `plans/` tests load this data.
        std::fs::create_dir_all(folder.path().join("seed"))?;
        std::fs::copy(run::root().join("db/seed/bulk.sql"), folder.path().join("seed/bulk.sql"))?;
        Ok(Self { folder, files, version: hex(setup), reach: Reach::default() })
    }

    #[cfg(test)]
    pub(super) fn of(files: &[(&str, &str)]) -> Self {
        let file = |(name, text): &(&str, &str)| File {
            name: (*name).to_owned(),
            proof: proof(name, text),
            path: PathBuf::new(),
            text: (*text).to_owned(),
        };
        Self {
            folder: tempfile::tempdir().unwrap(),
            files: files.iter().map(file).collect(),
            version: String::new(),
            reach: Reach::default(),
        }
    }

    /// From now on, all behavior tests of a function begin with those that call it.
    pub(super) fn order_by(&mut self, reach: Reach) {
        self.reach = reach;
    }

    /// Hash of the release's SQL and of the shared test setup, without their comments.
    pub(super) fn version(&self) -> &str {
        &self.version
    }

    /// Hash of the test files the verdict depends on: the killing file, or all files.
    pub(super) fn grounds(&self, verdict: &Verdict) -> String {
        let mut texts = Sha256::new();
        for file in &self.files {
            let speaks = match verdict {
                Verdict::Killed { file: killer, .. } => file.name == *killer,
                _ => true,
            };
            if speaks {
                texts.update(format!("{}\n{}\n", file.name, without_comments(&file.text)));
            }
        }
        hex(texts)
    }

    /// Behavior tests first, exact lists last; within each kind by how often a file mentions the subject. The
    /// nearest files have already run when all behavior tests do: these begin with the callers of a function.
    fn in_order(&self, part: Part, subject: &str) -> Vec<&File> {
        let wanted: fn(&File) -> bool = match part {
            Part::Nearest | Part::Behavior => |file| file.proof == Proof::Behavior,
            Part::Acts => |file| file.proof <= Proof::Plan,
            Part::Catalogue => |file| file.proof > Proof::Plan,
            Part::All => |_| true,
        };
        let mut files: Vec<&File> = self.files.iter().filter(|file| wanted(file)).collect();
        files.sort_by_key(|file| {
            let rank = (part == Part::Acts).then(|| self.reach.rank(subject, &file.name));
            (file.proof, rank, std::cmp::Reverse(closeness(file, subject)))
        });
        if part == Part::Nearest {
            files.truncate(NEAREST);
        }
        files
    }

    /// The psql script for mutants that are applied together. `after_each` runs before the first file, and after
    /// each of them.
    pub(super) fn script(&self, mutants: &[&Mutant], part: Part, after_each: &str) -> String {
        let setup = self.folder.path().join("tests/setup.sql");
        let mut script = format!("begin;\n\\set without_pages on\n\\i '{}'\n{SHUFFLED}\n", setup.display());
        for mutant in mutants {
            script.push_str(&format!("{};\n", mutant.sql));
        }
        script.push_str(&format!("\\echo {APPLIED}\n{after_each}"));
        let files = self.in_order(part, mutants.first().map_or("", |mutant| &mutant.subject));
        for (at, file) in files.iter().enumerate() {
            let is_plan = |file: &&File| file.proof == Proof::Plan;
            // Plans are next to each other, and share the rows that they need.
            if is_plan(file) && !files[..at].last().is_some_and(is_plan) {
                let crowd = setup.with_file_name("crowd.sql");
                script.push_str(&format!("savepoint crowd;\n\\i '{}'\n\\set crowd kept\n", crowd.display()));
            }
            script.push_str(&format!(
                "\\echo {FILE}{}\n\\i '{}'\n{after_each}",
                file.name,
                file.path.display()
            ));
            if is_plan(file) && !files.get(at + 1).is_some_and(is_plan) {
                script.push_str("rollback to savepoint crowd;\n\\unset crowd\n");
            }
        }
        script.push_str("rollback;\n");
        script
    }

    pub(super) fn proof_of(&self, name: &str) -> Proof {
        self.files.iter().find(|file| file.name == name).map_or(Proof::Behavior, |file| file.proof)
    }
}

/// A line of setup.sql that runs only once per database.
pub(super) const OPEN_PGTAP: &str = "grant execute on all functions in schema tap to public;";

fn hex(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

fn proof(name: &str, text: &str) -> Proof {
    match name.split('/').next() {
        Some("lints") => Proof::Lint,
        Some("plans") => Proof::Plan,
        // A list that uses the test accounts checks behavior, not structure.
        Some("structure") if !text.contains("tests.people()") => Proof::Structure,
        _ => Proof::Behavior,
    }
}

/// A test that compares the structure with the reviewed one.
fn structure(reviewed: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(reviewed.trim_end());
    format!(
        "\\ir ../setup.sql\nset local search_path = pg_catalog, pg_temp, tap;\n\
         select tap.is(encode(sha256(convert_to(string_agg(line, chr(10)), 'UTF8')), 'hex'), '{}', 'the structure') from ({}) as found;\n\
         set local search_path = tap, public;\n\\ir ../finish.sql\n",
        hex(hash),
        db::SNAPSHOT
    )
}

/// How closely a file is related to a table (`app.gigs`) or function (`app.has_role(text)`).
fn closeness(file: &File, subject: &str) -> usize {
    let name = subject.split('(').next().unwrap_or_default().rsplit('.').next().unwrap_or_default();
    if name.is_empty() {
        return 0;
    }
    let stem = file.name.rsplit('/').next().unwrap_or_default().trim_end_matches(".sql");
    // `influencers.sql` also covers `influencer_private`.
    let is_its_own = name.starts_with(stem.trim_end_matches('s'));
    usize::from(is_its_own) * 1000 + file.text.matches(name).count()
}

/// Turns a file's own transaction into a savepoint of the transaction that contains the mutant and already
/// ran setup.sql. Leaves out what `databases.rs` has done once: writing and rolling back a thousand catalog
/// rows per run made every later run slower.
fn within_a_transaction(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        lines.push(match line.trim().to_lowercase().as_str() {
            "begin;" => "",
            "\\ir ../setup.sql" => "savepoint test_file;",
            "rollback;" => "rollback to savepoint test_file;",
            OPEN_PGTAP => "",
            // It can't run inside a transaction.
            vacuum if vacuum.starts_with("vacuum ") => "",
            _ => line,
        });
    }
    // crowd.sql is included by each plan file.
    lines.join("\n").replace("create function pg_temp.", "create or replace function pg_temp.") + "\n"
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

    #[test]
    fn the_closest_behavior_tests_run_first_and_lists_last() {
        let suite = Suite::of(&[
            ("lints/traps.sql", "influencer_private influencer_private influencer_private"),
            ("policies/gigs.sql", "influencer_private"),
            ("policies/influencers.sql", ""),
            ("policies/vendors.sql", ""),
            ("structure/policies.sql", "influencer_private"),
        ]);
        let names: Vec<_> = suite
            .in_order(Part::All, "app.influencer_private")
            .iter()
            .map(|file| file.name.as_str())
            .collect();
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
        assert_eq!(suite.in_order(Part::Catalogue, "").len(), 2);
    }

    #[test]
    fn a_file_runs_inside_the_mutants_transaction() {
        let file = "-- Gigs.\n\\ir ../setup.sql\ncreate function f() returns void language plpgsql as $$\nbegin\nend $$;\n\\ir ../finish.sql";
        assert!(within_a_transaction(file).starts_with("-- Gigs.\nsavepoint test_file;\ncreate"));
        assert!(within_a_transaction(file).ends_with("\nbegin\nend $$;\n\\ir ../finish.sql\n"));
        assert_eq!(within_a_transaction("begin;\nrollback;"), "\nrollback to savepoint test_file;\n");
        assert_eq!(within_a_transaction("vacuum app.influencers;"), "\n");
    }
}
