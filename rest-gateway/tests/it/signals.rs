//! Signals, and the end of the process.

use sqlx::{ConnectOptions, Executor};

use crate::program::Program;
use crate::support::database;

#[tokio::test]
async fn signals_reload_the_file_and_the_schema() {
    let database = database().await;
    let mut owner = database.owner().connect().await.unwrap();
    // With and without a listening connection.
    for listens in ["true", "false"] {
        let program = Program::with(&database).set("PGRST_DB_CHANNEL_ENABLED", listens);
        let path = program.file("a.conf", "db-max-rows = 2\napp.settings.own = \"before\"\n");
        let mut running = program.serve(&[&path]);
        let own = "/rpc/get_guc?name=app.settings.own";
        assert_eq!(running.get(own).body, "\"before\"");
        running.program.file("a.conf", "db-max-rows = 1\napp.settings.own = \"after\"\n");
        running.signal("USR2");
        running.wait_until("the new setting applies", |running| running.get(own).body == "\"after\"");
        assert_eq!(running.get("/items?select=id&order=id").body, "[{\"id\":1}]");

        running.program.file("a.conf", "db-max-rows = \"many\"\n");
        running.signal("USR2");
        running.wait_until("the invalid file is reported", |running| {
            running.log().contains("PGRST_DB_MAX_ROWS")
        });
        assert_eq!(running.get(own).body, "\"after\"");

        let late = format!("late_{listens}");
        let create = format!("create table api.{late} (id int); grant select on api.{late} to gateway_anon");
        owner.execute(sqlx::AssertSqlSafe(create)).await.unwrap();
        assert_eq!(running.get(&format!("/{late}")).status, 404);
        running.signal("USR1");
        running.wait_until("the table is known", |running| running.get(&format!("/{late}")).status == 200);
        running.signal("TERM");
        assert_eq!(running.wait_for_exit(), 0);
    }
}

/// Files that settings name are read again only with the configuration.
#[tokio::test]
async fn a_secret_file_is_reloaded_with_the_configuration() {
    let database = database().await;
    let program = Program::with(&database).set("PGRST_DB_CONFIG", "false");
    let secret = program.file("secret", &"invalid".repeat(5));
    let mut running = program.set("PGRST_JWT_SECRET", &format!("@{secret}")).serve(&[]);
    let headers = format!("Authorization: {}\r\n", crate::support::as_author());
    assert_eq!(running.send("/authors_only", &headers).status, 401);
    running.program.file("secret", crate::support::SECRET);
    let create = "create table api.late (id int); grant select on api.late to gateway_anon";
    database.owner().connect().await.unwrap().execute(create).await.unwrap();
    running.signal("USR1");
    running.wait_until("the table is known", |running| running.get("/late").status == 200);
    assert_eq!(running.send("/authors_only", &headers).status, 401);
    running.signal("USR2");
    running
        .wait_until("the secret is known", |running| running.send("/authors_only", &headers).status == 200);
}

#[tokio::test]
async fn without_recovery_a_lost_database_ends_the_process() {
    let database = database().await;
    let end = "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";
    let mut owner = database.owner().connect().await.unwrap();
    let mut running = Program::with(&database).serve(&[]);
    owner.execute(end).await.unwrap();
    running.wait_until("it has recovered", |running| running.get("/items?id=eq.1").status == 200);
    drop(running);
    let mut running = Program::with(&database).set("PGRST_DB_POOL_AUTOMATIC_RECOVERY", "false").serve(&[]);
    owner.execute(end).await.unwrap();
    assert_eq!(running.wait_for_exit(), 1);
    assert!(running.log().contains("Automatic recovery disabled, exiting."), "{}", running.log());
}
