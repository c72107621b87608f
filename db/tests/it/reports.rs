//! Reports and decisions at the same moment, in real parallel transactions.

use sqlx::postgres::PgDatabaseError;
use sqlx::{Connection, Executor, PgConnection, Postgres, Transaction};
use test_support::waiting::until_blocked;
use uuid::Uuid;

use crate::support::EmptyDatabase;

struct People {
    reporter: Uuid,
    admin: Uuid,
    other_admin: Uuid,
    gig: Uuid,
    agency: Uuid,
}

async fn account(owner: &mut PgConnection, email: &str, user: &str, app: &str) -> Uuid {
    sqlx::query_scalar(
        "insert into auth.users (email, email_confirmed_at, raw_user_meta_data, raw_app_meta_data)
         values ($1, now(), $2::jsonb, $3::jsonb) returning id",
    )
    .bind(email)
    .bind(user)
    .bind(app)
    .fetch_one(owner)
    .await
    .expect("create an account")
}

async fn people(owner: &mut PgConnection) -> People {
    let admin_role = r#"{"marketplace_role": "admin"}"#;
    let admin = account(owner, "admin@example.test", "{}", admin_role).await;
    let other_admin = account(owner, "other.admin@example.test", "{}", admin_role).await;
    let reporter = account(owner, "reporter@example.test", r#"{"user_type": "influencer"}"#, "{}").await;
    let agency = account(owner, "agency@example.test", r#"{"user_type": "agency"}"#, "{}").await;
    sqlx::query(
        "insert into app.influencers (user_id, name, username, category, approved, badge_type)
         values ($1, 'R', 'r', 'Tech', true, 'gold')",
    )
    .bind(reporter)
    .execute(&mut *owner)
    .await
    .expect("a verified profile");
    let gig = sqlx::query_scalar(
        "with agency as (insert into app.agencies (user_id, name, email) values ($1, 'A', 'a@example.test') returning id)
         insert into app.gigs (agency_id, title, description) select id, 'T', 'D' from agency returning id",
    )
    .bind(agency)
    .fetch_one(&mut *owner)
    .await
    .expect("a gig");
    People { reporter, admin, other_admin, gig, agency }
}

async fn acting_as(connection: &mut PgConnection, person: Uuid) -> Transaction<'_, Postgres> {
    let mut transaction = connection.begin().await.expect("begin");
    sqlx::query(
        "select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)",
    )
    .bind(format!(r#"{{"sub": "{person}", "role": "authenticated"}}"#))
    .execute(&mut *transaction)
    .await
    .expect("set the role");
    transaction
}

/// Runs the second statement while the first one's transaction is open, and commits both if they succeed.
async fn at_once(
    database: &EmptyDatabase,
    first: (Uuid, &str),
    second: (Uuid, &str),
) -> Result<String, sqlx::Error> {
    let (mut one, mut two, mut watch) =
        (database.connect().await, database.connect().await, database.connect().await);
    let mut ahead = acting_as(&mut one, first.0).await;
    ahead.execute(sqlx::raw_sql(sqlx::AssertSqlSafe(first.1.to_owned()))).await.expect("the first");
    let mut behind = acting_as(&mut two, second.0).await;
    let late = async {
        let answer: String =
            sqlx::query_scalar(sqlx::AssertSqlSafe(second.1.to_owned())).fetch_one(&mut *behind).await?;
        behind.commit().await?;
        Ok(answer)
    };
    let commit = async {
        until_blocked(&mut watch).await;
        ahead.commit().await
    };
    let (answer, committed) = tokio::join!(late, commit);
    committed.expect("the first one is committed");
    answer
}

fn code_of(refused: Result<String, sqlx::Error>) -> String {
    let error = refused.expect_err("the second is refused");
    let error = error.as_database_error().expect("refused by the database");
    let error = error.downcast_ref::<PgDatabaseError>();
    format!("{} {}", error.code(), error.message())
}

async fn count(owner: &mut PgConnection, what: &str) -> i64 {
    sqlx::query_scalar(sqlx::AssertSqlSafe(format!("select count(*) from {what}")))
        .fetch_one(owner)
        .await
        .expect("count")
}

#[tokio::test]
async fn a_double_click_makes_one_report() {
    let (database, mut owner) = EmptyDatabase::migrated().await;
    let people = people(&mut owner).await;
    let report = format!(
        "insert into reports (kind, subject_id, reason) values ('gig', '{}', 'scam') returning id::text",
        people.gig
    );

    let second = at_once(&database, (people.reporter, &report), (people.reporter, &report)).await;

    assert_eq!(code_of(second), "23505 You have already reported this");
    assert_eq!(count(&mut owner, "app.reports").await, 1);
    drop(database);
}

#[tokio::test]
async fn concurrent_reports_do_not_exceed_the_limit() {
    let (database, mut owner) = EmptyDatabase::migrated().await;
    let people = people(&mut owner).await;
    sqlx::query(
        "insert into app.reports (kind, subject_id, reporter_id, reason, snapshot)
         select 'vendor', gen_random_uuid(), $1, 'spam', '{}' from generate_series(1, 9)",
    )
    .bind(people.reporter)
    .execute(&mut owner)
    .await
    .expect("nine reports");
    let gig =
        format!("insert into reports (kind, subject_id, reason) values ('gig', '{}', 'scam')", people.gig);
    let agency = "insert into reports (kind, subject_id, reason) select 'agency', id, 'scam' from agencies
                  returning id::text";

    let second = at_once(&database, (people.reporter, &gig), (people.reporter, agency)).await;

    assert!(code_of(second).contains("You can send 10 reports a day"));
    assert_eq!(count(&mut owner, "app.reports").await, 10);
    drop(database);
}

async fn taken_report(owner: &mut PgConnection, people: &People) -> Uuid {
    sqlx::query_scalar(
        "insert into app.reports (kind, subject_id, reporter_id, reason, snapshot, state)
         values ('gig', $1, $2, 'scam', '{\"title\": \"T\"}', 'taken') returning id",
    )
    .bind(people.gig)
    .bind(people.reporter)
    .fetch_one(owner)
    .await
    .expect("a report")
}

/// One decision, one notification for each side, and one entry per action in the audit log, whichever admin
/// comes second.
#[tokio::test]
async fn two_admins_who_decide_concurrently_get_one_result() {
    for (second_admin, second_decision, wanted) in [
        ("other", "dismissed", "PT409 This report is already upheld"),
        ("other", "upheld", "PT409 This report is already upheld"),
        ("same", "upheld", "upheld"),
    ] {
        let (database, mut owner) = EmptyDatabase::migrated().await;
        let people = people(&mut owner).await;
        let report = taken_report(&mut owner, &people).await;
        let uphold =
            format!("select decide_report('{report}', 'upheld', 'Fraud', '{{close_gig,block_sender}}')");
        let second = match second_decision {
            "upheld" => uphold.clone(),
            _ => format!("select decide_report('{report}', 'dismissed', 'Fine')"),
        };
        let second_admin = if second_admin == "same" { people.admin } else { people.other_admin };

        let answer = at_once(&database, (people.admin, &uphold), (second_admin, &second)).await;

        let answer = answer.or_else(|error| Ok::<_, sqlx::Error>(code_of(Err(error)))).expect("an answer");
        assert_eq!(answer, wanted);
        let state: String = sqlx::query_scalar("select state from app.reports")
            .fetch_one(&mut owner)
            .await
            .expect("the state");
        assert_eq!(state, "upheld");
        for (what, wanted) in [
            ("app.notices where kind = 'report_decided'", 1),
            ("app.notices where kind = 'content_moderated'", 1),
            ("serasi.mail_outbox", 2),
            ("app.blocked_senders", 1),
            ("app.audit_log where action in ('uphold_report', 'close_gig', 'block_sender')", 3),
            ("app.audit_log where action = 'dismiss_report'", 0),
        ] {
            assert_eq!(count(&mut owner, what).await, wanted, "{what}");
        }
        drop(database);
    }
}

#[tokio::test]
async fn one_of_two_admins_takes_a_report() {
    let (database, mut owner) = EmptyDatabase::migrated().await;
    let people = people(&mut owner).await;
    let report = taken_report(&mut owner, &people).await;
    owner.execute("update app.reports set state = 'open'").await.expect("reopen");
    let take = format!("select decide_report('{report}', 'taken')");

    let second = at_once(&database, (people.admin, &take), (people.other_admin, &take)).await;

    assert_eq!(code_of(second), "PT409 This report is already taken");
    let taker: String = sqlx::query_scalar("select taker from app.report_decisions")
        .fetch_one(&mut owner)
        .await
        .expect("the taker");
    assert_eq!(taker, "admin@example.test");
    drop(database);
}

/// Whichever comes first, the gig is deleted in the end, and the report is decided or stays taken.
#[tokio::test]
async fn closing_a_gig_while_its_agency_deletes_it_is_refused() {
    let (database, mut owner) = EmptyDatabase::migrated().await;
    let people = people(&mut owner).await;
    let report = taken_report(&mut owner, &people).await;
    let delete = format!("delete from gigs where id = '{}'", people.gig);
    let close = format!("select decide_report('{report}', 'upheld', 'Fraud', '{{close_gig}}')");

    let second = at_once(&database, (people.agency, &delete), (people.admin, &close)).await;

    assert_eq!(code_of(second), "PT409 This gig was deleted and can't be closed");
    assert_eq!(count(&mut owner, "app.reports where state = 'taken'").await, 1);
    assert_eq!(count(&mut owner, "app.notices").await, 0);
    drop(database);
}
