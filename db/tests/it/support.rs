//! An empty database for one test, dropped at its end. (`test-support` provides a migrated one.)

use std::str::FromStr;

use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

pub struct EmptyDatabase {
    name: String,
    server: PgConnectOptions,
}

impl EmptyDatabase {
    pub async fn new() -> Self {
        let server = server();
        let name = format!("test_db_{}", uuid::Uuid::new_v4().simple());
        let mut connection = PgConnection::connect_with(&server).await.expect("connect to TEST_DATABASE_URL");
        connection
            .execute(AssertSqlSafe(format!("create database {name}")))
            .await
            .expect("create a database");
        Self { name, server }
    }

    pub async fn migrated() -> (Self, PgConnection) {
        let database = Self::new().await;
        let mut connection = database.connect().await;
        db::migrate(&mut connection, |_| ()).await.expect("migrate");
        (database, connection)
    }

    pub async fn connect(&self) -> PgConnection {
        PgConnection::connect_with(&self.server.clone().database(&self.name)).await.expect("connect")
    }

    pub async fn drop(self) {
        let mut connection = PgConnection::connect_with(&self.server).await.expect("connect");
        let statement = format!("drop database {} with (force)", self.name);
        connection.execute(AssertSqlSafe(statement)).await.expect("drop the database");
    }
}

#[expect(clippy::disallowed_methods, reason = "test settings have no struct to live in")]
fn server() -> PgConnectOptions {
    let url =
        std::env::var("TEST_DATABASE_URL").expect("TEST_DATABASE_URL is not set: run `cargo xtask test`");
    PgConnectOptions::from_str(&url).expect("TEST_DATABASE_URL is not a connection URL")
}
