//! Parallel transactions on one enquiry: one result, and the same for both.

use sqlx::{Connection, Executor, PgConnection, Postgres, Transaction};
use test_support::waiting::until_blocked;
use uuid::Uuid;

use crate::support::EmptyDatabase;

const ACCEPT: &str = "select answer_enquiry($1, true, 'Gladly') ->> 'state'";
const DECLINE: &str = "select answer_enquiry($1, false) ->> 'state'";
const WITHDRAW: &str = "select withdraw_enquiry($1) ->> 'state'";

const INFLUENCER: Uuid = Uuid::from_u128(1);
const SENDER: Uuid = Uuid::from_u128(2);
const ENQUIRY: Uuid = Uuid::from_u128(3);

async fn open_enquiry(owner: &mut PgConnection) {
    owner
        .execute(sqlx::AssertSqlSafe(format!(
            "insert into auth.users (id, email, raw_user_meta_data) values
               ('{INFLUENCER}', 'a@example.test', '{{\"user_type\": \"influencer\"}}'),
               ('{SENDER}', 'b@example.test', '{{\"user_type\": \"vendor\"}}');
             insert into app.influencers (id, user_id, name, username, category, approved)
               values ('{INFLUENCER}', '{INFLUENCER}', 'N', 'n', 'Tech', true);
             insert into app.enquiry_briefs (id, sender_key) values ('{ENQUIRY}', '{SENDER}');
             insert into app.enquiries
               (id, brief_id, influencer_id, sender_user_id, sender_key, sender_name, deliverables, message, state, opened_at)
               values ('{ENQUIRY}', '{ENQUIRY}', '{INFLUENCER}', '{SENDER}', '{SENDER}', 'V', 'A reel',
                 'A message of twenty.', 'open', now())",
        )))
        .await
        .expect("an open enquiry");
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

/// The second call waits for the first one's transaction. Returns its outcome: the state or the refusal.
async fn second_of(
    database: &EmptyDatabase,
    first: (Uuid, &'static str),
    second: (Uuid, &'static str),
) -> String {
    let (mut one, mut other, mut watch) =
        (database.connect().await, database.connect().await, database.connect().await);
    let mut ahead = acting_as(&mut one, first.0).await;
    let mut behind = acting_as(&mut other, second.0).await;
    let _: String =
        sqlx::query_scalar(first.1).bind(ENQUIRY).fetch_one(&mut *ahead).await.expect("the first call");
    let late = async {
        let outcome: Result<String, sqlx::Error> =
            sqlx::query_scalar(second.1).bind(ENQUIRY).fetch_one(&mut *behind).await;
        let outcome = outcome.unwrap_or_else(|error| {
            error.as_database_error().map_or_else(|| error.to_string(), |error| error.message().to_owned())
        });
        behind.commit().await.expect("commit");
        outcome
    };
    let commit = async {
        until_blocked(&mut watch).await;
        ahead.commit().await.expect("commit");
    };
    tokio::join!(late, commit).0
}

#[tokio::test]
async fn parallel_changes_of_one_enquiry_have_one_result() {
    let (database, mut owner) = EmptyDatabase::migrated().await;
    let (influencer, sender) = (INFLUENCER, SENDER);
    for (first, second, outcome, state, collaborations) in [
        ((influencer, ACCEPT), (influencer, ACCEPT), "accepted", "accepted", 1),
        ((influencer, ACCEPT), (influencer, DECLINE), "This enquiry is already accepted", "accepted", 1),
        ((influencer, DECLINE), (influencer, ACCEPT), "This enquiry is already declined", "declined", 0),
        ((influencer, ACCEPT), (sender, WITHDRAW), "This enquiry is already accepted", "accepted", 1),
        ((sender, WITHDRAW), (influencer, ACCEPT), "This enquiry is already withdrawn", "withdrawn", 0),
        ((sender, WITHDRAW), (sender, WITHDRAW), "withdrawn", "withdrawn", 0),
    ] {
        open_enquiry(&mut owner).await;

        assert_eq!(second_of(&database, first, second).await, outcome);

        let stored: (String, i64, i64) = sqlx::query_as(
            "select state, (select count(*) from app.collaborations),
               (select count(*) from serasi.mail_outbox where template like 'enquiry%') from app.enquiries",
        )
        .fetch_one(&mut owner)
        .await
        .expect("the enquiry");
        assert_eq!(
            stored,
            (state.to_owned(), collaborations, 1),
            "{first:?} {second:?}: one change, one mail"
        );
        owner
            .execute("delete from app.enquiry_briefs; delete from app.collaborations; delete from serasi.mail_outbox; delete from auth.users")
            .await
            .expect("start again");
    }
    drop(database);
}

/// Deleting an account locks its rows in another order than an answer does.
#[tokio::test]
async fn an_answer_and_the_deletion_of_a_party_do_not_deadlock() {
    let (database, mut owner) = EmptyDatabase::migrated().await;
    for party in [SENDER, INFLUENCER] {
        for _ in 0..10 {
            open_enquiry(&mut owner).await;
            let (mut one, mut other) = (database.connect().await, database.connect().await);
            let answer = async {
                let mut transaction = acting_as(&mut one, INFLUENCER).await;
                let answered: Result<String, sqlx::Error> =
                    sqlx::query_scalar(ACCEPT).bind(ENQUIRY).fetch_one(&mut *transaction).await;
                transaction.commit().await.expect("commit");
                answered
            };
            let deletion =
                sqlx::query("delete from auth.users where id = $1").bind(party).execute(&mut other);

            let (answered, deleted) = tokio::join!(answer, deletion);

            deleted.expect("the account is deleted");
            if let Err(error) = answered {
                let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code);
                assert!(matches!(code.as_deref(), Some("PT404" | "PT409")), "{error}");
            }
            owner
                .execute("delete from app.enquiry_briefs; delete from app.collaborations; delete from serasi.mail_outbox; delete from auth.users")
                .await
                .expect("start again");
        }
    }
    drop(database);
}

/// Below the limit for guests of all clients together, there is room for one.
const GUESTS: &str = "insert into app.enquiry_briefs (sender_key, client, guest_email)
  select n, n, n || '@example.test' from generate_series(1, 999) as n";

async fn send_as_guest(connection: &mut PgConnection, number: u8) -> sqlx::Result<()> {
    sqlx::query(
        "select send_enquiries(null, '2001:db8:0:' || $1 || '::1', array[$2], 'Two reels',
           'Would you show our new menu?', name => 'Mei', email => $1 || '@mail.test')",
    )
    .bind(number.to_string())
    .bind(INFLUENCER)
    .execute(connection)
    .await
    .map(|_| ())
}

/// The second guest waits for the first one's transaction, so that the limit counts its brief.
#[tokio::test]
async fn guests_of_different_clients_do_not_exceed_their_limit_together() {
    let (database, mut owner) = EmptyDatabase::migrated().await;
    open_enquiry(&mut owner).await;
    owner.execute(GUESTS).await.expect("guests");
    for (commits, number) in [(false, 1), (true, 3)] {
        let (mut one, mut other) = (database.connect().await, database.connect().await);
        let mut ahead = one.begin().await.expect("begin");
        send_as_guest(&mut ahead, number).await.expect("the last one allowed");
        let mut behind = other.begin().await.expect("begin");
        let late = async { send_as_guest(&mut behind, number + 1).await };
        let end = async {
            until_blocked(&mut owner).await;
            if commits { ahead.commit().await } else { ahead.rollback().await }
        };
        let (sent, ended) = tokio::join!(late, end);

        ended.expect("the end of the first");
        assert_eq!(sent.is_ok(), !commits, "{sent:?}");
        if let Err(error) = sent {
            assert!(error.to_string().contains("Too many people"), "{error}");
        }
        behind.rollback().await.expect("roll back");
    }
    drop(database);
}
