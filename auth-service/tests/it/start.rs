//! The program, when its database is not there yet or never will be.

use platform::testing::database::TestDatabase;
use platform::testing::faulty_proxy::FaultyProxy;
use platform::testing::person::TEST_SECRET;
use platform::testing::program::Program;

fn program(database_url: &str) -> Program {
    let environment =
        [("DATABASE_URL", database_url), ("JWT_SECRET", TEST_SECRET), ("SITE_URL", "https://serasi.test")];
    Program::start(env!("CARGO_BIN_EXE_auth-service"), &environment, tempfile::tempfile().unwrap())
}

#[tokio::test]
async fn it_waits_for_its_database_and_says_so_once() {
    let database = TestDatabase::new().await;
    let proxy = FaultyProxy::start(database.address().await).await;
    proxy.refuse().await;
    let mut program = program(&database.url_through("auth_admin", proxy.address()).await);

    program.answers("/live", 200).await;
    program.answers("/ready", 503).await;
    proxy.forward().await;
    program.answers("/ready", 200).await;

    let log = program.log();
    assert_eq!(log.matches("waiting for the database").count(), 1, "{log}");
}

#[tokio::test]
async fn a_database_that_does_not_exist_ends_it_with_one_clear_line() {
    let database = TestDatabase::new().await;
    let url = database.url_as("auth_admin").await;
    let mut program = program(&url.replace(&database.name, "no_such_database"));

    assert!(!program.ended().await.success());

    let log = program.log();
    let last = log.lines().last().unwrap_or_default();
    assert!(last.contains("DATABASE_URL") && last.contains("no_such_database"), "{log}");
    assert!(!log.contains("test-auth_admin"), "{log}");
}
