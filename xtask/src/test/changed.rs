//! `cargo xtask test --changed`: the tests that a change affects.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use anyhow::Context;

use super::Part;
use crate::{run, tidy};

/// What to run.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Selection {
    pub parts: BTreeSet<Part>,
    /// The crates whose Rust tests run.
    pub crates: BTreeSet<String>,
    /// Files below db/tests; empty means all.
    pub policies: Vec<String>,
    /// Files below frontend/e2e; empty means all, and the clients' tests.
    pub pages: Vec<String>,
}

/// Whether a changed file needs all tests of a part, not only some files.
#[derive(Default)]
struct Covers {
    all_policies: bool,
    all_pages: bool,
}

/// Chooses by the files that differ from the main branch, committed or not. On the main branch itself,
/// compares with the last commit.
///
/// # Errors
/// When git can't be run.
pub fn selection() -> anyhow::Result<Selection> {
    let base = git(&["merge-base", "HEAD", "main"]).unwrap_or_default();
    let base = if base.trim().is_empty() { "HEAD" } else { base.trim() };
    let files = git(&["diff", "--name-only", base])? + &git(&["ls-files", "--others", "--exclude-standard"])?;
    let selection = Selection::of(files.lines(), &users()?);
    println!("{} files changed: {}", files.lines().count(), selection.describe());
    Ok(selection)
}

fn git(arguments: &[&str]) -> anyhow::Result<String> {
    let output = run::command("git").args(arguments).output().context("git can't be started")?;
    anyhow::ensure!(
        output.status.success(),
        "git {}: {}",
        arguments.join(" "),
        String::from_utf8_lossy(&output.stderr).trim()
    );
    Ok(String::from_utf8(output.stdout)?)
}

/// Each crate with the crates that depend on it, tests included.
fn users() -> anyhow::Result<BTreeMap<String, BTreeSet<String>>> {
    let manifest = fs::read_to_string(run::root().join("Cargo.toml"))?;
    let members =
        manifest.lines().find_map(|line| line.strip_prefix("members = ")).context("members in Cargo.toml")?;
    let crates: Vec<&str> = members.split('"').skip(1).step_by(2).collect();
    let mut users: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for user in &crates {
        let manifest = fs::read_to_string(run::root().join(user).join("Cargo.toml"))?;
        let named = manifest.lines().filter_map(|line| line.split(['.', ' ', '=']).next());
        for used in named.filter(|named| crates.contains(named)) {
            users.entry(used.to_owned()).or_default().insert((*user).to_owned());
        }
    }
    Ok(users)
}

impl Selection {
    fn of<'a>(files: impl Iterator<Item = &'a str>, users: &BTreeMap<String, BTreeSet<String>>) -> Self {
        let mut selection = Self::default();
        let mut covers = Covers::default();
        for file in files {
            let parts: Vec<&str> = file.split('/').collect();
            selection.parts.insert(Part::Lint);
            selection.add(&parts, users, &mut covers);
        }
        if covers.all_policies {
            selection.policies.clear();
        }
        if covers.all_pages {
            selection.pages.clear();
        }
        selection
    }

    fn add(&mut self, file: &[&str], users: &BTreeMap<String, BTreeSet<String>>, covers: &mut Covers) {
        match file {
            [.., name] if name.ends_with(".md") => {}
            ["docs" | ".github" | "deploy", ..] => {}
            ["db", "tests", rest @ ..] if rest.len() > 1 => {
                self.parts.insert(Part::Policies);
                self.policies.push(rest.join("/"));
            }
            ["db", ..] => {
                self.parts.extend([Part::Policies, Part::Rust, Part::E2e]);
                self.with_users("db", users);
                *covers = Covers { all_policies: true, all_pages: true };
            }
            ["frontend", "e2e", spec] if spec.ends_with(".spec.ts") => {
                self.parts.insert(Part::E2e);
                self.pages.push((*spec).to_owned());
            }
            ["clients", ..] | ["frontend", "e2e", ..] => {
                self.parts.insert(Part::E2e);
                covers.all_pages = true;
            }
            ["frontend", ..] => {
                self.parts.extend([Part::Frontend, Part::E2e]);
                covers.all_pages = true;
            }
            [name, "tests", ..] if is_crate(name, users) => {
                self.parts.insert(Part::Rust);
                self.crates.insert((*name).to_owned());
            }
            [name, _, ..] if is_crate(name, users) => self.add_crate(name, users, covers),
            // The workspace's own files affect everything.
            _ => {
                self.parts.extend(Part::ALL);
                self.crates.extend(users.keys().chain(users.values().flatten()).cloned());
                *covers = Covers { all_policies: true, all_pages: true };
            }
        }
    }

    fn add_crate(&mut self, name: &str, users: &BTreeMap<String, BTreeSet<String>>, covers: &mut Covers) {
        self.parts.insert(Part::Rust);
        self.with_users(name, users);
        // A change of the product can show in every page and every client.
        if tidy::product().any(|product| product == name) {
            self.parts.extend([Part::E2e, Part::Fuzz]);
            covers.all_pages = true;
        }
    }

    /// Adds a crate, and those that depend on it, directly or not.
    fn with_users(&mut self, name: &str, users: &BTreeMap<String, BTreeSet<String>>) {
        if self.crates.insert(name.to_owned()) {
            for user in users.get(name).into_iter().flatten() {
                self.with_users(user, users);
            }
        }
    }

    fn describe(&self) -> String {
        let only = |part: Part| match part {
            Part::Rust => self.crates.iter().cloned().collect(),
            Part::Policies => self.policies.clone(),
            Part::E2e => self.pages.clone(),
            _ => Vec::new(),
        };
        let parts = self.parts.iter().map(|part| match only(*part) {
            only if only.is_empty() => part.name().to_owned(),
            only => format!("{} ({})", part.name(), only.join(" ")),
        });
        if self.parts.is_empty() {
            "nothing to test".to_owned()
        } else {
            parts.collect::<Vec<_>>().join(", ")
        }
    }
}

fn is_crate(name: &str, users: &BTreeMap<String, BTreeSet<String>>) -> bool {
    users.contains_key(name) || users.values().any(|users| users.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(files: &[&str]) -> Selection {
        let uses = [
            ("platform", "rest-gateway"),
            ("rest-gateway", "serasi"),
            ("db", "test-support"),
            ("test-support", "rest-gateway"),
        ];
        let mut users: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (used, user) in uses {
            users.entry(used.to_owned()).or_default().insert(user.to_owned());
        }
        Selection::of(files.iter().copied(), &users)
    }

    #[test]
    fn a_changed_crate_affects_those_that_use_it() {
        let changed = of(&["rest-gateway/src/app.rs"]);
        assert_eq!(changed.describe(), "lint, rust (rest-gateway serasi), e2e, fuzz");
        assert_eq!(of(&["rest-gateway/tests/it/load.rs"]).describe(), "lint, rust (rest-gateway)");
        assert_eq!(
            of(&["db/marketplace/access/a.sql"]).describe(),
            "lint, rust (db rest-gateway serasi test-support), policies, e2e"
        );
    }

    #[test]
    fn a_changed_test_runs_alone() {
        assert_eq!(of(&["frontend/e2e/gigs.spec.ts"]).describe(), "lint, e2e (gigs.spec.ts)");
        assert_eq!(of(&["db/tests/policies/gigs.sql"]).describe(), "lint, policies (policies/gigs.sql)");
        let both = of(&["frontend/e2e/gigs.spec.ts", "frontend/src/main.tsx"]);
        assert_eq!(both.describe(), "lint, frontend, e2e");
    }

    #[test]
    fn documents_are_only_linted_and_the_workspace_affects_everything() {
        assert_eq!(of(&["README.md", "docs/api.md"]).describe(), "lint");
        assert_eq!(of(&["Cargo.lock"]).parts.len(), Part::ALL.len());
        assert_eq!(of(&[]).describe(), "nothing to test");
    }
}
