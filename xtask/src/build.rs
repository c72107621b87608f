//! Serasi's own programs. Everything that runs one builds the whole workspace: cargo chooses the features of
//! dependencies by what is built together, and compiles them again for every other selection.

use std::path::PathBuf;
use std::process::Command;

use crate::run;

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Build {
    /// With the tests, which choose features too.
    Development,
    /// For measurements.
    Release,
}

impl Build {
    pub fn release_if(release: bool) -> Self {
        if release { Self::Release } else { Self::Development }
    }

    /// Builds all programs.
    ///
    /// # Errors
    /// When something does not compile.
    pub fn make(self) -> anyhow::Result<()> {
        let targets: &[&str] = match self {
            Self::Development => &["--all-targets"],
            Self::Release => &["--bins", "--release"],
        };
        run::must(run::command("cargo").args(["build", "--workspace"]).args(targets))?;
        Ok(())
    }

    pub fn path(self, program: &str) -> PathBuf {
        let folder = match self {
            Self::Development => "target/debug",
            Self::Release => "target/release",
        };
        run::root().join(folder).join(program)
    }

    /// A program that was built.
    pub fn command(self, program: &str) -> Command {
        run::command(&self.path(program).display().to_string())
    }
}
