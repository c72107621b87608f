//! A database for one test.

use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, PgConnection};
use test_support::database::TestDatabase;

pub struct EmptyDatabase(TestDatabase);

impl EmptyDatabase {
    pub async fn new() -> Self {
        Self(TestDatabase::empty().await)
    }

    /// A clone of a migrated database.
    pub async fn migrated() -> (Self, PgConnection) {
        let database = Self(TestDatabase::new().await);
        let connection = database.connect().await;
        (database, connection)
    }

    pub async fn restored(dump: &[u8]) -> Self {
        Self(TestDatabase::restored(dump).await)
    }

    /// Of a superuser.
    pub fn options(&self) -> PgConnectOptions {
        self.0.owner()
    }

    /// As a superuser.
    pub async fn connect(&self) -> PgConnection {
        PgConnection::connect_with(&self.options()).await.expect("connect")
    }
}
