//! The commit that is built.

use crate::run;

pub struct Commit {
    /// Twelve digits, with `-dirty` for uncommitted changes; empty without a repository.
    pub name: String,
    /// The commit's time in seconds since 1970, which the archive's files get.
    pub seconds: u64,
}

/// Archives can't have earlier files, and 0 would look broken: 2000-01-01.
const WITHOUT_COMMIT: u64 = 946_684_800;

impl Commit {
    pub fn read() -> Self {
        let seconds = git(&["log", "-1", "--format=%ct"]).and_then(|text| text.parse().ok());
        let changes = git(&["status", "--porcelain", "--untracked-files=no"]).unwrap_or_default();
        let name = git(&["rev-parse", "--short=12", "HEAD"]).unwrap_or_default();
        let mark = if changes.is_empty() || name.is_empty() { "" } else { "-dirty" };
        Self { name: name + mark, seconds: seconds.unwrap_or(WITHOUT_COMMIT) }
    }
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = run::command("git").args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
