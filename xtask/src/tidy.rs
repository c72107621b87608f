//! Rules that no common tool checks: which crates and folders may import which, how long a file may be, and that the
//! documents' links and commands exist. Clippy checks the length of functions.

mod documents;
mod walls;

use std::fs;
use std::path::Path;

use anyhow::{Context, ensure};

use crate::run;

/// Longer files fail, unless they are generated.
const LONGEST: usize = 500;
const GENERATED: &str = "frontend/src/lib/database.types.ts";

/// Each crate with the workspace crates it may depend on. Dev-dependencies are exempt.
const MAY_USE: [(&str, &[&str]); 12] = [
    ("platform", &[]),
    ("db", &[]),
    ("test-support", &["platform", "db"]),
    ("rest-gateway", &["platform"]),
    ("mail", &["platform"]),
    ("auth-service", &["mail", "platform"]),
    ("pictures", &[]),
    ("storage-service", &["pictures", "platform"]),
    ("functions", &["mail", "platform"]),
    ("site", &["platform", "db", "rest-gateway"]),
    (
        "serasi",
        &["platform", "db", "rest-gateway", "auth-service", "storage-service", "functions", "mail", "site"],
    ),
    ("xtask", &["db"]),
];

/// The crates of the `serasi` program, which are also their folders.
pub fn product() -> impl Iterator<Item = &'static str> {
    MAY_USE.iter().map(|(name, _)| *name).filter(|name| !["test-support", "xtask"].contains(name))
}

/// Frontend folders with the imports they must not have, and the reason.
const ZONES: [(&str, &[&str], &str); 4] = [
    ("frontend/src/lib/", &["@/app", "@/features", "@/components", "@/stores"], "lib is below everything"),
    (
        "frontend/src/components/ui/",
        &["@/app", "@/features", "@/stores", "react-router", "@tanstack"],
        "ui is independent of the product",
    ),
    ("frontend/src/components/", &["@/app/routes", "@/features"], "components are below features"),
    ("frontend/src/features/", &["@/app/routes"], "routes compose features, not the other way around"),
];

/// Features that other features may import: account forms, the bell, pictures, form drafts, and the link to report something.
const SHARED_FEATURES: [&str; 5] = ["auth", "editing", "notifications", "pictures", "reports"];

/// # Errors
/// When a rule is broken.
pub fn run() -> anyhow::Result<()> {
    let violations = violations()?;
    violations.iter().for_each(|violation| println!("{violation}"));
    ensure!(violations.is_empty(), "{} rule violations", violations.len());
    println!("tidy");
    Ok(())
}

/// Returns all violations, one line each.
///
/// # Errors
/// When a file can't be read.
pub fn violations() -> anyhow::Result<Vec<String>> {
    let root = run::root();
    let mut violations = Vec::new();
    for (name, allowed) in MAY_USE {
        violations.extend(forbidden_dependencies(&root, name, allowed)?);
    }
    let known = documents::Known::read(&root, crate::parse)?;
    for file in source_files()? {
        let text = fs::read_to_string(root.join(&file)).with_context(|| file.clone())?;
        violations.extend(too_long(&file, text.lines().count()));
        violations.extend(forbidden_imports(&file, &text));
        violations.extend(walls::words_of_the_marketplace(&file, &text));
        if file.ends_with(".md") {
            violations.extend(known.violations(&file, &text));
        }
    }
    Ok(violations)
}

/// Tracked files, and untracked files that are not ignored.
fn source_files() -> anyhow::Result<Vec<String>> {
    let mut git = run::command("git");
    git.args(["ls-files", "--cached", "--others", "--exclude-standard", "--"]);
    let listed = git.args(["*.rs", "*.ts", "*.tsx", "*.css", "*.sql", "*.md"]).output();
    let names = String::from_utf8(listed.context("git can't be started")?.stdout)?;
    let root = run::root();
    Ok(names.lines().filter(|name| root.join(name).is_file()).map(str::to_owned).collect())
}

/// Seeds are data, and documents are read in parts.
fn too_long(file: &str, lines: usize) -> Option<String> {
    let is_exempt = file == GENERATED || file.ends_with(".md") || file.starts_with("db/seed/");
    (lines > LONGEST && !is_exempt).then(|| format!("{file}: {lines} lines, at most {LONGEST}: split it"))
}

fn forbidden_dependencies(root: &Path, name: &str, allowed: &[&str]) -> anyhow::Result<Vec<String>> {
    let file = root.join(name).join("Cargo.toml");
    let manifest = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
    let release = manifest.split("[dev-dependencies]").next().unwrap_or_default();
    let used = release.lines().filter_map(|line| line.split(['.', ' ', '=']).next());
    Ok(used
        .filter(|used| MAY_USE.iter().any(|(ours, _)| ours == used) && !allowed.contains(used))
        .map(|used| format!("{name} must not depend on {used}"))
        .collect())
}

fn forbidden_imports(file: &str, text: &str) -> Vec<String> {
    let is_test = file.contains(".test.");
    let mut violations = Vec::new();
    for line in text.lines().filter(|line| line.contains("from '") || line.contains("import('")) {
        for (below, forbidden, why) in ZONES {
            let imports = |path: &&str| line.contains(&format!("'{path}"));
            if file.starts_with(below) && !is_test && forbidden.iter().any(imports) {
                violations.push(format!("{file}: `{}` ({why})", line.trim()));
            }
        }
        if let Some(other) = other_feature(file, line) {
            violations.push(format!("{file}: imports feature `{other}` (features don't know each other)"));
        }
    }
    violations
}

/// The feature a file of another feature imports.
fn other_feature<'a>(file: &str, line: &'a str) -> Option<&'a str> {
    let feature = file.strip_prefix("frontend/src/features/")?.split('/').next()?;
    let imported = line.split("'@/features/").nth(1)?.split(['/', '\'']).next()?;
    (imported != feature && !SHARED_FEATURES.contains(&imported)).then_some(imported)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_follows_the_rules() {
        assert_eq!(violations().unwrap(), Vec::<String>::new());
    }

    #[test]
    fn imports_between_features_are_found() {
        let line = "import { a } from '@/features/admin/queries';";
        assert_eq!(other_feature("frontend/src/features/home/page.tsx", line), Some("admin"));
        assert_eq!(other_feature("frontend/src/features/admin/page.tsx", line), None);
        assert_eq!(other_feature("frontend/src/app/routes/home.tsx", line), None);
        let shared = "import { a } from '@/features/editing/draft';";
        assert_eq!(other_feature("frontend/src/features/home/page.tsx", shared), None);
        assert_eq!(forbidden_imports("frontend/src/features/home/page.tsx", line).len(), 1);
        assert_eq!(forbidden_imports("frontend/src/components/page.tsx", line).len(), 1);
    }
}
