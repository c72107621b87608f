//! Notifications under concurrency, with real transactions in parallel.

use sqlx::{Connection, Executor, PgConnection};
use test_support::waiting::until_blocked;
use uuid::Uuid;

use crate::support::EmptyDatabase;

async fn account(owner: &mut PgConnection, name: &str) -> Uuid {
    sqlx::query_scalar(
        r#"insert into auth.users (email, raw_user_meta_data) values ($1 || '@example.test', '{"user_type": "agency"}') returning id"#,
    )
    .bind(name)
    .fetch_one(owner)
    .await
    .expect("create an account")
}

async fn count(owner: &mut PgConnection, table: &str) -> i64 {
    let count = format!("select count(*) from {table}");
    sqlx::query_scalar(sqlx::AssertSqlSafe(count)).fetch_one(owner).await.expect("count")
}

/// Runs the statement on several connections at the same time. All must succeed.
async fn at_once(database: &EmptyDatabase, statements: Vec<String>) {
    let mut tasks = tokio::task::JoinSet::new();
    for statement in statements {
        let mut connection = database.connect().await;
        tasks.spawn(async move { connection.execute(sqlx::AssertSqlSafe(statement)).await.map(|_| ()) });
    }
    while let Some(ended) = tasks.join_next().await {
        ended.expect("the task ends").expect("the statement succeeds");
    }
}

fn notify(recipient: Uuid, subject: Uuid, name: &str) -> String {
    format!(r#"select app.notify('{recipient}', 'gig_closed', '{subject}', '{{"name": "{name}"}}')"#)
}

#[tokio::test]
async fn simultaneous_notifications_about_one_subject_become_one() {
    let (database, mut owner) = EmptyDatabase::migrated().await;
    let (recipient, subject) = (account(&mut owner, "aina").await, Uuid::from_u128(1));

    at_once(&database, vec![notify(recipient, subject, "A"); 8]).await;
    assert_eq!(
        (count(&mut owner, "app.notices").await, count(&mut owner, "serasi.mail_outbox").await),
        (1, 1)
    );

    let names = ["B", "C", "D", "E", "F", "G", "H", "I"];
    at_once(&database, Vec::from(names.map(|name| notify(recipient, subject, name)))).await;
    assert_eq!(
        (count(&mut owner, "app.notices").await, count(&mut owner, "serasi.mail_outbox").await),
        (1, 1)
    );
    let told: (String, String) = sqlx::query_as(
        "select notices.data ->> 'name', mail_outbox.data ->> 'name' from app.notices, serasi.mail_outbox",
    )
    .fetch_one(&mut owner)
    .await
    .expect("read both");
    assert!(told.0 == told.1 && told.0 != "A", "the mail says what the notification says: {told:?}");
}

#[tokio::test]
async fn a_mail_that_is_being_settled_is_not_replaced_as_if_it_were_unsent() {
    let (database, mut owner) = EmptyDatabase::migrated().await;
    let (recipient, subject) = (account(&mut owner, "aina").await, Uuid::from_u128(1));
    owner.execute(sqlx::AssertSqlSafe(notify(recipient, subject, "A"))).await.expect("notify");

    let mut worker = database.connect().await;
    let mut settling = worker.begin().await.expect("begin");
    settling.execute("update serasi.mail_outbox set sent_at = now(), data = '{}'").await.expect("settle");
    let mut other = database.connect().await;
    let again = notify(recipient, subject, "B");
    let notifying = tokio::spawn(async move { other.execute(sqlx::AssertSqlSafe(again)).await.map(|_| ()) });
    until_blocked(&mut owner).await;
    settling.commit().await.expect("commit");
    notifying.await.expect("the task ends").expect("notify");

    let sent: Vec<bool> = sqlx::query_scalar("select sent_at is not null from serasi.mail_outbox order by 1")
        .fetch_all(&mut owner)
        .await
        .expect("read the outbox");
    assert_eq!(sent, [false, true]);
}

#[tokio::test]
async fn an_account_that_is_deleted_meanwhile_gets_no_notification() {
    let (database, mut owner) = EmptyDatabase::migrated().await;
    let (recipient, subject) = (account(&mut owner, "aina").await, Uuid::from_u128(1));

    let mut deleting = database.connect().await;
    let mut deletion = deleting.begin().await.expect("begin");
    deletion.execute("delete from auth.users where email = 'aina@example.test'").await.expect("delete");
    let mut other = database.connect().await;
    let told = notify(recipient, subject, "A");
    let notifying = tokio::spawn(async move { other.execute(sqlx::AssertSqlSafe(told)).await.map(|_| ()) });
    until_blocked(&mut owner).await;
    deletion.commit().await.expect("commit");

    notifying.await.expect("the task ends").expect("no error for the caller");
    assert_eq!(
        (count(&mut owner, "app.notices").await, count(&mut owner, "serasi.mail_outbox").await),
        (0, 0)
    );
}

#[tokio::test]
async fn replicas_that_tick_concurrently_send_one_digest() {
    let (database, mut owner) = EmptyDatabase::migrated().await;
    let mut people = Vec::new();
    for name in ["aina", "mei", "ravi"] {
        people.push(account(&mut owner, name).await);
    }
    owner
        .execute(
            "insert into app.notices (user_id, kind, data, in_digest, created_at)
             select id, 'gig_closed', '{}', true, now() - n * interval '1 day' from app.profiles, generate_series(1, 3) as n",
        )
        .await
        .expect("notifications for the digest");

    // Bypasses the lock of app.tick(), as if a replica had lost it.
    at_once(&database, vec!["select app.tick_notifications()".to_owned(); 4]).await;
    at_once(&database, vec!["select app.tick()".to_owned(); 4]).await;

    let digests: Vec<(String, i64)> =
        sqlx::query_as("select recipient, count(*) from serasi.mail_outbox group by 1 order by 1")
            .fetch_all(&mut owner)
            .await
            .expect("read the outbox");
    let expected = ["aina", "mei", "ravi"].map(|name| (format!("{name}@example.test"), 1));
    assert_eq!(digests, expected);
}
