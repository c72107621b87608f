//! Measures how long each part of `cargo xtask test` takes. Prints a table at the end and stores it in
//! target/test-times.txt.

use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

const SLOWEST: usize = 10;

/// Names with seconds.
type Entries = Mutex<Vec<(String, f64)>>;

static STEPS: Entries = Mutex::new(Vec::new());
static TESTS: Entries = Mutex::new(Vec::new());

/// Runs a step, such as the build or a part of the tests, and records how long it took.
pub fn measure<T>(step: &str, work: impl FnOnce() -> T) -> T {
    let began = Instant::now();
    let result = work();
    record(&STEPS, step, began.elapsed().as_secs_f64());
    result
}

/// Records a test's duration from a line of its runner's output.
pub fn observe(line: &str) {
    if let Some((name, seconds)) = duration(line) {
        record(&TESTS, name, seconds);
    }
}

fn record(entries: &Entries, name: &str, seconds: f64) {
    entries.lock().unwrap_or_else(PoisonError::into_inner).push((name.to_owned(), seconds));
}

/// Records a test that this program measured.
pub fn record_test(name: &str, duration: Duration) {
    record(&TESTS, name, duration.as_secs_f64());
}

/// Prints the table and writes it to the file.
///
/// # Errors
/// When the file can't be written.
pub fn report(total: Instant, file: &Path) -> anyhow::Result<()> {
    let mut lines = Vec::new();
    for (step, seconds) in STEPS.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        lines.push(format!("{seconds:>7.1} s  {step}"));
    }
    lines.push(format!("{:>7.1} s  in all (parts run side by side)", total.elapsed().as_secs_f64()));
    lines.push("the slowest tests:".to_owned());
    let mut tests = TESTS.lock().unwrap_or_else(PoisonError::into_inner).clone();
    tests.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    lines.extend(tests.iter().take(SLOWEST).map(|(name, seconds)| format!("{seconds:>7.1} s  {name}")));
    let table = lines.join("\n");
    println!("\n{table}");
    std::fs::write(file, table + "\n")?;
    Ok(())
}

/// Parses `test flood::a ... ok <1.234s>` (libtest), `✓  3 e2e/a.spec.ts:1:1 › title (1.2s)` (Playwright) and
/// `✓ clients/a.test.ts > title 1234ms` (Vitest).
fn duration(line: &str) -> Option<(&str, f64)> {
    let line = line.trim();
    let (rest, last) = line.rsplit_once(' ')?;
    let seconds = seconds(last.trim_matches(['<', '>', '(', ')']))?;
    let name = match line.split_once(' ')? {
        ("test", rest_of_line) if rest_of_line.starts_with("result:") => return None,
        ("test", _) => rest.strip_prefix("test ")?.split(" ... ").next()?,
        ("✓" | "✔" | "ok", rest_of_line) => {
            rest_of_line.strip_suffix(last)?.trim().trim_start_matches(|letter: char| letter.is_ascii_digit())
        }
        _ => return None,
    };
    Some((name.trim(), seconds))
}

fn seconds(text: &str) -> Option<f64> {
    let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let factor = match &text[digits.len()..] {
        "ms" => 0.001,
        "s" => 1.0,
        "m" => 60.0,
        _ => return None,
    };
    Some(digits.parse::<f64>().ok()? * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_of_every_runner_are_parsed() {
        for (line, expected) in [
            ("test flood::a ... ok <1.250s>", Some(("flood::a", 1.25))),
            ("  ✓   3 e2e/a.spec.ts:1:1 › a title (1.5m)", Some(("e2e/a.spec.ts:1:1 › a title", 90.0))),
            (" ✓ clients/a.test.ts > a title 1500ms", Some(("clients/a.test.ts > a title", 1.5))),
            ("test flood::a ... ok", None),
            ("test result: ok. 3 passed; 0 failed; finished in 1.20s", None),
            ("running 3 tests", None),
        ] {
            assert_eq!(duration(line), expected, "{line}");
        }
    }
}
