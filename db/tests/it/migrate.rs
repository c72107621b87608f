use std::time::{Duration, Instant};

use sqlx::{Connection, Executor};

use crate::support::EmptyDatabase;

#[tokio::test]
async fn a_second_run_does_nothing_and_is_fast() {
    let (database, mut connection) = EmptyDatabase::migrated().await;
    let mut steps = Vec::new();

    let start = Instant::now();
    db::migrate(&mut connection, |step| steps.push(step.to_owned())).await.expect("migrate again");

    assert!(steps.is_empty(), "did {steps:?}");
    assert!(start.elapsed() < Duration::from_millis(500), "took {:?}", start.elapsed());
    drop(database);
}

#[tokio::test]
async fn concurrent_migrations_both_succeed() {
    let database = EmptyDatabase::new().await;
    let (mut one, mut other) = (database.connect().await, database.connect().await);

    let (first, second) = tokio::join!(db::migrate(&mut one, |_| ()), db::migrate(&mut other, |_| ()));

    first.expect("the first migration");
    second.expect("the second migration");
    drop(database);
}

#[tokio::test]
async fn another_database_may_change_the_same_roles_concurrently() {
    let (other, mut elsewhere) = EmptyDatabase::migrated().await;
    let database = EmptyDatabase::new().await;
    let mut connection = database.connect().await;
    let mut change = elsewhere.begin().await.expect("begin");
    change.execute("alter role authenticator set jit = off").await.expect("change a role");

    let migrate = async { db::migrate(&mut connection, |_| ()).await };
    let commit = async {
        // Long enough for a migration to wait for this change.
        tokio::time::sleep(Duration::from_millis(500)).await;
        change.commit().await
    };
    let (migrated, committed) = tokio::join!(migrate, commit);

    committed.expect("the change is committed");
    migrated.expect("a migration during the change");
    drop(other);
    drop(database);
}

#[tokio::test]
async fn a_changed_rule_is_reapplied() {
    let (database, mut connection) = EmptyDatabase::migrated().await;
    connection.execute("drop policy \"admins delete\" on app.influencers").await.expect("drop a policy");
    connection.execute("grant select on app.gigs to anon").await.expect("grant");
    connection
        .execute(
            "update migration.version set hash = 'of an older version';
             update migration.reapplied set hash = 'of an older text'
             where file in ('marketplace/access/gigs.sql', 'marketplace/access/influencers.sql')",
        )
        .await
        .expect("change the hash");

    db::migrate(&mut connection, |_| ()).await.expect("migrate again");

    let (policy, open): (bool, bool) = sqlx::query_as(
        "select exists (select from pg_policies where policyname = 'admins delete' and tablename = 'influencers'),
                has_table_privilege('anon', 'app.gigs', 'select')",
    )
    .fetch_one(&mut connection)
    .await
    .expect("query");
    assert!(policy, "the policy is back");
    assert!(!open, "a privilege that no file grants is revoked");
    drop(database);
}

#[tokio::test]
async fn an_edited_migration_is_refused() {
    let (database, mut connection) = EmptyDatabase::migrated().await;
    connection
        .execute("update migration.applied set checksum = '\\x00' where version = 64")
        .await
        .expect("edit");
    connection
        .execute("update migration.version set hash = 'of an older text'")
        .await
        .expect("change the hash");

    let error = db::migrate(&mut connection, |_| ()).await.expect_err("an edited migration");

    assert!(error.to_string().contains("migration 64"), "{error}");
    drop(database);
}

#[tokio::test]
async fn a_new_database_has_no_accounts() {
    let (database, mut connection) = EmptyDatabase::migrated().await;
    assert!(db::is_empty(&mut connection).await.expect("query"));

    connection
        .execute("insert into auth.users (email) values ('somebody@example.test')")
        .await
        .expect("sign up");

    assert!(!db::is_empty(&mut connection).await.expect("query"));
    drop(database);
}
