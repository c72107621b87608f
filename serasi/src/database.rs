//! The database a command works on: the one in `DATABASE_URL`, the one of a running Serasi, or the embedded
//! one, which is started for the duration of the command.

pub mod statements;
pub mod temporary_login;
mod urls;

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, ensure};
use db::Contents;
use platform::database::{LISTEN_URL, Server as Hosts, pinned, url};
use platform::env::Env;
use platform::progress::Progress;
use platform::secret::Secret;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor, PgConnection};

use crate::availability::DiskFull;
use crate::data_dir::{self, DataDir};
use crate::postgres::cluster::Cluster;
use crate::postgres::package::Package;
use crate::postgres::server::Server;
use crate::postgres::supervisor::supervise;
use crate::reachable::until_reachable;

pub use statements::{ensure_superuser, is_superuser};

/// Name of the database in the embedded cluster.
const NAME: &str = "serasi";

/// For hosts that drop packets instead of refusing the connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// How long a command waits for a database that is still starting, or too busy to answer.
const PATIENCE: Duration = Duration::from_mins(1);

/// The services' login roles. The migrations create them without a password.
pub const LOGINS: [&str; 4] = ["authenticator", "auth_admin", "storage_admin", "functions_admin"];
/// The login of developers, who own what they create.
pub const DEVELOPER: &str = "developer";

pub struct Database {
    /// Of a superuser or the database's owner. May name a pooler.
    url: Secret,
    /// Without a pooler, because commands hold session-level locks. The embedded server's is over its socket, which is faster.
    direct: Secret,
    /// The settings for encryption.
    env: Env,
    /// The embedded server, if this process has started it.
    server: Option<Box<Server>>,
}

/// A database, and the data directory if its server was started for this.
type Opened = (Database, Option<DataDir>);

/// Tables and views from which visitors or users can read rows that no policy admits, at most 20, with the problem.
///
/// # Errors
/// When the query fails.
pub async fn unprotected(connection: &mut PgConnection) -> sqlx::Result<Vec<String>> {
    let found = sqlx::query_scalar(
        "select pg_catalog.format('visitors or users can read rows that no policy admits: %s is %s',
           (pg_catalog.pg_identify_object('pg_catalog.pg_class'::pg_catalog.regclass, relation, 0)).identity, problem)
         from auth.unprotected_relations() where readable order by 1 limit 20",
    );
    found.fetch_all(connection).await
}

/// What the operator can do if an external server is unreachable or rejects the connection.
fn refusal(error: &anyhow::Error) -> &'static str {
    let code = error.downcast_ref::<sqlx::Error>().and_then(|error| error.as_database_error()?.code());
    match code.as_deref() {
        Some("28P01" | "28000") => {
            "the server in DATABASE_URL rejects this user or password: correct them there or in DATABASE_PASSWORD"
        }
        Some("3D000") => {
            "the database in DATABASE_URL does not exist: create it (`createdb`), or correct its name"
        }
        _ => "the database that DATABASE_URL names can't be used",
    }
}

impl Database {
    /// For commands other than `up`: uses a running server or starts one. Waits for a server that is still starting.
    ///
    /// # Errors
    /// When the server can't be started or reached.
    pub async fn open(data_dir: &Path, env: &Env, progress: &Progress) -> anyhow::Result<Opened> {
        let (database, held) = Self::find(data_dir, env, progress).await?;
        let reached = until_reachable(async || Ok(database.connect().await?.close().await?), || {});
        tokio::time::timeout(PATIENCE, reached).await.with_context(|| {
            format!("the database could not be reached for {} seconds", PATIENCE.as_secs())
        })??;
        Ok((database, held))
    }

    /// Like [`Database::open`], but without waiting.
    ///
    /// # Errors
    /// When the server can't be started.
    pub async fn find(data_dir: &Path, env: &Env, progress: &Progress) -> anyhow::Result<Opened> {
        if env.optional("DATABASE_URL").is_some() {
            return Ok((Self::remote(env)?, None));
        }
        if let Some(running) = data_dir::running(data_dir) {
            let url = Secret::new(running.db_url);
            return Ok((Self { direct: url.clone(), url, env: env.clone(), server: None }, None));
        }
        let data_dir = DataDir::lock(data_dir)?;
        let database = Self::start(&data_dir, env, progress).await?;
        Ok((database, Some(data_dir)))
    }

    /// For `up`, which holds the lock on the data directory.
    ///
    /// # Errors
    /// See [`Database::open`].
    pub async fn start(data_dir: &DataDir, env: &Env, progress: &Progress) -> anyhow::Result<Self> {
        if env.optional("DATABASE_URL").is_some() {
            return Self::remote(env);
        }
        let package = Package::find(progress).await?;
        let step = progress.step("Starting PostgreSQL");
        let database = Self::create_in(Cluster::choose(&package, data_dir)?, data_dir).await?;
        step.done();
        Ok(database)
    }

    /// Creates the cluster if necessary, and starts its server.
    ///
    /// # Errors
    /// When the server does not start.
    pub async fn create_in(cluster: Cluster, data_dir: &DataDir) -> anyhow::Result<Self> {
        cluster.create(&data_dir.secret("postgres-password")?)?;
        Self::start_in(cluster, data_dir).await
    }

    /// Starts the server of an existing cluster, and creates the database if there is none yet.
    ///
    /// # Errors
    /// When the server does not start, or rejects the connection.
    pub async fn start_in(cluster: Cluster, data_dir: &DataDir) -> anyhow::Result<Self> {
        let server = Server::start(cluster, data_dir).await?;
        let mut connection = pinned(&server.socket_url("postgres").expose().parse()?).await?;
        let exists: bool = sqlx::query_scalar("select exists (select from pg_database where datname = $1)")
            .bind(NAME)
            .fetch_one(&mut connection)
            .await?;
        if !exists {
            connection.execute(AssertSqlSafe(format!("create database {NAME}"))).await?;
        }
        connection.close().await?;
        let (url, direct) = (server.url(NAME), server.socket_url(NAME));
        Ok(Self { url, direct, env: Env::default(), server: Some(Box::new(server)) })
    }

    fn remote(env: &Env) -> anyhow::Result<Self> {
        let password = "DATABASE_PASSWORD";
        let address = url(env, "DATABASE_URL", password)?;
        let direct = match env.optional(LISTEN_URL) {
            Some(_) => url(env, LISTEN_URL, password)?,
            None => address.clone(),
        };
        Ok(Self { url: address, direct, env: env.clone(), server: None })
    }

    /// Another handle to the same database, which does not keep the server running.
    pub fn handle(&self) -> Self {
        Self { url: self.url.clone(), direct: self.direct.clone(), env: self.env.clone(), server: None }
    }

    pub fn is_embedded(&self) -> bool {
        self.server.is_some()
    }

    /// The server's major version.
    ///
    /// # Errors
    /// See [`Database::connect`].
    pub async fn major_version(&self) -> anyhow::Result<u32> {
        let mut connection = self.connect().await?;
        let number = "select pg_catalog.current_setting('server_version_num')::pg_catalog.int4 / 10000";
        let major: i32 = sqlx::query_scalar(number).fetch_one(&mut connection).await?;
        connection.close().await?;
        Ok(u32::try_from(major)?)
    }

    /// # Errors
    /// When the server is unreachable or rejects the connection. The message contains no password.
    pub async fn connect(&self) -> anyhow::Result<PgConnection> {
        self.connect_url(&self.direct).await
    }

    /// Connects to a URL of the same server.
    ///
    /// # Errors
    /// See [`Database::connect`].
    pub async fn connect_url(&self, url: &Secret) -> anyhow::Result<PgConnection> {
        let connect = async {
            let hosts = Hosts::parse("DATABASE_URL", url.expose(), &self.env)?;
            // Migrations and bulk loads are slow by nature, so don't log them as slow statements.
            anyhow::Ok(hosts.map(ConnectOptions::disable_statement_logging).connect(CONNECT_TIMEOUT).await?)
        };
        connect.await.map_err(|error| {
            let explained =
                if self.is_embedded() { "the embedded database can't be used" } else { refusal(&error) };
            error.context(explained)
        })
    }

    /// Migrates the schema to this version. A new database gets the marketplace.
    ///
    /// # Errors
    /// When a migration fails; it is rolled back.
    pub async fn migrate(&self, progress: &Progress) -> anyhow::Result<Contents> {
        self.migrate_to(None, progress).await
    }

    /// Like [`Database::migrate`]. `wanted`: what the database must have. Returns what it has.
    ///
    /// # Errors
    /// See [`Database::migrate`].
    pub async fn migrate_to(
        &self,
        wanted: Option<Contents>,
        progress: &Progress,
    ) -> anyhow::Result<Contents> {
        let mut connection = self.connect().await?;
        let step = progress.step("Migrating the database");
        let contents = match wanted {
            Some(wanted) => wanted,
            None => db::contents(&mut connection).await?.unwrap_or_default(),
        };
        db::migrate_with(contents, &mut connection, |what| step.now(what))
            .await
            .context("the database can't be migrated")?;
        // PostgreSQL ends the statements of a service that has given up on them and closed its connection. The services can't set
        // this themselves: behind a pooler, it would apply to other clients, too.
        statements::set_for_logins(&mut connection, "client_connection_check_interval", "2s").await?;
        connection.close().await?;
        step.done();
        Ok(contents)
    }

    /// Like [`Database::migrate`], for a command of the marketplace.
    ///
    /// # Errors
    /// When the database has no marketplace, or a migration fails.
    pub async fn migrate_marketplace(&self, command: &str, progress: &Progress) -> anyhow::Result<()> {
        let contents = self.migrate(progress).await?;
        ensure!(
            contents == Contents::Marketplace,
            "`{command}` needs the marketplace, and the database has the backend alone (`serasi up --bare`)"
        );
        Ok(())
    }

    /// Sets the passwords of these logins, all or none.
    ///
    /// # Errors
    /// When a statement fails.
    pub async fn set_login_passwords(
        &self,
        logins: &[&str],
        password: impl Fn(&str) -> Secret,
    ) -> anyhow::Result<()> {
        let mut connection = self.connect().await?;
        let mut transaction = connection.begin().await?;
        db::lock_roles(&mut transaction).await?;
        for &login in logins {
            let password = password(login);
            let set = "alter role %I login password %L";
            statements::execute_format(&mut transaction, set, &[login, password.expose()]).await?;
        }
        transaction.commit().await?;
        Ok(connection.close().await?)
    }

    /// Keeps errors that clients cause out of the embedded server's log. The clients see these errors in
    /// their responses; the log is for problems of the server itself. The log of an external server is up to
    /// its operator.
    ///
    /// # Errors
    /// When a statement fails.
    pub async fn log_no_client_errors(&self) -> anyhow::Result<()> {
        if !self.is_embedded() {
            return Ok(());
        }
        let mut connection = self.connect().await?;
        statements::set_for_logins(&mut connection, "log_min_messages", "fatal").await?;
        Ok(connection.close().await?)
    }

    /// Returns the reason when the embedded server can't be kept running. A remote server is not
    /// supervised.
    pub async fn supervise(&mut self, disk_full: &DiskFull) -> anyhow::Error {
        match &mut self.server {
            None => std::future::pending().await,
            Some(server) => supervise(server, disk_full).await,
        }
    }
}
