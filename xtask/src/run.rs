//! Runs other programs, showing and capturing their output.

use std::cell::Cell;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};

use crate::{failures, scratch, times};

thread_local! {
    static LABEL: Cell<&'static str> = const { Cell::new("") };
}

/// Sets a prefix for this thread's output, so that the output of parts that run side by side can be
/// distinguished.
pub fn label(label: &'static str) {
    LABEL.set(label);
}

pub fn print(text: &str) {
    let label = LABEL.get();
    for line in text.lines() {
        failures::observe(label, line);
        if label.is_empty() { println!("{line}") } else { println!("{label:<9}| {line}") }
    }
}

/// The workspace root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).to_path_buf()
}

pub fn command(program: &str) -> Command {
    let mut command = Command::new(program);
    // Color codes would break the parsing of test results.
    command.current_dir(root()).env("NO_COLOR", "1").env("CARGO_TERM_COLOR", "never").stdin(Stdio::null());
    // `cargo run` sets these for xtask. Build scripts that depend on them (ring's) would run again in every cargo
    // that xtask starts, and everything that uses ring would be compiled again.
    for (name, _) in std::env::vars_os() {
        let name_text = name.to_string_lossy();
        if name_text.starts_with("CARGO_PKG_") || name_text.starts_with("CARGO_MANIFEST_") {
            command.env_remove(&name);
        }
    }
    if let Some(folder) = scratch::folder() {
        command.env("TMPDIR", folder);
    }
    command
}

/// Runs a command, passes its standard output through, and returns that output with whether the command
/// succeeded.
///
/// # Errors
/// When the program is missing.
pub fn captured_output(command: &mut Command) -> anyhow::Result<(String, bool)> {
    let name = command.get_program().to_string_lossy().into_owned();
    let mut child = match command.stdout(Stdio::piped()).spawn() {
        Ok(child) => child,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            bail!("`{name}` is not on the PATH: install it")
        }
        Err(error) => return Err(error).context(format!("`{name}` can't be started")),
    };
    let mut output = String::new();
    let stdout = child.stdout.take().context("a piped output")?;
    for line in BufReader::new(stdout).lines() {
        let line = line?;
        print(&line);
        times::observe(&line);
        output.push_str(&line);
        output.push('\n');
    }
    Ok((output, child.wait()?.success()))
}

/// A regular expression for texts that contain one of these.
pub fn any_of(names: &[String]) -> String {
    let escape = |letter: char| {
        let is_plain = letter.is_alphanumeric() || " _-,:/'\"".contains(letter);
        if is_plain { letter.to_string() } else { format!("\\{letter}") }
    };
    let escaped = names.iter().map(|name| name.chars().map(escape).collect::<String>());
    escaped.collect::<Vec<_>>().join("|")
}

/// Runs a future to its end.
///
/// # Errors
/// When it fails.
pub fn block_on<T>(future: impl Future<Output = anyhow::Result<T>>) -> anyhow::Result<T> {
    tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(future)
}

/// Ends a program with a signal, and waits for it.
pub fn stop(child: &mut Child, signal: &str) {
    // The `kill` program avoids unsafe code in this crate.
    let _ = Command::new("kill").args([signal, &child.id().to_string()]).status();
    let until = Instant::now() + Duration::from_secs(20);
    while Instant::now() < until {
        if matches!(child.try_wait(), Ok(Some(_))) {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// The program and its arguments. The environment, which Debug would print too, can hold secrets.
fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// Runs a command that must succeed.
///
/// # Errors
/// When it fails.
pub fn must(command: &mut Command) -> anyhow::Result<String> {
    let shown = shown(command);
    let (output, success) = captured_output(command)?;
    ensure!(success, "failed: {shown}");
    Ok(output)
}
