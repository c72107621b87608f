//! A database in which the dump runs, as a login without rights. PostgreSQL parses it, so that no code of ours has to.

use std::convert::Infallible;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, ensure};
use platform::secret::Secret;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use super::dump::{self, Extensions};
use super::platform::is_platform_extension;
use crate::database::Database;
use crate::database::statements::execute_format;
use crate::database::temporary_login::TemporaryLogin;
use crate::failures::Failure;
use crate::programs::Programs;
use crate::script;

/// The database may have this many times the size of the dump, and `SPARE` bytes.
const GROWTH: u64 = 10;
const SPARE: u64 = 1 << 30;
const SIZE_INTERVAL: Duration = Duration::from_secs(1);

/// The timeout is for the case that the launcher is killed. A dump can lift it, so the launcher watches as well. As in a restore with
/// psql, the dump may switch off triggers while it loads rows.
const LIMITS: &str = "
alter role LOGIN bypassrls;
alter role LOGIN set temp_file_limit = '10GB';
alter role LOGIN set search_path = public;
alter role LOGIN set statement_timeout = '1h';
grant set on parameter session_replication_role to LOGIN";

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
    pub async fn create(database: &Database, extensions: &Extensions) -> anyhow::Result<(Self, Vec<String>)> {
        let mut admin = database.connect().await?;
        let name = "select 'serasi_scratch_' || oid from pg_database where datname = current_database()";
        let name: String = sqlx::query_scalar(name).fetch_one(&mut admin).await?;
        drop_database(&mut admin, &name).await?;
        let mut login = TemporaryLogin::create(database, None).await?;
        login.run(LIMITS).await?;
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
    async fn prepare(&self, superuser: &Secret, extensions: &Extensions) -> anyhow::Result<Vec<String>> {
        let mut connection = self.database.connect_url(superuser).await?;
        let mut missing = Vec::new();
        for (name, schema) in extensions {
            if is_platform_extension(name) || name == "plpgsql" {
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

    /// Runs a dump. Returns the statements that failed.
    ///
    /// # Errors
    /// When psql can't be run or the dump can't be read, or when the database becomes too large.
    pub async fn load(
        &mut self,
        programs: &Programs,
        path: &Path,
        bytes: u64,
    ) -> anyhow::Result<Vec<Failure>> {
        let limit = bytes.saturating_mul(GROWTH).saturating_add(SPARE);
        let dump = dump::open(path)?;
        tokio::select! {
            loaded = script::run(programs, &self.url, dump) => loaded.with_context(|| path.display().to_string()),
            grown = outgrows(&mut self.admin, &self.name, limit) => match grown? {},
            overrun = self.login.overruns() => match overrun? {},
        }
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
