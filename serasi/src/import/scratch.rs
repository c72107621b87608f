//! A database in which the dump runs, as a login without rights. PostgreSQL parses it, so that no code of ours has to.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::io::Read;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use platform::random;
use platform::secret::Secret;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::dump;
use super::failures::{self, Failure};
use crate::database::Database;
use crate::database::statements::execute_format;
use crate::database::temporary_login::TemporaryLogin;
use crate::programs::Programs;

/// The database may have this many times the size of the dump, and `SPARE` bytes.
const GROWTH: u64 = 10;
const SPARE: u64 = 1 << 30;
const SIZE_INTERVAL: Duration = Duration::from_secs(1);

/// The longest text of errors that is kept.
const MOST_BYTES: u64 = 16 << 20;

pub struct Scratch {
    name: String,
    /// The login's URL of the scratch database.
    pub url: Secret,
    login: TemporaryLogin,
    admin: PgConnection,
    database: Database,
}

impl Scratch {
    /// Creates the database, and the extensions of the dump that only a superuser can create. Returns the names of extensions that
    /// don't exist here. The caller holds the lock on imports into this database.
    ///
    /// # Errors
    /// When the database can't be created.
    pub async fn create(
        database: &Database,
        extensions: &BTreeSet<(String, String)>,
    ) -> anyhow::Result<(Self, Vec<String>)> {
        let mut admin = database.connect().await?;
        let name = "select 'serasi_scratch_' || oid from pg_database where datname = current_database()";
        let name: String = sqlx::query_scalar(name).fetch_one(&mut admin).await?;
        drop_database(&mut admin, &name).await?;
        let mut login = TemporaryLogin::create(database, None).await?;
        login.set("temp_file_limit", "'10GB'").await?;
        login.set("search_path", "public").await?;
        // If the launcher is killed. A dump can lift it, so the launcher watches as well.
        login.set("statement_timeout", "'1h'").await?;
        login.bypass_row_security().await?;
        // As in a restore with psql, the dump may switch off triggers while it loads rows.
        login.grant("set on parameter session_replication_role").await?;
        let create = format!("create database {name} template template0 owner {}", login.name());
        admin.execute(AssertSqlSafe(create)).await.context("a database for the dump can't be created")?;
        let superuser = database.url_of(&name)?;
        let url = login.url_of(&superuser)?;
        let scratch = Self { name, url, login, admin, database: database.handle() };
        match scratch.prepare(&superuser, extensions).await {
            Ok(missing) => Ok((scratch, missing)),
            Err(error) => {
                scratch.end().await?;
                Err(error)
            }
        }
    }

    /// A superuser's session, before the dump runs.
    async fn prepare(
        &self,
        superuser: &Secret,
        extensions: &BTreeSet<(String, String)>,
    ) -> anyhow::Result<Vec<String>> {
        let mut connection = self.database.connect_url(superuser).await?;
        let mut missing = Vec::new();
        for (name, schema) in extensions {
            if super::platform::EXTENSIONS.contains(&name.as_str()) || name == "plpgsql" {
                continue;
            }
            match crate::extensions::is_trusted(&mut connection, name).await? {
                Some(false) => (),
                // The dump creates it, as its owner.
                Some(true) => continue,
                None => {
                    missing.push(name.clone());
                    continue;
                }
            }
            let create = "create schema if not exists %1$I authorization %3$I; create extension if not exists %2$I schema %1$I";
            execute_format(&mut connection, create, &[schema, name, self.login.name()]).await?;
        }
        connection.close().await?;
        Ok(missing)
    }

    /// Runs a dump with psql, whose own commands are switched off. Returns the statements that failed.
    ///
    /// # Errors
    /// When psql can't be run or the dump can't be read, or when the database becomes too large.
    pub async fn load(
        &mut self,
        programs: &Programs,
        path: &Path,
        bytes: u64,
    ) -> anyhow::Result<Vec<Failure>> {
        let mut command = programs.command("psql", &self.url)?;
        command.args(["--no-psqlrc", "--quiet", "--no-password", "--file=-", "--set=ON_ERROR_STOP=0"]);
        command.args(["--set=VERBOSITY=verbose", "--set=ECHO=errors"]);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().context("psql can't be started")?;
        let to = child.stdin.take().context("psql's input")?;
        let from = child.stderr.take().context("psql's messages")?;
        let dump = dump::open(path)?;
        let limit = bytes.saturating_mul(GROWTH).saturating_add(SPARE);
        let (sent, said) = tokio::select! {
            both = async { tokio::join!(send(dump, to), read(from)) } => both,
            grown = outgrows(&mut self.admin, &self.name, limit) => match grown? {},
            overrun = self.login.overruns() => match overrun? {},
        };
        sent.with_context(|| format!("{} can't be read", path.display()))?;
        let said = said?;
        let status = child.wait().await?;
        if !matches!(status.code(), Some(0 | 3)) {
            let last = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
            bail!("psql ended with {status}: {last}");
        }
        Ok(failures::parse(&said))
    }

    /// Connects as the login without rights.
    ///
    /// # Errors
    /// When the server rejects the connection.
    pub async fn connect(&self) -> anyhow::Result<PgConnection> {
        let mut connection = self.database.connect_url(&self.url).await?;
        connection.execute("set row_security = off; set statement_timeout = 0").await?;
        Ok(connection)
    }

    /// Moves an extension, as a superuser: its functions belong to one. No code of the dump runs, which can't create event triggers.
    ///
    /// # Errors
    /// When it can't be moved.
    pub async fn move_extension(&self, name: &str, schema: &str) -> anyhow::Result<()> {
        let mut superuser = self.database.connect_url(&self.database.url_of(&self.name)?).await?;
        let move_it =
            "create schema if not exists %1$I authorization %2$I; alter extension %3$I set schema %1$I";
        execute_format(&mut superuser, move_it, &[schema, self.login.name(), name]).await?;
        Ok(superuser.close().await?)
    }

    /// Drops the database and the login.
    ///
    /// # Errors
    /// When they can't be dropped.
    pub async fn end(mut self) -> anyhow::Result<()> {
        drop_database(&mut self.admin, &self.name).await?;
        self.login.end().await?;
        Ok(self.admin.close().await?)
    }
}

/// Returns an error when the database is larger than the dump can be.
async fn outgrows(admin: &mut PgConnection, name: &str, limit: u64) -> anyhow::Result<Infallible> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    loop {
        tokio::time::sleep(SIZE_INTERVAL).await;
        let size = sqlx::query_scalar::<_, i64>("select pg_database_size($1::text::name)").bind(name);
        ensure!(size.fetch_one(&mut *admin).await? <= limit, "the dump fills more than ten times its size");
    }
}

async fn drop_database(admin: &mut PgConnection, name: &str) -> sqlx::Result<()> {
    admin.execute(AssertSqlSafe(format!("drop database if exists {name} with (force)"))).await.map(drop)
}

/// A program that ended early is reported by its messages.
async fn send(mut dump: impl Read, mut to: tokio::process::ChildStdin) -> std::io::Result<()> {
    let mut chunk = vec![0; 1 << 16];
    let first = format!("\\restrict {}\n", random::token(20));
    let mut sent = to.write_all(first.as_bytes()).await;
    while sent.is_ok() {
        match dump.read(&mut chunk)? {
            0 => break,
            length => sent = to.write_all(&chunk[..length]).await,
        }
    }
    Ok(())
}

/// Reads the beginning, and drops the rest: with a full pipe, psql would block.
async fn read(mut from: impl tokio::io::AsyncRead + Unpin) -> std::io::Result<String> {
    let mut said = Vec::new();
    (&mut from).take(MOST_BYTES).read_to_end(&mut said).await?;
    tokio::io::copy(&mut from, &mut tokio::io::sink()).await?;
    Ok(String::from_utf8_lossy(&said).into_owned())
}
