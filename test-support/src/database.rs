//! A fresh, migrated database for each test. A template is migrated once per version of the SQL and cloned on
//! disk for every test. `TEST_DATABASE_URL` must name a superuser of PostgreSQL 15 or later.

use std::collections::BTreeSet;
use std::io::Read;
use std::str::FromStr;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{Connection, Executor, PgConnection, PgPool};

use platform::database::{Database, Limits, Pool};

/// The advisory lock that serializes use of the template.
const TEMPLATE_LOCK: i64 = 0x005e_7a51;

pub struct TestDatabase {
    pub name: String,
    server: PgConnectOptions,
}

impl TestDatabase {
    /// A clone of the migrated template.
    pub async fn new() -> Self {
        let server = server_options();
        let mut connection = connect(&server).await;
        let template = template(&mut connection, &server).await;
        let name = format!("test_{}", uuid::Uuid::new_v4().simple());
        // Cloning fails while another session is connected to the template, so use is serialized.
        lock(&mut connection).await;
        let cloned = connection
            .execute(sqlx::AssertSqlSafe(format!(
                "create database {name} template {template} strategy file_copy"
            )))
            .await;
        unlock(&mut connection).await;
        cloned.expect("clone the template");
        Self { name, server }
    }

    /// An empty database, for a service that does not need our schema (the gateway).
    pub async fn empty() -> Self {
        let server = server_options();
        let mut connection = connect(&server).await;
        let name = format!("test_{}", uuid::Uuid::new_v4().simple());
        connection
            .execute(sqlx::AssertSqlSafe(format!("create database {name}")))
            .await
            .expect("create a database");
        Self { name, server }
    }

    /// A database of an earlier version: a compressed dump of `db/tests/upgrades`.
    ///
    /// # Panics
    /// Panics when the dump can't be restored.
    pub async fn restored(dump: &[u8]) -> Self {
        let mut sql = String::new();
        flate2::read::GzDecoder::new(dump).read_to_string(&mut sql).expect("decompress the dump");
        let server = server_options();
        // Creates the roles that the dump names.
        template(&mut connect(&server).await, &server).await;
        let database = Self::empty().await;
        let mut connection = connect(&database.owner()).await;
        sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&mut connection).await.expect("restore the dump");
        database
    }

    /// The superuser's options, to prepare and inspect rows.
    pub fn owner(&self) -> PgConnectOptions {
        self.server.clone().database(&self.name)
    }

    /// A pool with the superuser's role.
    pub async fn owner_pool(&self) -> PgPool {
        PgPoolOptions::new()
            .max_connections(3)
            .connect_with(self.owner())
            .await
            .expect("connect as superuser")
    }

    /// A pool with one of the login roles (`auth_admin`, `storage_admin`, `authenticator`).
    pub async fn pool_as(&self, login: &str) -> PgPool {
        let password = ensure_password(&self.server, login).await;
        let options = self.owner().username(login).password(&password);
        PgPoolOptions::new().max_connections(5).connect_with(options).await.expect("connect as a login role")
    }

    /// A service's pool with one of the login roles.
    pub async fn service_pool(&self, login: &str) -> Pool {
        let password = ensure_password(&self.server, login).await;
        let options = self.owner().username(login).password(&password);
        Database::new(options, Limits::default()).pool(5)
    }

    /// A connection URL for drivers other than sqlx, with one of the login roles.
    pub async fn url_as(&self, login: &str) -> String {
        let password = ensure_password(&self.server, login).await;
        let (host, port) = (self.server.get_host(), self.server.get_port());
        format!("postgres://{login}:{password}@{host}:{port}/{}", self.name)
    }

    /// The server's address, for a proxy in front of it.
    ///
    /// # Panics
    /// Panics when the host of `TEST_DATABASE_URL` has no address.
    pub async fn address(&self) -> std::net::SocketAddr {
        let server = (self.server.get_host(), self.server.get_port());
        let mut addresses = tokio::net::lookup_host(server).await.expect("look up the server's address");
        addresses.next().expect("the server has an address")
    }

    /// Like [`Self::url_as`], through a proxy at `address`.
    pub async fn url_through(&self, login: &str, address: std::net::SocketAddr) -> String {
        let password = ensure_password(&self.server, login).await;
        format!("postgres://{login}:{password}@{address}/{}", self.name)
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        let (server, name) = (self.server.clone(), self.name.clone());
        // Not awaited: a connection of the test that is still being opened keeps PostgreSQL from dropping any
        // database, and this thread may be the one that has to complete it. The last databases of a test
        // program are not dropped.
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(async {
                let drop = async {
                    let mut connection = PgConnection::connect_with(&server).await.ok()?;
                    let statement = format!("drop database if exists {name} with (force)");
                    connection.execute(sqlx::AssertSqlSafe(statement)).await.ok()
                };
                let _ = tokio::time::timeout(Duration::from_secs(20), drop).await;
            });
            std::io::Result::Ok(())
        });
    }
}

#[expect(clippy::disallowed_methods, reason = "test settings have no struct to live in")]
fn server_options() -> PgConnectOptions {
    let url = std::env::var("TEST_DATABASE_URL").expect(
        "TEST_DATABASE_URL is not set: run `cargo xtask test`, or name a superuser of a PostgreSQL 15 or later",
    );
    PgConnectOptions::from_str(&url).expect("TEST_DATABASE_URL is not a connection URL")
}

async fn connect(options: &PgConnectOptions) -> PgConnection {
    PgConnection::connect_with(options).await.expect("connect to TEST_DATABASE_URL")
}

async fn lock(connection: &mut PgConnection) {
    sqlx::query("select pg_advisory_lock($1)")
        .bind(TEMPLATE_LOCK)
        .execute(connection)
        .await
        .expect("take the lock");
}

async fn unlock(connection: &mut PgConnection) {
    sqlx::query("select pg_advisory_unlock($1)")
        .bind(TEMPLATE_LOCK)
        .execute(connection)
        .await
        .expect("free the lock");
}

async fn template(connection: &mut PgConnection, server: &PgConnectOptions) -> String {
    let name = format!("serasi_template_{}", &db::version()[..16]);
    lock(connection).await;
    let ready: Option<bool> = sqlx::query_scalar("select datistemplate from pg_database where datname = $1")
        .bind(&name)
        .fetch_optional(&mut *connection)
        .await
        .expect("look for the template");
    if ready != Some(true) {
        if ready.is_some() {
            // Left incomplete by a test run that was killed.
            connection
                .execute(sqlx::AssertSqlSafe(format!("drop database {name} with (force)")))
                .await
                .expect("drop");
        }
        connection
            .execute(sqlx::AssertSqlSafe(format!("create database {name}")))
            .await
            .expect("create the template");
        let mut inside = connect(&server.clone().database(&name)).await;
        db::migrate(&mut inside, |_| ()).await.expect("migrate the template");
        inside.close().await.expect("leave the template");
        connection
            .execute(sqlx::AssertSqlSafe(format!("alter database {name} is_template true")))
            .await
            .expect("mark the template");
    }
    unlock(connection).await;
    name
}

/// Login roles belong to the whole cluster and may have any password. Every test process sets the same fixed
/// one, so that concurrent tests agree.
async fn ensure_password(server: &PgConnectOptions, login: &str) -> String {
    static SET: tokio::sync::Mutex<BTreeSet<String>> = tokio::sync::Mutex::const_new(BTreeSet::new());
    let password = format!("test-{login}");
    let mut set = SET.lock().await;
    if !set.contains(login) {
        let mut connection = connect(server).await;
        lock(&mut connection).await;
        let statement = format!("alter role \"{login}\" password '{password}'");
        connection.execute(sqlx::AssertSqlSafe(statement)).await.expect("set the password");
        unlock(&mut connection).await;
        set.insert(login.to_owned());
    }
    password
}
