//! A database with the fixtures. The unit tests that need a database use this file, too.

use sqlx::{ConnectOptions, Executor, PgConnection};
use test_support::database::TestDatabase;

/// Roles are shared by the whole cluster; everything else is created for each test.
const FIXTURES: [&str; 5] = [
    include_str!("../fixtures/1-schema.sql"),
    include_str!("../fixtures/2-functions.sql"),
    include_str!("../fixtures/3-data.sql"),
    include_str!("../fixtures/4-roles.sql"),
    include_str!("../fixtures/5-unexposed.sql"),
];

pub async fn database() -> TestDatabase {
    let database = TestDatabase::empty().await;
    load_fixtures(&mut database.owner().connect().await.expect("connect as superuser")).await;
    database
}

pub async fn load_fixtures(owner: &mut PgConnection) {
    for fixture in FIXTURES {
        owner.execute(fixture).await.expect("load the fixtures");
    }
}

/// The login role's connection string.
pub fn uri(database: &TestDatabase) -> String {
    let options = database.owner();
    format!(
        "host={} port={} dbname={} user='gateway \"test\" login' password=test-login",
        options.get_host(),
        options.get_port(),
        database.name
    )
}
