//! Lists what failed again at the end of `cargo xtask test`, so that nobody has to search a long output for it.

use std::sync::{Mutex, PoisonError};

use crate::report;

static FAILED: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Keeps a line of a runner's output, with the label of its part, if it names a failure.
pub fn observe(label: &str, line: &str) {
    if is_failure(line) {
        let failure = format!("{label:<9}| {}", line.trim());
        FAILED.lock().unwrap_or_else(PoisonError::into_inner).push(failure);
    }
}

/// Prints the failures, if there are any.
pub fn print() {
    let failed = FAILED.lock().unwrap_or_else(PoisonError::into_inner);
    if !failed.is_empty() {
        println!("\nwhat failed:\n{}", failed.join("\n"));
    }
}

/// Recognizes failed tests of libtest, pgTAP, Vitest and Playwright, and checks of xtask.
fn is_failure(line: &str) -> bool {
    let line = line.trim();
    let first = line.split_whitespace().next().unwrap_or_default();
    match first {
        "test" => line.contains(" ... FAILED"),
        "not" => report::is_not_ok(line),
        // A file of db/tests, followed by its counts.
        "PostgreSQL" => line.ends_with(" failed") && !line.ends_with(" 0 failed"),
        "FAIL" | "FAILED:" | "✘" | "x" => true,
        _ => line.ends_with(": FAILED"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_of_every_runner_are_recognized() {
        for line in [
            "test flood::a ... FAILED <1.250s>",
            "not ok 7 - a visitor reads nothing",
            "PostgreSQL 18.4, policies/gigs.sql: 12 passed, 1 failed",
            " FAIL  clients/a.test.ts > a title",
            "  ✘   3 e2e/a.spec.ts:1:1 › a title (1.5s)",
            "clippy: FAILED",
            "FAILED: npm is missing",
        ] {
            assert!(is_failure(line), "{line}");
        }
        for line in [
            "test flood::a_FAILED_one ... ok <1.250s>",
            "test result: FAILED. 1 passed; 1 failed",
            "not ok 8 - later # TODO",
            "ok 1 - a",
            "PostgreSQL 18.4, policies/gigs.sql: 12 passed, 0 failed",
            "  ✓   3 e2e/a.spec.ts:1:1 › a title (1.5s)",
        ] {
            assert!(!is_failure(line), "{line}");
        }
    }
}
