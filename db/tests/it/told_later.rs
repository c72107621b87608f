//! Changes that affect many people: the first fifty are notified immediately, and the schedule notifies the
//! others.

use sqlx::{Executor, PgConnection};

use crate::applications::{count, marketplace, overlapping};
use crate::support::EmptyDatabase;

const CLOSED: &str = "app.notices where kind = 'gig_closed'";
const WAITING: &str = "app.gig_applications where untold is not null";
const DELETE_GIG: &str = "delete from public.gigs where id = public.person('one')";
const DELETE_APPLICANT: &str = "delete from auth.users where id = person('i0')";

/// Nothing happens if another replica is doing the work.
async fn tick(connection: &mut PgConnection) {
    let failures: Option<Vec<String>> =
        sqlx::query_scalar("select app.tick()").fetch_one(connection).await.expect("the schedule");
    assert!(failures.is_none_or(|failures| failures.is_empty()));
}

#[tokio::test]
async fn sixty_applicants_of_a_deleted_gig_are_notified_once_each() {
    let (database, mut owner) = EmptyDatabase::migrated().await;
    marketplace(&mut owner, 60).await;

    owner.execute("delete from app.gigs where id = person('one')").await.expect("delete the gig");
    assert_eq!((count(&mut owner, CLOSED).await, count(&mut owner, WAITING).await), (50, 10));

    // Two replicas at the same time.
    let mut other = database.connect().await;
    tokio::join!(tick(&mut other), tick(&mut owner));
    tick(&mut owner).await;
    assert_eq!((count(&mut owner, CLOSED).await, count(&mut owner, WAITING).await), (60, 0));
    let mails = "serasi.mail_outbox where template = 'gig_closed'";
    assert_eq!(count(&mut owner, mails).await, 60);
    drop(database);
}

/// Neither is the victim of a deadlock, whichever comes first.
#[tokio::test]
async fn a_gig_and_an_applicant_are_deleted_concurrently() {
    for requests in
        [[("owner", DELETE_APPLICANT), ("a", DELETE_GIG)], [("a", DELETE_GIG), ("owner", DELETE_APPLICANT)]]
    {
        let (database, mut owner) = EmptyDatabase::migrated().await;
        marketplace(&mut owner, 2).await;

        assert_eq!(overlapping(&database, requests).await, ["", ""]);

        assert_eq!(count(&mut owner, CLOSED).await, 1, "the other applicant is notified");
        tick(&mut owner).await;
        assert_eq!((count(&mut owner, CLOSED).await, count(&mut owner, WAITING).await), (1, 0));
        drop(database);
    }
}

/// A double click on the mailed link.
#[tokio::test]
async fn a_guest_who_confirms_twice_concurrently_sends_once() {
    let (database, mut owner) = EmptyDatabase::migrated().await;
    marketplace(&mut owner, 1).await;
    owner
        .execute(
            "insert into app.enquiry_briefs (id, sender_key, guest_email) values (person('brief'), 'guest', 'mei@example.test');
             insert into app.enquiries (brief_id, influencer_id, sender_key, sender_name, deliverables, message, state)
               values (person('brief'), person('i0'), 'guest', 'Mei', 'A reel', 'A message of twenty.', 'unconfirmed');
             insert into app.guest_links (token_hash, purpose, subject_id, expires_at)
               values (encode(sha256('token'), 'hex'), 'enquiry', person('brief'), now() + interval '1 day')",
        )
        .await
        .expect("an enquiry that waits");
    let confirm = "select confirm_enquiry('token') -> 'enquiries' -> 0 ->> 'state'";

    let states = overlapping(&database, [("owner", confirm), ("owner", confirm)]).await;

    assert_eq!(states, ["open", "open"]);
    assert_eq!(count(&mut owner, "app.notices where kind = 'enquiry_received'").await, 1);
    assert_eq!(count(&mut owner, "serasi.mail_outbox where template = 'enquiry_received'").await, 1);
    drop(database);
}
