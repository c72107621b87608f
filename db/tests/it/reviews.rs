//! Both sides of a collaboration at the same moment: each pair of transactions overlaps, and the second one waits for the
//! first.

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, Postgres, Row, Transaction};

use test_support::waiting::until_blocked;

use crate::support::EmptyDatabase;

const COMPLETE: &str = "select complete_collaboration(tests.id('work'))";
const CANCEL: &str = "select cancel_collaboration(tests.id('work'), 'No time')";
const REVIEW: &str = "insert into reviews (collaboration_id, rating, text) values (tests.id('done'), 4, 'It was good to work together.')
    returning 'written'";

/// The people and collaborations of the permission matrix.
async fn with_people() -> (EmptyDatabase, PgConnection) {
    let (database, mut owner) = EmptyDatabase::migrated().await;
    owner.execute(include_str!("../000_helpers.sql")).await.expect("helpers");
    owner
        .execute("select tests.people(); delete from app.notices; delete from serasi.mail_outbox")
        .await
        .expect("people");
    (database, owner)
}

async fn acting_as<'a>(connection: &'a mut PgConnection, person: &str) -> Transaction<'a, Postgres> {
    let mut transaction = connection.begin().await.expect("begin");
    if person != "owner" {
        sqlx::query("select tests.become($1)").bind(person).execute(&mut *transaction).await.expect("become");
    }
    transaction
}

/// The first value that the statement returns, or the message of its error.
async fn outcome(transaction: &mut Transaction<'_, Postgres>, statement: &str) -> String {
    match transaction.fetch_optional(AssertSqlSafe(statement.to_owned())).await {
        Ok(Some(row)) => row.try_get::<Option<String>, _>(0).ok().flatten().unwrap_or_default(),
        Ok(None) => String::new(),
        Err(error) => error.as_database_error().map_or(error.to_string(), |known| known.message().to_owned()),
    }
}

/// Runs the second statement while the transaction of the first is open, which commits as soon as the second waits.
async fn overlap(database: &EmptyDatabase, first: (&str, &str), second: (&str, &str)) -> (String, String) {
    let (mut ahead, mut behind, mut watch) =
        (database.connect().await, database.connect().await, database.connect().await);
    let mut earlier = acting_as(&mut ahead, first.0).await;
    let one = outcome(&mut earlier, first.1).await;
    let mut later = acting_as(&mut behind, second.0).await;
    let late = async {
        let other = outcome(&mut later, second.1).await;
        later.commit().await.expect("commit the second");
        other
    };
    let commit = async {
        until_blocked(&mut watch).await;
        earlier.commit().await.expect("commit the first");
    };
    let (other, ()) = tokio::join!(late, commit);
    (one, other)
}

async fn text(owner: &mut PgConnection, query: &'static str) -> String {
    sqlx::query_scalar(query).fetch_one(owner).await.expect("read")
}

fn both(one: &str, other: &str) -> (String, String) {
    (one.to_owned(), other.to_owned())
}

#[tokio::test]
async fn both_sides_complete_concurrently() {
    let (database, mut owner) = with_people().await;
    let states = overlap(&database, ("approved", COMPLETE), ("agency", COMPLETE)).await;
    assert_eq!(states, both("accepted", "completed"));
    let told = "select string_agg(kind, ' ' order by kind) from app.notices";
    assert_eq!(text(&mut owner, told).await, "collaboration_completed review_invited review_invited");
}

#[tokio::test]
async fn a_double_click_completes_once() {
    let (database, mut owner) = with_people().await;
    let states = overlap(&database, ("agency", COMPLETE), ("agency", COMPLETE)).await;
    assert_eq!(states, both("accepted", "accepted"));
    assert_eq!(text(&mut owner, "select count(*)::text from serasi.mail_outbox").await, "1");
}

#[tokio::test]
async fn one_side_completes_while_the_other_cancels() {
    let (database, mut owner) = with_people().await;
    owner
        .execute("update app.collaborations set influencer_completed_at = now() where id = tests.id('work')")
        .await
        .expect("half");
    let states = overlap(&database, ("approved", CANCEL), ("agency", COMPLETE)).await;
    assert_eq!(states, both("cancelled", "The collaboration is cancelled"));

    let (database, mut owner) = with_people().await;
    owner
        .execute("update app.collaborations set influencer_completed_at = now() where id = tests.id('work')")
        .await
        .expect("half");
    let states = overlap(&database, ("agency", COMPLETE), ("approved", CANCEL)).await;
    assert_eq!(states, both("completed", "The collaboration is completed"));
}

#[tokio::test]
async fn both_sides_review_concurrently_and_both_reviews_are_published() {
    let (database, mut owner) = with_people().await;
    assert_eq!(
        overlap(&database, ("approved", REVIEW), ("agency", REVIEW)).await,
        both("written", "written")
    );
    let published =
        "select count(published_at)::text from app.reviews where collaboration_id = tests.id('done')";
    assert_eq!(text(&mut owner, published).await, "2");
    let scores = "select concat_ws(' ', i.review_count, i.rating_sum, a.review_count, a.rating_sum) from app.influencers as i, app.agencies as a
        where i.id = tests.id('profile of approved') and a.id = tests.id('profile of agency')";
    assert_eq!(text(&mut owner, scores).await, "1 4 2 8");
}

#[tokio::test]
async fn a_double_click_writes_one_review() {
    let (database, mut owner) = with_people().await;
    let outcomes = overlap(&database, ("agency", REVIEW), ("agency", REVIEW)).await;
    assert_eq!(outcomes, both("written", "The collaboration is completed, and you have already reviewed it"));
    let count = "select count(*)::text from app.reviews where collaboration_id = tests.id('done')";
    assert_eq!(text(&mut owner, count).await, "1");
}

#[tokio::test]
async fn reviews_of_one_profile_are_summed_when_they_are_published_concurrently() {
    let (database, mut owner) = with_people().await;
    owner
        .execute(
            "select tests.collaboration('elsewhere', 'verified', 'agency', 'completed');
             select tests.review('of the agency', 'elsewhere', 'client', 1, true);
             select tests.review('of the influencer', 'done', 'client', 3, true)",
        )
        .await
        .expect("waiting reviews");
    let elsewhere = REVIEW.replace("'done'", "'elsewhere'");
    assert_eq!(
        overlap(&database, ("approved", REVIEW), ("verified", &elsewhere)).await,
        both("written", "written")
    );
    // 'verified' had reviewed the agency before: the newer review replaces that one.
    let score = "select concat_ws(' ', review_count, rating_sum) from app.agencies where id = tests.id('profile of agency')";
    assert_eq!(text(&mut owner, score).await, "2 8");
    let counted = "select string_agg(rating::text, ' ') from app.reviews where influencer_id = tests.id('profile of verified') and side = 'client' and counted";
    assert_eq!(text(&mut owner, counted).await, "1");
}

/// Deletions lock in the same order as reviews, so neither becomes the victim of a deadlock.
#[tokio::test]
async fn a_review_while_a_party_is_deleted() {
    let gone = "The collaboration is completed, and the other side no longer has an account";
    for (account, by, message) in [
        ("approved", "agency", gone),
        ("agency", "approved", gone),
        ("agency", "agency", "This collaboration doesn't exist, or you have no part in it"),
    ] {
        let deletion = format!("delete from auth.users where id = tests.id('{account}') returning 'deleted'");
        let (database, _owner) = with_people().await;
        let outcomes = overlap(&database, ("owner", &deletion), (by, REVIEW)).await;
        assert_eq!(outcomes, both("deleted", message), "{account} is deleted, {by} writes");

        let (database, mut owner) = with_people().await;
        let outcomes = overlap(&database, (by, REVIEW), ("owner", &deletion)).await;
        assert_eq!(outcomes, both("written", "deleted"), "{by} writes, {account} is deleted");
        let left = "select count(*)::text from app.reviews where collaboration_id = tests.id('done')";
        assert_eq!(text(&mut owner, left).await, "1", "{account} is deleted after {by} wrote");
    }
}

#[tokio::test]
async fn the_schedule_and_a_side_complete_concurrently() {
    let (database, mut owner) = with_people().await;
    owner
        .execute("update app.collaborations set influencer_completed_at = now() - interval '8 days' where id = tests.id('work')")
        .await
        .expect("silence");
    let states = overlap(&database, ("owner", "select app.tick()::text"), ("agency", COMPLETE)).await;
    assert_eq!(states, both("{}", "completed"));
    assert_eq!(text(&mut owner, "select count(*)::text from app.notices").await, "2");
}
