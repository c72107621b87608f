use sqlx::{Connection, Executor, PgConnection, Postgres, Transaction};
use test_support::waiting::until_blocked;
use uuid::Uuid;

use crate::support::EmptyDatabase;

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

/// Returns an agency's account.
async fn one_below_each_limit(owner: &mut PgConnection) -> Uuid {
    let person: Uuid = sqlx::query_scalar(
        r#"insert into auth.users (email, raw_user_meta_data) values ('agency@example.test', '{"user_type": "agency"}') returning id"#,
    )
    .fetch_one(&mut *owner)
    .await
    .expect("create an account");
    // Without foreign key checks: only the number of rows matters here.
    owner
        .execute(
            "set session_replication_role = replica;
             insert into app.agencies (user_id, name, email) select id, 'A', 'a@example.test' from auth.users;
             insert into app.gigs (agency_id, title, description)
               select agencies.id, 'T', 'D' from app.agencies, generate_series(1, 499);
             insert into app.influencers (user_id, name, username, category, approved)
               select gen_random_uuid(), 'N', 'n' || n, 'Tech', true from generate_series(1, 2) as n;
             insert into app.favorites (user_id, influencer_id)
               select users.id, gen_random_uuid() from auth.users, generate_series(1, 999);
             set session_replication_role = origin",
        )
        .await
        .expect("one below each limit");
    person
}

/// The requests take turns, so each sees the rows that the other adds.
#[tokio::test]
async fn concurrent_requests_do_not_exceed_a_limit() {
    let (database, mut owner) = EmptyDatabase::migrated().await;
    let person = one_below_each_limit(&mut owner).await;

    for (first_request, second_request) in [
        (
            "insert into favorites (influencer_id) select id from influencers where username = 'n1'",
            "insert into favorites (influencer_id) select id from influencers where username = 'n2'",
        ),
        (
            "insert into gigs (agency_id, title, description) select id, 'T', 'D' from agencies",
            "insert into gigs (agency_id, title, description) select id, 'T', 'D' from agencies",
        ),
    ] {
        let (mut first, mut second) = (database.connect().await, database.connect().await);
        let mut ahead = acting_as(&mut first, person).await;
        ahead.execute(first_request).await.expect("the last one allowed");
        let mut behind = acting_as(&mut second, person).await;
        let late = async { behind.execute(second_request).await };
        let commit = async {
            until_blocked(&mut owner).await;
            ahead.commit().await
        };
        let (refused, committed) = tokio::join!(late, commit);

        committed.expect("the first one is committed");
        let error = refused.expect_err("one too many");
        assert!(error.to_string().contains("at most"), "{error}");
    }
    drop(database);
}

/// Commits once the other statement waits.
async fn commit_late(watch: &mut PgConnection, transaction: Transaction<'_, Postgres>) {
    until_blocked(watch).await;
    transaction.commit().await.expect("commit");
}

/// An upload and the deletion of its account: the image does not outlive the account, whichever is first.
#[tokio::test]
async fn no_image_of_a_deleted_account_is_left() {
    for upload_is_first in [true, false] {
        let (database, mut owner) = EmptyDatabase::migrated().await;
        let person = one_below_each_limit(&mut owner).await;
        let (mut one, mut other) = (database.connect().await, database.connect().await);
        // The deletion begins before the image exists.
        let mut deletion = one.begin().await.expect("begin");
        deletion.execute("select now()").await.expect("the transaction's time");
        let mut upload = other.begin().await.expect("begin");
        upload.execute("set local role storage_admin").await.expect("the storage service's role");
        let image = "insert into storage.objects (bucket_id, name, owner, owner_id) values ('images', $1 || '/logo-1.png', $1::uuid, $1)";
        let image = sqlx::query(image).bind(person.to_string());
        let delete = sqlx::query("delete from auth.users where id = $1").bind(person);

        let (uploaded, deleted) = if upload_is_first {
            let uploaded = image.execute(&mut *upload).await;
            let (deleted, ()) = tokio::join!(delete.execute(&mut *deletion), commit_late(&mut owner, upload));
            deletion.commit().await.expect("commit");
            (uploaded, deleted)
        } else {
            let deleted = delete.execute(&mut *deletion).await;
            let (uploaded, ()) = tokio::join!(image.execute(&mut *upload), commit_late(&mut owner, deletion));
            upload.rollback().await.expect("roll back");
            (uploaded, deleted)
        };

        deleted.expect("the account is deleted");
        assert_eq!(uploaded.is_ok(), upload_is_first, "{uploaded:?}");
        let left = "select count(*) from storage.objects left join storage.removals using (bucket_id, name)
          where queued_at is null or queued_at < created_at";
        let left: i64 = sqlx::query_scalar(left).fetch_one(&mut owner).await.expect("count");
        assert_eq!(left, 0, "images that are not removed");
        drop(database);
    }
}
