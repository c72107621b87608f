//! Groups equal findings, each with a count and one example.

use std::collections::BTreeMap;
use std::fmt;

use super::oracle::Fault;

/// Maximum number of groups, to bound memory. Nobody reads more.
const MOST_GROUPS: usize = 400;
const MOST_EXAMPLE: usize = 6000;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Group {
    pub method: &'static str,
    pub template: String,
    pub fault: Fault,
}

#[derive(Debug)]
struct Example {
    count: u64,
    index: u64,
    command: String,
    answer: String,
}

#[derive(Debug, Default)]
pub struct Findings {
    groups: BTreeMap<Group, Example>,
    pub count: u64,
}

impl Findings {
    /// `example` is only called for the first finding of a group.
    pub fn add(&mut self, group: Group, index: u64, example: impl FnOnce() -> (String, String)) {
        self.count += 1;
        if let Some(known) = self.groups.get_mut(&group) {
            known.count += 1;
        } else if self.groups.len() < MOST_GROUPS {
            let (command, answer) = example();
            self.groups.insert(
                group,
                Example { count: 1, index, command: cut(&command, MOST_EXAMPLE), answer: cut(&answer, 600) },
            );
        }
    }

    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    pub fn groups(&self) -> usize {
        self.groups.len()
    }
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}… ({} bytes; --only sends it whole)", &text[..end], text.len()),
        None => text.to_owned(),
    }
}

impl fmt::Display for Findings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (group, example) in &self.groups {
            let Fault { kind, status, code } = &group.fault;
            writeln!(
                f,
                "\n{kind}: {} {} → {status} {code} ({} times)",
                group.method, group.template, example.count
            )?;
            writeln!(f, "  request {}: {}", example.index, example.command)?;
            writeln!(f, "  response: {}", example.answer)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_findings_are_counted_and_shown_once() {
        let group = |code: &str| Group {
            method: "GET",
            template: "/rest/v1/{table}".to_owned(),
            fault: Fault { kind: "5xx", status: 500, code: code.to_owned() },
        };
        let mut findings = Findings::default();
        for index in 0..3 {
            findings.add(group("XX000"), index, || (format!("curl {index}"), "{}".to_owned()));
        }
        findings.add(group("55000"), 9, || ("curl 9".to_owned(), "{}".to_owned()));
        let text = findings.to_string();
        assert!(
            text.contains("500 XX000 (3 times)\n  request 0: curl 0") && text.contains("500 55000 (1 times)"),
            "{text}"
        );
        assert_eq!((findings.count, findings.groups()), (4, 2));
    }
}
