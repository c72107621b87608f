//! Which test files call which functions, and how long each file takes. A test that calls a function is the
//! most likely to notice that the function has changed. Functions that the planner inlines are not counted,
//! so the other files have to run as well before a mutant counts as a survivor.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use anyhow::{Context, ensure};
use tokio::io::AsyncWriteExt;

use super::psql::{FILE, start_psql};

const CALLED: &str = "#called:";
const CLOCK: &str = "#clock:";

/// Prints the seconds on the clock, and how often each function has been called so far.
pub(super) const PROBE: &str = "
    savepoint probe;
    set local search_path = '';
    reset role;
    select '#clock:' || extract(epoch from clock_timestamp());
    select '#called:' || calls || ' ' || funcid::regprocedure from pg_stat_xact_user_functions
    where schemaname in (select nspname from pg_namespace where nspowner = 'serasi_owner'::regrole);
    rollback to savepoint probe;
";

#[derive(Default, Debug, PartialEq)]
pub(super) struct Reach {
    /// The files that call a function, such as `app.has_role(text)`.
    callers: HashMap<String, HashSet<String>>,
    durations: HashMap<String, Duration>,
}

impl Reach {
    /// Runs a script that contains [`PROBE`] before and after each test file.
    ///
    /// # Errors
    /// When psql can't be started, or a test file fails.
    pub(super) async fn measure(database: &str, script: &str) -> anyhow::Result<Self> {
        let mut psql = start_psql(database)?;
        let mut input = psql.stdin.take().context("a piped input")?;
        let script = format!("set track_functions = 'all';\n{script}");
        let writing = tokio::spawn(async move {
            let _ = input.write_all(script.as_bytes()).await;
        });
        let output = psql.wait_with_output().await?;
        writing.await?;
        ensure!(output.status.success(), "psql: {}", String::from_utf8_lossy(&output.stderr));
        Ok(Self::read(&String::from_utf8_lossy(&output.stdout)))
    }

    /// The counts are totals since the beginning: a file called the functions whose total has grown.
    fn read(output: &str) -> Self {
        let mut reach = Self::default();
        let mut totals: HashMap<&str, &str> = HashMap::new();
        let (mut file, mut before) = ("", 0.0);
        for line in output.lines() {
            if let Some(name) = line.strip_prefix(FILE) {
                file = name;
            } else if let Some(clock) = line.strip_prefix(CLOCK) {
                let clock = clock.parse().unwrap_or(before);
                reach
                    .durations
                    .insert(file.to_owned(), Duration::from_secs_f64(f64::max(clock - before, 0.0)));
                before = clock;
            } else if let Some((total, function)) =
                line.strip_prefix(CALLED).and_then(|call| call.split_once(' '))
                && totals.insert(function, total) != Some(total)
            {
                reach.callers.entry(function.to_owned()).or_default().insert(file.to_owned());
            }
        }
        reach
    }

    /// Files that call the function first, the fastest first.
    pub(super) fn rank(&self, function: &str, file: &str) -> (bool, Duration) {
        let calls = self.callers.get(function).is_some_and(|files| files.contains(file));
        (!calls, if calls { self.durations.get(file).copied().unwrap_or_default() } else { Duration::ZERO })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callers_run_first_and_the_fastest_of_them_before_the_others() {
        let reach = Reach::read(
            "#clock:10\n#called:7 app.setup()\n#file:slow.sql\nok 1\n#clock:15.5\n#called:7 app.setup()\n#called:1 app.f()\n\
             #file:fast.sql\n#clock:16\n#called:2 app.f()\n#called:9 app.g(text)\n#called:7 app.setup()\n\
             #file:neither.sql\n#clock:16.1\n#called:2 app.f()\n#called:9 app.g(text)\n#called:7 app.setup()\n",
        );
        let in_order = |function: &str| {
            let mut files = ["neither.sql", "slow.sql", "fast.sql"];
            files.sort_by_key(|file| reach.rank(function, file));
            files
        };
        assert_eq!(in_order("app.f()"), ["fast.sql", "slow.sql", "neither.sql"]);
        assert_eq!(in_order("app.g(text)"), ["fast.sql", "neither.sql", "slow.sql"]);
        assert_eq!(in_order("app.setup()"), ["neither.sql", "slow.sql", "fast.sql"]);
        assert_eq!(reach.durations["slow.sql"], Duration::from_millis(5500));
    }
}
