//! Progress output: a spinner with the elapsed time on a terminal, plain lines elsewhere.

use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

/// Draws the long-running steps of a command below each other. Without a terminal, the bars are hidden.
#[derive(Clone, Default)]
pub struct Progress(MultiProgress);

/// A long-running step. If it is dropped without [`Step::done`], it disappears, because an error message
/// follows.
pub struct Step {
    what: String,
    bar: ProgressBar,
    since: Instant,
}

/// Shorter steps don't get a line of their own.
const MIN_REPORTED_TIME: Duration = Duration::from_millis(400);

impl Progress {
    pub fn new() -> Self {
        Self(MultiProgress::new())
    }

    /// Starts a step, such as "Installing the frontend's packages".
    pub fn step(&self, what: &str) -> Step {
        let bar = self.add(ProgressBar::new_spinner(), "  {spinner} {msg} {elapsed:.dim}", what);
        if !bar.is_hidden() {
            bar.enable_steady_tick(Duration::from_millis(120));
        }
        Step { what: what.to_owned(), bar, since: Instant::now() }
    }

    /// A progress bar with a known total, such as rows or pictures.
    pub fn bar(&self, what: &str, total: u64) -> ProgressBar {
        let template = "  {msg} {bar:30} {human_pos} of {human_len} ({per_sec}, {eta} left)";
        let bar = self.add(ProgressBar::new(total), template, what);
        if bar.is_hidden() {
            eprintln!("  {what}: {total}");
        }
        bar
    }

    fn add(&self, bar: ProgressBar, template: &str, what: &str) -> ProgressBar {
        let bar = self.0.add(bar);
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.with_message(what.to_owned())
    }
}

impl Step {
    /// Shows what the step is currently doing.
    pub fn now(&self, detail: &str) {
        let text = format!("{}: {detail}", self.what);
        if self.bar.is_hidden() {
            eprintln!("  {text}");
        }
        self.bar.set_message(text);
    }

    /// Prints a line when a long step starts, if there is no terminal for a spinner.
    pub fn announce(&self) {
        if self.bar.is_hidden() {
            eprintln!("  {} …", self.what);
        }
    }

    pub fn done(self) {
        let took = self.since.elapsed();
        self.bar.finish_and_clear();
        if took > MIN_REPORTED_TIME {
            eprintln!("  {} ({:.1} s)", self.what, took.as_secs_f64());
        }
    }
}

impl Drop for Step {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
