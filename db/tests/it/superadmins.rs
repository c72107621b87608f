use sqlx::{Connection, Executor, PgConnection, Postgres, Transaction};
use test_support::waiting::until_blocked;
use uuid::Uuid;

use crate::support::EmptyDatabase;

async fn superadmin(connection: &mut PgConnection, email: &str) -> Uuid {
    sqlx::query_scalar(
        r#"insert into auth.users (email, raw_app_meta_data) values ($1, '{"marketplace_role": "superadmin"}') returning id"#,
    )
    .bind(email)
    .fetch_one(connection)
    .await
    .expect("create a superadmin")
}

async fn with_service_key(connection: &mut PgConnection) -> Transaction<'_, Postgres> {
    let mut transaction = connection.begin().await.expect("begin");
    transaction.execute("set local role service_role").await.expect("set the role");
    transaction
}

async fn acting_as(connection: &mut PgConnection, person: Uuid) -> Transaction<'_, Postgres> {
    let mut transaction = connection.begin().await.expect("begin");
    sqlx::query(
        "select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)",
    )
    .bind(format!(r#"{{"sub": "{person}"}}"#))
    .execute(&mut *transaction)
    .await
    .expect("set the role");
    transaction
}

fn remove(person: Uuid) -> sqlx::query::Query<'static, Postgres, sqlx::postgres::PgArguments> {
    sqlx::query("delete from user_roles where user_id = $1").bind(person)
}

#[tokio::test]
async fn two_superadmins_cannot_remove_each_other_at_the_same_time() {
    let (database, mut owner) = EmptyDatabase::migrated().await;
    let (one, other) = (
        superadmin(&mut owner, "one@example.test").await,
        superadmin(&mut owner, "other@example.test").await,
    );
    let (mut first, mut second) = (database.connect().await, database.connect().await);

    let mut ahead = acting_as(&mut first, one).await;
    remove(other).execute(&mut *ahead).await.expect("the first removal");
    let mut behind = acting_as(&mut second, other).await;
    let late = async { remove(one).execute(&mut *behind).await };
    let commit = async {
        until_blocked(&mut owner).await;
        ahead.commit().await
    };
    let (refused, committed) = tokio::join!(late, commit);

    committed.expect("the first one is committed");
    let error = refused.expect_err("the second would leave nobody");
    assert!(error.to_string().contains("The last superadmin can't be removed"), "{error}");
    drop(behind);
    owner.execute("select 1").await.expect("the database works");
    let left: Vec<Uuid> =
        sqlx::query_scalar("select user_id from app.user_roles").fetch_all(&mut owner).await.expect("query");
    assert_eq!(left, [one]);
    drop(database);
}

/// One superadmin stays, whichever way the two are removed at the same time.
#[tokio::test]
async fn concurrent_removals_with_the_service_key_leave_one() {
    let (database, mut owner) = EmptyDatabase::migrated().await;
    let ways = [
        "delete from public.user_roles where user_id = $1",
        "delete from public.profiles where id = $1",
        "update public.user_roles set role = 'admin' where user_id = $1",
    ];
    for way in ways {
        owner.execute("delete from auth.users").await.expect("delete all accounts");
        let one = superadmin(&mut owner, "one@example.test").await;
        let other = superadmin(&mut owner, "other@example.test").await;
        let (mut first, mut second) = (database.connect().await, database.connect().await);

        let mut ahead = with_service_key(&mut first).await;
        sqlx::query(way).bind(one).execute(&mut *ahead).await.expect("the first removal");
        let mut behind = with_service_key(&mut second).await;
        let late = async { sqlx::query(way).bind(other).execute(&mut *behind).await };
        let commit = async {
            until_blocked(&mut owner).await;
            ahead.commit().await
        };
        let (refused, committed) = tokio::join!(late, commit);

        committed.expect("the first one is committed");
        let error = refused.expect_err("the second would leave nobody");
        assert!(error.to_string().contains("The last superadmin can't be removed"), "{way}: {error}");
        drop(behind);
        let left: Vec<Uuid> =
            sqlx::query_scalar("select user_id from app.user_roles where role = 'superadmin'")
                .fetch_all(&mut owner)
                .await
                .expect("query");
        assert_eq!(left, [other], "{way}");
    }
    drop(database);
}
