//! Starting the program when the database is not up yet or does not exist.

use test_support::database::TestDatabase;
use test_support::faulty_proxy::FaultyProxy;
use test_support::person::TEST_SECRET;
use test_support::program::Program;

fn program(database_url: &str) -> Program {
    let folder = tempfile::tempdir().unwrap().keep();
    let environment = [
        ("DATABASE_URL", database_url),
        ("JWT_SECRET", TEST_SECRET),
        ("STORAGE_DIR", folder.to_str().unwrap()),
    ];
    Program::start(env!("CARGO_BIN_EXE_storage-service"), &environment, tempfile::tempfile().unwrap())
}

#[tokio::test]
async fn the_program_waits_for_its_database_and_logs_it_once() {
    let database = TestDatabase::new().await;
    let proxy = FaultyProxy::start(database.address().await).await;
    proxy.refuse().await;
    let mut program = program(&database.url_through("storage_admin", proxy.address()).await);

    program.answers("/live", 200).await;
    program.answers("/ready", 503).await;
    proxy.forward().await;
    program.answers("/ready", 200).await;

    let log = program.log();
    assert_eq!(log.matches("waiting for the database").count(), 1, "{log}");
}

#[tokio::test]
async fn a_missing_database_ends_the_program_with_one_clear_line() {
    let database = TestDatabase::new().await;
    let url = database.url_as("storage_admin").await;
    let mut program = program(&url.replace(&database.name, "no_such_database"));

    assert!(!program.ended().await.success());

    let log = program.log();
    let last = log.lines().last().unwrap_or_default();
    assert!(last.contains("DATABASE_URL") && last.contains("no_such_database"), "{log}");
    assert!(!log.contains("test-storage_admin"), "{log}");
}
