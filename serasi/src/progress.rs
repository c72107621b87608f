//! Says what is going on: a spinner with the running time on a terminal, plain lines elsewhere.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

/// All the long steps of one command, drawn under each other.
#[derive(Clone)]
pub struct Progress {
    bars: MultiProgress,
    terminal: bool,
}

/// One long step. Dropped without [`Step::done`], it disappears: the error will speak.
pub struct Step {
    what: String,
    bar: Option<ProgressBar>,
    since: Instant,
    terminal: bool,
}

/// A step that takes no longer than this is not worth a line.
const WORTH_TELLING: Duration = Duration::from_millis(400);

impl Progress {
    pub fn new() -> Self {
        Self { bars: MultiProgress::new(), terminal: std::io::stderr().is_terminal() }
    }

    /// Begins a step: "Installing the frontend's packages".
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
        Step { what: what.to_owned(), bar, since: Instant::now(), terminal: self.terminal }
    }

    /// A bar with a known end: rows to write, pictures to store.
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
    /// What the step is doing now.
    pub fn now(&self, detail: &str) {
        match &self.bar {
            Some(bar) => bar.set_message(format!("{}: {detail}", self.what)),
            None => eprintln!("  {}: {detail}", self.what),
        }
    }

    /// A line for a step that takes a while and runs where nothing is animated.
    pub fn announce(&self) {
        if !self.terminal {
            eprintln!("  {} …", self.what);
        }
    }

    pub fn done(mut self) {
        let took = self.since.elapsed();
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        if took > WORTH_TELLING {
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
