//! Checks documents: the targets of links and the commands must exist. A renamed command would otherwise stay
//! in the documents that explain it.

use std::collections::BTreeSet;
use std::path::Path;

/// The folders whose package.json defines commands of `npm run`.
const PACKAGES: [&str; 2] = ["frontend/package.json", "deploy/package.json"];

/// The known commands.
pub struct Known<'a> {
    pub root: &'a Path,
    /// Parses the words after `cargo`, from `xtask` on, and returns the error.
    pub xtask: fn(&[String]) -> Result<(), String>,
    pub npm_scripts: BTreeSet<String>,
}

impl<'a> Known<'a> {
    /// # Errors
    /// When a package.json can't be read.
    pub fn read(root: &'a Path, xtask: fn(&[String]) -> Result<(), String>) -> anyhow::Result<Self> {
        let mut npm_scripts = BTreeSet::new();
        for package in PACKAGES {
            let package: serde_json::Value = serde_json::from_slice(&std::fs::read(root.join(package))?)?;
            npm_scripts.extend(
                package["scripts"].as_object().into_iter().flat_map(|scripts| scripts.keys().cloned()),
            );
        }
        Ok(Self { root, xtask, npm_scripts })
    }

    /// One line for each wrong link or command of a document.
    pub fn violations(&self, file: &str, text: &str) -> Vec<String> {
        let folder = Path::new(file).parent().unwrap_or(Path::new(""));
        let broken = links(text).filter(|link| !self.root.join(folder).join(link).exists());
        let mut violations: Vec<String> =
            broken.map(|link| format!("{file}: the link {link} leads nowhere")).collect();
        for command in commands(text) {
            let error = match command.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
                ["cargo", "xtask", ..] => (self.xtask)(&command[1..]).err(),
                ["npm", "run", script, ..] if !self.npm_scripts.contains(*script) => {
                    Some("no such script".to_owned())
                }
                _ => None,
            };
            if let Some(error) = error {
                violations.push(format!("{file}: `{}`: {error}", command.join(" ")));
            }
        }
        violations
    }
}

/// Relative links, without the part after `#`.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#', ' ']).next());
    targets.filter(|target| !target.is_empty() && !target.contains(':'))
}

/// Commands in shell blocks and in inline code, as words. Those with placeholders are left out.
fn commands(text: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut block = None;
    for line in text.lines() {
        match (block, line.strip_prefix("```")) {
            (None, Some(language)) => block = Some(language == "sh"),
            (Some(_), Some(_)) => block = None,
            (Some(true), None) => found.extend(words_of(line)),
            (Some(false), None) => {}
            (None, None) => found.extend(line.split('`').skip(1).step_by(2).flat_map(words_of)),
        }
    }
    found
}

/// The commands of a line, including those after `&&`, without comments and pipes.
fn words_of(line: &str) -> Vec<Vec<String>> {
    let line = line.split(" #").next().unwrap_or_default();
    let has_placeholder =
        |command: &&str| command.contains(['…', '<', '[', '\\', '$']) || command.contains("|");
    let commands = line.split("&&").map(str::trim).filter(|command| !has_placeholder(command));
    commands
        .map(|command| {
            command.split_whitespace().map(|word| word.trim_matches(['\'', '"']).to_owned()).collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Vec<String> {
        let xtask = |words: &[String]| match words.get(1).map(String::as_str) {
            Some("test") => Ok(()),
            _ => Err("unknown".to_owned()),
        };
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        Known::read(root, xtask).unwrap().violations("docs/a.md", text)
    }

    #[test]
    fn commands_that_do_not_exist_are_found() {
        assert_eq!(check("```sh\ncargo xtask tset # all\n```"), ["docs/a.md: `cargo xtask tset`: unknown"]);
        assert_eq!(
            check("Run `cd frontend && npm run devel`."),
            ["docs/a.md: `npm run devel`: no such script"]
        );
        assert_eq!(check("`cargo xtask test`, `npm run dev`, `cargo xtask <name>`"), Vec::<String>::new());
        assert_eq!(check("```\ncargo xtask tset\n```"), Vec::<String>::new());
    }

    #[test]
    fn links_that_lead_nowhere_are_found() {
        let found = check("[a](api.md#limits) [b](https://serasi.test/x) [c](#here) [d](gone.md)");
        assert_eq!(found, ["docs/a.md: the link gone.md leads nowhere"]);
    }
}
