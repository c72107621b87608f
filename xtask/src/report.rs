//! Adds up the results of the test runners.

use std::ops::AddAssign;

#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Count {
    pub passed: u64,
    pub failed: u64,
}

impl AddAssign for Count {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

impl Count {
    /// A check without a count of its own, such as lint.
    pub fn check(success: bool) -> Self {
        Self { passed: u64::from(success), failed: u64::from(!success) }
    }

    /// Counts a runner that failed without reporting a failed test, for example because it did not compile,
    /// as one failure.
    #[must_use]
    pub fn or_failed(mut self, success: bool) -> Self {
        if !success && self.failed == 0 {
            self.failed = 1;
        }
        self
    }
}

/// Parses `test result: ok. 12 passed; 0 failed; …`, once per binary.
pub fn cargo_test(output: &str) -> Count {
    let mut count = Count::default();
    for line in output.lines().filter(|line| line.starts_with("test result:")) {
        count += Count { passed: before(line, " passed"), failed: before(line, " failed") };
    }
    count
}

/// Parses `ok 3 - …` and `not ok 4 - …`.
pub fn tap(output: &str) -> Count {
    let mut count = Count::default();
    for line in output.lines().map(str::trim_start) {
        if line.starts_with("ok ") {
            count.passed += 1;
        } else if is_not_ok(line) {
            count.failed += 1;
        }
    }
    count
}

/// Whether a line is a failed test of pgTAP. Those marked as TODO may fail.
pub fn is_not_ok(line: &str) -> bool {
    line.starts_with("not ok ") && !line.contains("# TODO")
}

/// Parses Vitest's `Tests  2 failed | 34 passed (36)` and Playwright's `  3 failed` and `  12 passed
/// (31.2s)`.
pub fn node(output: &str) -> Count {
    let mut count = Count::default();
    for line in output.lines().map(str::trim) {
        if line.starts_with("Test Files") {
            continue;
        }
        if line.starts_with("Tests ") || line.ends_with(" failed") || line.contains(" passed (") {
            count += Count { passed: before(line, " passed"), failed: before(line, " failed") };
        }
    }
    count
}

/// The number directly before a word, or 0.
fn before(line: &str, word: &str) -> u64 {
    let Some(at) = line.find(word) else { return 0 };
    let digits = line[..at].rsplit(|letter: char| !letter.is_ascii_digit()).next().unwrap_or_default();
    digits.parse().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_runners_summary_is_parsed() {
        let cargo =
            "test result: FAILED. 12 passed; 3 failed; 0 ignored\ntest result: ok. 5 passed; 0 failed;";
        assert_eq!(cargo_test(cargo), Count { passed: 17, failed: 3 });
        assert_eq!(tap("1..3\nok 1 - a\n  not ok 2 - b\nok 3 - c"), Count { passed: 2, failed: 1 });
        let vitest = " Test Files  1 failed | 9 passed (10)\n      Tests  2 failed | 34 passed (36)";
        assert_eq!(node(vitest), Count { passed: 34, failed: 2 });
        assert_eq!(
            node("  3 failed\n    [chromium] › a.spec.ts\n  12 passed (31.2s)"),
            Count { passed: 12, failed: 3 }
        );
    }

    #[test]
    fn a_runner_that_failed_before_counting_counts_as_a_failure() {
        assert_eq!(Count::default().or_failed(false), Count { passed: 0, failed: 1 });
    }
}
