//! Requests about applications for gigs that arrive at the same time, as parallel transactions.

use std::cell::Cell;

use sqlx::{Connection, Executor, PgConnection, Row};
use test_support::waiting::eventually;
use uuid::Uuid;

use crate::support::EmptyDatabase;

/// Agency `a` with the gigs `one` and `two`, which have one place each, and the influencers `i0`, `i1` …
/// whose applications for the gig `one` are shortlisted.
pub async fn marketplace(owner: &mut PgConnection, influencers: i32) {
    owner
        .execute(
            r#"create function person(name text) returns uuid language sql as $$ select md5(name)::uuid $$;
             create function act(name text) returns void language sql as $$
               select set_config('role', 'authenticated', true),
                 set_config('request.jwt.claims', json_build_object('sub', person(name))::text, true) $$;
             grant execute on function person(text) to authenticated;
             insert into auth.users (id, email, raw_user_meta_data)
               values (person('a'), 'a@example.test', '{"user_type": "agency"}');
             insert into app.agencies (id, user_id, name, email) values (person('a'), person('a'), 'A', 'a@example.test');
             insert into app.gigs (id, agency_id, title, description, places)
               select person(gig), person('a'), gig, 'D', 1 from unnest(array['one', 'two']) as gig"#,
        )
        .await
        .expect("an agency with gigs");
    // Two statements, because the first one's trigger adds the profiles that the second refers to.
    for statement in [
        r#"insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data)
           select person('i' || n), 'i' || n || '@example.test', now(), '{"user_type": "influencer"}'
           from generate_series(0, $1 - 1) as n"#,
        "insert into app.influencers (id, user_id, name, username, category, approved, badge_type)
         select person('i' || n), person('i' || n), 'Influencer ' || n, 'i' || n, 'Tech', true, 'gold'
         from generate_series(0, $1 - 1) as n",
    ] {
        sqlx::query(statement).bind(influencers).execute(&mut *owner).await.expect("influencers");
    }
    sqlx::query(
        "insert into app.gig_applications (id, gig_id, influencer_id, pitch, state, decided_at)
         select person('i' || n), person('one'), person('i' || n), repeat('x', 20), 'shortlisted', now()
         from generate_series(0, $1 - 1) as n",
    )
    .bind(influencers)
    .execute(owner)
    .await
    .expect("applications");
}

/// Runs one request, then another that waits for the first's transaction. Returns both results, as text or as
/// the error message.
pub async fn overlapping(database: &EmptyDatabase, requests: [(&str, &str); 2]) -> [String; 2] {
    let (mut ahead, mut behind, mut watcher) =
        (database.connect().await, database.connect().await, database.connect().await);
    let mut first = ahead.begin().await.expect("begin");
    let early = result(&mut first, requests[0]).await;
    let waiting: i32 =
        sqlx::query_scalar("select pg_backend_pid()").fetch_one(&mut behind).await.expect("its process");
    let ended = Cell::new(false);
    let late = async {
        let mut second = behind.begin().await.expect("begin");
        let late = result(&mut second, requests[1]).await;
        ended.set(true);
        second.commit().await.expect("commit the second");
        late
    };
    let commit = async {
        eventually("the second request waits for the first", async || {
            assert!(!ended.get(), "the second request did not wait for the first, which answered {early}");
            let waits = sqlx::query_scalar("select cardinality(pg_blocking_pids($1)) > 0").bind(waiting);
            waits.fetch_one(&mut watcher).await.expect("whether it waits")
        })
        .await;
        first.commit().await.expect("commit the first");
    };
    let (late, ()) = tokio::join!(late, commit);
    [early, late]
}

async fn result(connection: &mut PgConnection, (person, statement): (&str, &str)) -> String {
    if person != "owner" {
        sqlx::query("select act($1)").bind(person).execute(&mut *connection).await.expect("set the role");
    }
    match sqlx::raw_sql(sqlx::AssertSqlSafe(statement)).fetch_optional(connection).await {
        Ok(row) => row.map_or_else(String::new, |row| row.try_get(0).unwrap_or_default()),
        Err(sqlx::Error::Database(error)) => error.message().to_owned(),
        Err(error) => panic!("{error}"),
    }
}

fn decide(influencer: &str, decision: &str) -> String {
    format!("select public.decide_application(public.person('{influencer}'), '{decision}') ->> 'state'")
}

pub async fn count(owner: &mut PgConnection, of: &str) -> i64 {
    sqlx::query_scalar(sqlx::AssertSqlSafe(format!("select count(*) from {of}")))
        .fetch_one(owner)
        .await
        .expect("a count")
}

#[tokio::test]
async fn the_last_place_is_taken_once() {
    let (database, mut owner) = EmptyDatabase::migrated().await;
    marketplace(&mut owner, 2).await;

    let results =
        overlapping(&database, [("a", &decide("i0", "accepted")), ("a", &decide("i1", "accepted"))]).await;

    assert_eq!(results, ["accepted", "All places are taken, so the application stays shortlisted"]);
    assert_eq!(count(&mut owner, "app.collaborations").await, 1);
    assert_eq!(count(&mut owner, "app.notices where kind = 'gig_closed'").await, 1);
    drop(database);
}

/// A double click, or a retry after a lost response.
#[tokio::test]
async fn a_decision_made_twice_is_one() {
    let (database, mut owner) = EmptyDatabase::migrated().await;
    marketplace(&mut owner, 1).await;
    let accept =
        "select public.decide_application(public.person('i0'), 'accepted') - array['id', 'decided_at']";
    let accept = format!("select ({accept})::text");

    let [first, second] = overlapping(&database, [("a", &accept), ("a", &accept)]).await;

    assert_eq!(first, second);
    assert!(first.contains(r#""state": "accepted""#), "{first}");
    assert_eq!(count(&mut owner, "app.collaborations").await, 1);
    assert_eq!(count(&mut owner, "serasi.mail_outbox where template = 'application_decided'").await, 1);
    drop(database);
}

#[tokio::test]
async fn accepting_and_withdrawing_exclude_each_other() {
    let (database, mut owner) = EmptyDatabase::migrated().await;
    marketplace(&mut owner, 2).await;
    let withdraw =
        |name: &str| format!("select public.withdraw_application(public.person('{name}')) ->> 'state'");

    let withdrawn_first =
        overlapping(&database, [("i0", &withdraw("i0")), ("a", &decide("i0", "accepted"))]).await;
    let accepted_first =
        overlapping(&database, [("a", &decide("i1", "accepted")), ("i1", &withdraw("i1"))]).await;

    assert_eq!(withdrawn_first, ["withdrawn", "This application is withdrawn and can't be accepted"]);
    assert_eq!(accepted_first, ["accepted", "This application is accepted and can't be withdrawn"]);
    assert_eq!(count(&mut owner, "app.collaborations").await, 1);
    drop(database);
}

#[tokio::test]
async fn nobody_applies_while_the_last_place_is_taken() {
    let (database, mut owner) = EmptyDatabase::migrated().await;
    marketplace(&mut owner, 2).await;
    owner
        .execute("delete from app.gig_applications where influencer_id = person('i1')")
        .await
        .expect("no application yet");
    let apply =
        "insert into public.gig_applications (gig_id, pitch) values (public.person('one'), repeat('x', 20))";

    let results = overlapping(&database, [("a", &decide("i0", "accepted")), ("i1", apply)]).await;

    assert_eq!(results, ["accepted", "This gig is full"]);
    drop(database);
}

#[tokio::test]
async fn one_application_per_gig_and_twenty_a_day_hold_for_parallel_requests() {
    let (database, mut owner) = EmptyDatabase::migrated().await;
    marketplace(&mut owner, 1).await;
    let apply = |gig: &str| {
        format!(
            "insert into public.gig_applications (gig_id, pitch) values (public.person('{gig}'), repeat('x', 20))"
        )
    };
    let twice = overlapping(&database, [("i0", &apply("two")), ("i0", &apply("two"))]).await;
    assert_eq!(
        twice,
        ["", "You have already applied for this gig. The state of your application is applied"]
    );

    owner
        .execute(
            "insert into app.gigs (id, agency_id, title, description)
               select person('gig' || n), person('a'), 'T', 'D' from generate_series(1, 19) as n;
             insert into app.gig_applications (gig_id, influencer_id, pitch)
               select person('gig' || n), person('i0'), repeat('x', 20) from generate_series(1, 17) as n",
        )
        .await
        .expect("one below the limit");
    let [first, second] = overlapping(&database, [("i0", &apply("gig18")), ("i0", &apply("gig19"))]).await;
    assert_eq!(first, "");
    assert!(second.contains("You can apply for 20 gigs a day"), "{second}");
    drop(database);
}

#[tokio::test]
async fn overlapping_bulk_declines_tell_each_applicant_once() {
    let (database, mut owner) = EmptyDatabase::migrated().await;
    marketplace(&mut owner, 20).await;
    let decline = |order: &str| {
        format!(
            "select jsonb_array_length(public.decline_applications(
               (select array_agg(public.person('i' || n) order by n {order}) from generate_series(0, 19) as n)))::text"
        )
    };

    let results = overlapping(&database, [("a", &decline("asc")), ("a", &decline("desc"))]).await;

    assert_eq!(results, ["20", "20"]);
    assert_eq!(count(&mut owner, "serasi.mail_outbox").await, 20);
    drop(database);
}

/// Deletions lock in the same order, so that neither is the victim of a deadlock.
#[tokio::test]
async fn accounts_are_deleted_while_applications_are_decided() {
    let (database, mut owner) = EmptyDatabase::migrated().await;
    marketplace(&mut owner, 2).await;
    let delete = |name: &str| format!("delete from auth.users where id = person('{name}')");

    let gone_first =
        overlapping(&database, [("owner", &delete("i0")), ("a", &decide("i0", "accepted"))]).await;
    assert_eq!(gone_first, ["", "This application is withdrawn and can't be accepted"]);
    let accepted_first =
        overlapping(&database, [("a", &decide("i1", "accepted")), ("owner", &delete("i1"))]).await;
    assert_eq!(accepted_first, ["accepted", ""]);
    let accepted = "app.gig_applications join app.collaborations on collaborations.id = collaboration_id
                    where gig_applications.influencer_id is null and collaborations.influencer_id is null";
    assert_eq!(count(&mut owner, accepted).await, 1);

    let [told, deleted] =
        overlapping(&database, [("owner", "select app.digest_applications()"), ("owner", &delete("a"))])
            .await;
    assert_eq!([told, deleted], ["", ""]);
    assert_eq!(count(&mut owner, "app.gig_applications where agency_id is null and gig_id is null").await, 2);

    // All other requests can continue.
    let id: Option<Uuid> = sqlx::query_scalar("select id from app.gigs limit 1")
        .fetch_optional(&mut owner)
        .await
        .expect("the agency's gigs are gone");
    assert_eq!(id, None);
    drop(database);
}
