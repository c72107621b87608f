//! Builds Serasi's programs. Always builds the whole workspace: cargo selects the features of dependencies by
//! the packages that are built together, and would compile them again for every other selection.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, ensure};
use serde_json::Value;

use crate::{run, times};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Build {
    /// Built together with the tests, because they also determine features.
    Development,
    /// What `cargo run --release` builds: a compromise between speed and build time.
    Release,
    /// What the images contain: as fast as possible. Takes minutes longer to build.
    Dist,
}

/// The result of the development build.
#[derive(Default)]
pub struct Built {
    pub tests: Vec<TestProgram>,
    /// Number of warnings from Clippy and the compiler.
    pub warnings: usize,
}

pub struct TestProgram {
    /// `auth-service mail`, or `auth-service lib` for unit tests.
    pub name: String,
    pub path: PathBuf,
    /// The crate's folder, in which cargo would run the test.
    pub folder: PathBuf,
}

impl TestProgram {
    pub fn crate_name(&self) -> &str {
        self.name.split(' ').next().unwrap_or_default()
    }
}

/// All parts of a command share one build.
static DEVELOPMENT: Mutex<Option<Arc<Built>>> = Mutex::new(None);

impl Build {
    pub fn release_if(release: bool) -> Self {
        if release { Self::Release } else { Self::Development }
    }

    /// Builds all programs.
    ///
    /// # Errors
    /// When something does not compile.
    pub fn make(self) -> anyhow::Result<()> {
        match self {
            Self::Development => development().map(drop),
            Self::Release | Self::Dist => {
                let mut cargo = run::command("cargo");
                cargo.args(["build", "--workspace", "--bins", "--profile", self.folder()]);
                run::must(&mut cargo).map(drop)
            }
        }
    }

    pub fn path(self, program: &str) -> PathBuf {
        run::root().join("target").join(self.folder()).join(program)
    }

    /// The folder in `target`. The optimized profiles have the same names.
    fn folder(self) -> &'static str {
        match self {
            Self::Development => "debug",
            Self::Release => "release",
            Self::Dist => "dist",
        }
    }

    /// The command that runs a built program.
    pub fn command(self, program: &str) -> Command {
        run::command(&self.path(program).display().to_string())
    }
}

/// Builds all programs and tests. Clippy checks them in the same pass, because a second one would compile
/// every dependency again.
///
/// # Errors
/// When something does not compile.
pub fn development() -> anyhow::Result<Arc<Built>> {
    let mut built = DEVELOPMENT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(built) = &*built {
        return Ok(built.clone());
    }
    let made = Arc::new(times::measure("build", compile)?);
    *built = Some(made.clone());
    Ok(made)
}

fn compile() -> anyhow::Result<Built> {
    let mut cargo = run::command("cargo");
    cargo.args(["build", "--workspace", "--all-targets", "--message-format=json"]);
    cargo.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver");
    let mut child = cargo.stdout(Stdio::piped()).spawn().context("cargo can't be started")?;
    let mut built = Built::default();
    for line in BufReader::new(child.stdout.take().context("a piped output")?).lines() {
        let message: Value = serde_json::from_str(&line?)?;
        match message["reason"].as_str() {
            Some("compiler-message") => {
                let level = message["message"]["level"].as_str().unwrap_or_default();
                // cargo repeats "3 warnings emitted" as a warning without code.
                if level == "error" || !message["message"]["code"].is_null() {
                    run::print(message["message"]["rendered"].as_str().unwrap_or_default().trim_end());
                    built.warnings += 1;
                }
            }
            Some("compiler-artifact") => built.tests.extend(test_program(&message)),
            _ => {}
        }
    }
    ensure!(child.wait()?.success(), "Serasi does not compile");
    built.tests.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(built)
}

/// `None` for libraries and for programs that are not tests.
fn test_program(artifact: &Value) -> Option<TestProgram> {
    let path = artifact["executable"].as_str().filter(|_| artifact["profile"]["test"] == true)?;
    let folder = Path::new(artifact["manifest_path"].as_str()?).parent()?;
    let crate_name = folder.file_name()?.to_str()?;
    let kind = artifact["target"]["kind"][0].as_str()?;
    let target = if kind == "test" { artifact["target"]["name"].as_str()? } else { kind };
    Some(TestProgram { name: format!("{crate_name} {target}"), path: path.into(), folder: folder.to_owned() })
}
