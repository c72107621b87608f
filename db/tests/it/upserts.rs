use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, Postgres, Transaction};
use test_support::waiting::until_blocked;
use uuid::Uuid;

use crate::support::EmptyDatabase;

const MERGE: &str = r#"{"resolution": "merge-duplicates", "columns": ["user_id"]}"#;
const IGNORE: &str = r#"{"resolution": "ignore-duplicates", "columns": ["user_id"]}"#;

async fn upserting<'c>(
    connection: &'c mut PgConnection,
    person: Uuid,
    option: &str,
) -> Transaction<'c, Postgres> {
    let mut transaction = connection.begin().await.expect("begin");
    sqlx::query(
        "select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true), set_config('request.on_conflict', $2, true)",
    )
    .bind(format!(r#"{{"sub": "{person}"}}"#))
    .bind(option)
    .execute(&mut *transaction)
    .await
    .expect("become");
    transaction
}

async fn account(owner: &mut PgConnection, user_type: &str) -> Uuid {
    sqlx::query_scalar(
        "insert into auth.users (email, raw_user_meta_data) values ($1, jsonb_build_object('user_type', $2::text)) returning id",
    )
    .bind(format!("{}@example.test", Uuid::new_v4()))
    .bind(user_type)
    .fetch_one(owner)
    .await
    .expect("make an account")
}

fn insert(view: &str, name: &str) -> String {
    match view {
        "influencers" => format!(
            "insert into influencers (name, username, category) values ('{name}', 'taken', 'Tech') returning name"
        ),
        view => {
            format!("insert into {view} (name, email) values ('{name}', 'a@example.test') returning name")
        }
    }
}

/// Both look for the row before either has committed. The second waits for the first and then changes its row.
#[tokio::test]
async fn concurrent_upserts_of_one_profile_leave_one_row() {
    let (database, mut owner) = EmptyDatabase::migrated().await;
    for (view, user_type) in [("influencers", "influencer"), ("agencies", "agency"), ("vendors", "vendor")] {
        for (option, expected) in [(MERGE, "second"), (IGNORE, "first"), ("", "first")] {
            owner.execute("delete from auth.users").await.expect("begin with nobody");
            let person = account(&mut owner, user_type).await;
            let (mut one, mut other) = (database.connect().await, database.connect().await);
            let mut ahead = upserting(&mut one, person, option).await;
            ahead.execute(AssertSqlSafe(insert(view, "first"))).await.expect("the first upsert");
            let mut behind = upserting(&mut other, person, option).await;
            let late = async {
                let returned: Result<Option<String>, _> =
                    sqlx::query_scalar(AssertSqlSafe(insert(view, "second")))
                        .fetch_optional(&mut *behind)
                        .await;
                let committed = behind.commit().await;
                returned.inspect(|_| committed.expect("the second one is committed"))
            };
            let commit = async {
                until_blocked(&mut owner).await;
                ahead.commit().await
            };
            let (second, committed) = tokio::join!(late, commit);
            committed.expect("the first one is committed");
            match option {
                MERGE => assert_eq!(second.expect("the second upsert").as_deref(), Some("second"), "{view}"),
                IGNORE => assert_eq!(second.expect("the second upsert"), None, "{view}"),
                _ => assert_eq!(
                    second
                        .expect_err("a plain insert")
                        .as_database_error()
                        .and_then(|error| error.code())
                        .as_deref(),
                    Some("23505"),
                    "{view}"
                ),
            }
            let names: Vec<String> =
                sqlx::query_scalar(AssertSqlSafe(format!("select name from app.{view}")))
                    .fetch_all(&mut owner)
                    .await
                    .expect("look");
            assert_eq!(names, [expected], "{view} {option}");
        }
    }
    drop(database);
}

/// A username that another profile has taken in the meantime is still refused.
#[tokio::test]
async fn a_concurrent_profile_with_the_same_username_is_not_merged() {
    let (database, mut owner) = EmptyDatabase::migrated().await;
    let (person, rival) = (account(&mut owner, "influencer").await, account(&mut owner, "influencer").await);
    let (mut one, mut other) = (database.connect().await, database.connect().await);
    let mut ahead = upserting(&mut one, person, MERGE).await;
    ahead.execute(AssertSqlSafe(insert("influencers", "first"))).await.expect("the first upsert");
    let mut behind = upserting(&mut other, rival, MERGE).await;
    let late = async { behind.execute(AssertSqlSafe(insert("influencers", "second"))).await };
    let commit = async {
        until_blocked(&mut owner).await;
        ahead.commit().await
    };
    let (refused, committed) = tokio::join!(late, commit);
    committed.expect("the first one is committed");
    let error = refused.expect_err("the username is taken");
    assert!(error.to_string().contains("This username is already taken"), "{error}");
    drop(behind);
    drop(database);
}
