//! A database with the operator's tables, on PostgreSQL 15, whose `pg_dump` the tests require anyway.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use db::Contents;
use sqlx::{AssertSqlSafe, ConnectOptions, Executor, PgConnection};
use tempfile::TempDir;
use test_support::cluster::Cluster;

use crate::backup::succeeded;
use crate::support::serasi;

pub struct OwnSite {
    cluster: Cluster,
    storage: TempDir,
}

impl OwnSite {
    pub async fn new() -> Self {
        Self::with(Contents::Marketplace).await
    }

    /// Without the marketplace.
    pub async fn bare() -> Self {
        Self::with(Contents::Backend).await
    }

    async fn with(contents: Contents) -> Self {
        let site = Self { cluster: Cluster::start(""), storage: tempfile::tempdir().unwrap() };
        site.create("serasi").await;
        db::migrate_with(contents, &mut site.connect().await, |_| ()).await.unwrap();
        site
    }

    /// An empty database on the same server.
    pub async fn create(&self, name: &str) {
        let create = format!("create database {name}");
        self.cluster.connect().await.execute(AssertSqlSafe(create)).await.unwrap();
    }

    /// The folder with the image storage of each database.
    pub fn folder(&self) -> &Path {
        self.storage.path()
    }

    pub fn serasi(&self, arguments: &[&str]) -> Command {
        self.serasi_in("serasi", arguments)
    }

    /// Runs `serasi` with one database of this server and its separate image storage.
    pub fn serasi_in(&self, database: &str, arguments: &[&str]) -> Command {
        let mut command = serasi();
        command.args(arguments).env("STORAGE_DIR", self.storage.path().join(database));
        let port = self.cluster.port();
        command.env("DATABASE_URL", format!("postgres://postgres:s3cret@127.0.0.1:{port}/{database}"));
        command
    }

    pub fn back_up(&self, place: &Path) {
        succeeded(&self.serasi(&["backup", "--to"]).arg(place).output().unwrap());
    }

    pub fn restore_into(&self, database: &str, place: &Path) -> Output {
        self.serasi_in(database, &["restore"]).arg(place).output().unwrap()
    }

    pub async fn connect(&self) -> PgConnection {
        self.connect_to("serasi").await
    }

    pub async fn connect_to(&self, database: &str) -> PgConnection {
        self.cluster.options().database(database).connect().await.unwrap()
    }

    /// Runs what a role without rights may, statement by statement, with psql.
    pub async fn run_as_nobody(&self, statements: &str) {
        self.run("create role nobody login bypassrls; grant usage, create on schema public to nobody; grant usage on schema auth, storage to nobody; grant trigger on auth.users, storage.objects to nobody").await;
        let url = format!("postgres://nobody@127.0.0.1:{}/serasi", self.cluster.port());
        let mut psql = Command::new("psql");
        psql.args(["-Xq", "-f", "-", "-d"]).arg(url).stdin(Stdio::piped()).stderr(Stdio::null());
        let mut psql = psql.spawn().unwrap();
        psql.stdin.take().unwrap().write_all(statements.as_bytes()).unwrap();
        psql.wait().unwrap();
    }

    pub async fn run(&self, statements: &'static str) {
        sqlx::raw_sql(statements).execute(&mut self.connect().await).await.unwrap();
    }
}

/// Everything that a restore could leave behind.
pub async fn traces(connection: &mut PgConnection) -> (i64, i64, i64, bool) {
    sqlx::query_as(
        "select (select count(*) from pg_namespace where nspname not like 'pg_toast%' and nspname not like 'pg_temp%'),
           (select count(*) from pg_class where relnamespace = 'public'::regnamespace)
             + (select count(*) from pg_proc where pronamespace = 'public'::regnamespace),
           (select count(*) from pg_event_trigger) + (select count(*) from pg_extension) + (select count(*) from pg_default_acl),
           exists (select from pg_roles where rolname = 'import_owner' and rolcanlogin)",
    )
    .fetch_one(connection)
    .await
    .unwrap()
}
