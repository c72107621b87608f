//! Progress output: a spinner with the elapsed time on a terminal, plain lines elsewhere.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

/// Draws the long-running steps of a command below each other.
#[derive(Clone)]
pub struct Progress {
    bars: MultiProgress,
    terminal: bool,
}

/// A long-running step. If it is dropped without [`Step::done`], it disappears, because an error message
/// follows.
pub struct Step {
    what: String,
    bar: Option<ProgressBar>,
    since: Instant,
}

/// Shorter steps don't get a line of their own.
const MIN_REPORTED_TIME: Duration = Duration::from_millis(400);

impl Progress {
    pub fn new() -> Self {
        Self { bars: MultiProgress::new(), terminal: std::io::stderr().is_terminal() }
    }

    /// Starts a step, such as "Installing the frontend's packages".
    pub fn step(&self, what: &str) -> Step {
        let bar = self.terminal.then(|| {
            let bar = self.bars.add(ProgressBar::new_spinner());
            if let Ok(style) = ProgressStyle::with_template("  {spinner} {msg} {elapsed:.dim}") {
                bar.set_style(style);
            }
            bar.set_message(what.to_owned());
            bar.enable_steady_tick(Duration::from_millis(120));
            bar
        });
        Step { what: what.to_owned(), bar, since: Instant::now() }
    }

    /// A progress bar with a known total, such as rows or pictures.
    pub fn bar(&self, what: &str, total: u64) -> ProgressBar {
        let bar = if self.terminal { self.bars.add(ProgressBar::new(total)) } else { ProgressBar::hidden() };
        let template = "  {msg} {bar:30} {human_pos} of {human_len} ({per_sec}, {eta} left)";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(what.to_owned());
        if !self.terminal {
            eprintln!("  {what}: {total}");
        }
        bar
    }
}

impl Step {
    /// Shows what the step is currently doing.
    pub fn now(&self, detail: &str) {
        match &self.bar {
            Some(bar) => bar.set_message(format!("{}: {detail}", self.what)),
            None => eprintln!("  {}: {detail}", self.what),
        }
    }

    /// Prints a line when a long step starts, if there is no terminal for a spinner.
    pub fn announce(&self) {
        if self.bar.is_none() {
            eprintln!("  {} …", self.what);
        }
    }

    pub fn done(mut self) {
        let took = self.since.elapsed();
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        if took > MIN_REPORTED_TIME {
            eprintln!("  {} ({:.1} s)", self.what, took.as_secs_f64());
        }
    }
}

impl Drop for Step {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}
