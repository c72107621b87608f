//! Finds and runs `pg_dump`, which the embedded PostgreSQL does not include.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command as Blocking;

use anyhow::{Context, bail};
use platform::database::without_password;
use platform::env::Env;
use platform::secret::Secret;
use tokio::process::Command;

use crate::database::Database;

/// A setting: the path of the program.
const SETTING: &str = "PG_DUMP";
/// A setting: the folder of an installed PostgreSQL.
const POSTGRES_DIR: &str = "POSTGRES_DIR";
/// How long `pg_dump` waits for a lock on a table that is being altered.
const LOCK_TIMEOUT: &str = "--lock-wait-timeout=30s";

/// Folders with one folder per version, and the folder of the programs within that.
const INSTALLED: [(&str, &str); 4] = [
    ("/usr/lib/postgresql", "bin"),
    ("/usr", "bin"),
    ("/opt/homebrew/opt", "bin"),
    ("/usr/local/opt", "bin"),
];

/// Environment variables that would change the connection or the output.
const VARIABLES: [&str; 12] = [
    "PGDATABASE",
    "PGHOST",
    "PGHOSTADDR",
    "PGOPTIONS",
    "PGPASSFILE",
    "PGPASSWORD",
    "PGPORT",
    "PGSERVICE",
    "PGSERVICEFILE",
    "PGUSER",
    "PGCLIENTENCODING",
    "PGTZ",
];

pub struct Program {
    path: PathBuf,
    /// Such as `18.1`.
    pub version: String,
}

/// The connection string without the password, and the password.
pub struct Connection {
    url: String,
    password: Option<Secret>,
}

impl Connection {
    /// # Errors
    /// When `DATABASE_URL` is not a URL.
    pub fn of(database: &Database) -> anyhow::Result<Self> {
        let found = without_password(database.direct_url().expose());
        let (url, password) = found.context("DATABASE_URL is not a URL that begins with postgres://")?;
        Ok(Self { url, password })
    }
}

impl Program {
    /// Returns the program in `PG_DUMP`, or the first one found of the server's major version or later.
    ///
    /// # Errors
    /// When there is none. The message says how to fix it.
    pub fn find(env: &Env, folder: Option<&Path>, server: u32) -> anyhow::Result<Self> {
        let given = env.optional(SETTING).map(PathBuf::from);
        let candidates = given.clone().map_or_else(|| candidates(env, folder), |given| vec![given]);
        let mut older = None;
        for path in candidates {
            match version(&path) {
                Some((major, version)) if major >= server => return Ok(Self { path, version }),
                Some((_, version)) => drop(older.get_or_insert(format!("{} is {version}", path.display()))),
                None if given.is_some() => {
                    bail!("{SETTING}: {} is not a pg_dump that can be run", path.display())
                }
                None => (),
            }
        }
        let found = older.map(|older| format!(" ({older})")).unwrap_or_default();
        bail!(
            "the database has tables, functions or policies of your own, and there is no pg_dump of PostgreSQL {server} or later{found}: \
             install it (Debian: postgresql-client-{server}), or name it in {SETTING}, or leave them out with --without-own-tables"
        )
    }

    pub fn shown(&self) -> String {
        self.path.display().to_string()
    }

    /// The password is in an environment variable, because other users of the machine can see the arguments.
    pub fn command(&self, connection: &Connection, snapshot: &str) -> Command {
        let mut command = Command::new(&self.path);
        command.args(["--format=plain", "--encoding=UTF8", "--no-password", "--no-blobs", LOCK_TIMEOUT]);
        // The tables in `auth` and `storage` are dumped without rows, for the operator's policies and triggers on them.
        command.args(["--exclude-schema=app", "--exclude-schema=migration"]);
        command.args(["--exclude-table-data=auth.*", "--exclude-table-data=storage.*"]);
        command.arg(format!("--snapshot={snapshot}")).arg(format!("--dbname={}", connection.url));
        for variable in VARIABLES {
            command.env_remove(variable);
        }
        command.env("PGAPPNAME", "serasi backup").env("LC_ALL", "C");
        if let Some(password) = &connection.password {
            command.env("PGPASSWORD", password.expose());
        }
        command
    }
}

fn candidates(env: &Env, folder: Option<&Path>) -> Vec<PathBuf> {
    let given = folder.map(Path::to_path_buf);
    let installed = env.optional(POSTGRES_DIR).map(|folder| Path::new(folder).join("bin"));
    let mut found: Vec<PathBuf> =
        given.into_iter().chain(installed).map(|folder| folder.join("pg_dump")).collect();
    found.push("pg_dump".into());
    for (folder, programs) in INSTALLED {
        let versions =
            fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
        let mut versions: Vec<PathBuf> = versions
            .filter(|path| path.file_name().is_some_and(|name| is_version(&name.to_string_lossy())))
            .map(|path| path.join(programs).join("pg_dump"))
            .collect();
        versions.sort();
        found.extend(versions);
    }
    found
}

/// Debian names the folders by number alone.
fn is_version(name: &str) -> bool {
    let number =
        ["pgsql-", "postgresql@"].iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
    number.parse::<u32>().is_ok()
}

/// The major version and the full version. `None` if the program can't be run or is not `pg_dump`.
fn version(program: &Path) -> Option<(u32, String)> {
    let output = Blocking::new(program).arg("--version").output().ok()?;
    parse(&String::from_utf8_lossy(&output.stdout))
}

/// `pg_dump (PostgreSQL) 15.20 (Debian 15.20-0+deb12u1)`
fn parse(text: &str) -> Option<(u32, String)> {
    let version = text.strip_prefix("pg_dump (PostgreSQL) ")?.split_whitespace().next()?;
    let digits = version.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(version.len());
    Some((version[..digits].parse().ok()?, version.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        for (text, expected) in [
            ("pg_dump (PostgreSQL) 15.20 (Debian 15.20-0+deb12u1)\n", Some((15, "15.20"))),
            ("pg_dump (PostgreSQL) 19beta1\n", Some((19, "19beta1"))),
            ("pg_restore (PostgreSQL) 18.1", None),
            ("", None),
        ] {
            assert_eq!(parse(text), expected.map(|(major, version)| (major, version.to_owned())), "{text}");
        }
    }

    #[test]
    fn the_password_is_not_an_argument() {
        let program = Program { path: "pg_dump".into(), version: String::new() };
        let (url, password) = without_password("postgres://me:s3cret@db/serasi").unwrap();
        let command = program.command(&Connection { url, password }, "1");
        let said = format!("{:?}", command.as_std().get_args().collect::<Vec<_>>());
        assert!(said.contains("postgres://me@db/serasi") && !said.contains("s3cret"), "{said}");
    }

    #[test]
    fn folders_of_versions_are_recognized() {
        assert!(["18", "pgsql-18", "postgresql@18"].into_iter().all(is_version));
        assert!(!["common", "lib", "postgresql"].into_iter().any(is_version));
    }
}
