//! The upgrade of a database without erasure, and the first run of the schedule, also erase accounts that were deleted earlier.

use sqlx::{Connection, Executor, PgConnection};

use crate::support::EmptyDatabase;

/// A database of the last schema without erasure: an account that was deleted, a guest, and hashes without a key.
const ROWS: &str = "
    set session_replication_role = replica;
    insert into app.enquiry_briefs (sender_key, client, guest_email) values
      ('dddddddd-0000-4000-8000-000000000001', null, null),
      (encode(sha256('guest mei@example.test'), 'hex'), encode(sha256('203.0.113.7/32'), 'hex'), 'mei@example.test');
    insert into app.enquiries (brief_id, sender_key, deliverables, message, state)
      select id, sender_key, 'A reel', 'A message of twenty.', 'expired' from app.enquiry_briefs;
    insert into app.collaborations (id, source, title, guest_name, state, completed_at, client_completed_at)
      values ('cccccccc-0000-4000-8000-000000000001', 'enquiry', 'A reel', 'Mei', 'completed', now(), now());
    insert into app.reviews (collaboration_id, author_key, side, rating, text, publish_at) values
      ('cccccccc-0000-4000-8000-000000000001', 'dddddddd-0000-4000-8000-000000000001', 'influencer', 5, repeat('x', 20), now() + interval '1 day'),
      ('cccccccc-0000-4000-8000-000000000001', encode(sha256('mei@example.test'), 'hex'), 'client', 5, repeat('x', 20), now() + interval '1 day');
    insert into app.reports (id, kind, subject_id, reason, snapshot) values ('eeeeeeee-0000-4000-8000-000000000001', 'enquiry', gen_random_uuid(), 'scam', '{}');
    insert into app.report_decisions (report_id, owner_id) values ('eeeeeeee-0000-4000-8000-000000000001', 'dddddddd-0000-4000-8000-000000000001');
    insert into app.blocked_senders (address_hash, name, reason, blocker) values
      (encode(sha256('mei@example.test'), 'hex'), 'mei@example.test', 'Spam', 'admin');
    insert into app.newsletter_allowances (source, hour_used_until, day_used_until) values
      (encode(sha256('203.0.113.7/32'), 'hex'), now() + interval '1 day', now() + interval '1 day');
    insert into app.audit_log (actor_id, actor, action, subject_type, subject_id, subject) values
      ('dddddddd-0000-4000-8000-000000000001', 'gone@example.test', 'approve', 'influencer', 'dddddddd-0000-4000-8000-000000000001', 'Gone')";

/// The tables that still contain one of these texts.
const FOUND: &str = "
    select relation from (select format('%I.%I', nspname, relname) as relation from pg_class
      join pg_namespace on pg_namespace.oid = relnamespace where nspname in ('app', 'serasi', 'auth', 'storage') and relkind = 'r') as tables
    where (xpath('/row/n/text()', query_to_xml(format('select count(*) as n from %s as searched where searched::text ~ %L', relation,
      'dddddddd|gone@example|Gone|' || encode(sha256('mei@example.test'), 'hex') || '|' || encode(sha256('guest mei@example.test'), 'hex')
      || '|' || encode(sha256('203.0.113.7/32'), 'hex')), false, true, '')))[1]::text <> '0' order by 1";

async fn found(connection: &mut PgConnection) -> Vec<String> {
    sqlx::query_scalar(FOUND).fetch_all(connection).await.expect("search")
}

#[tokio::test]
async fn earlier_deletions_are_erased_and_hashes_get_a_key() {
    let database = EmptyDatabase::restored(crate::upgrades::bridge::DUMP).await;
    let mut earlier = database.connect().await;
    earlier.execute(ROWS).await.expect("rows of the earlier version");
    assert_eq!(found(&mut earlier).await.len(), 7);
    earlier.close().await.expect("close");

    let mut owner = database.connect().await;
    db::migrate(&mut owner, |_| ()).await.expect("migrate");
    let failures: Vec<String> =
        sqlx::query_scalar("select app.tick()").fetch_one(&mut owner).await.expect("the schedule");

    assert_eq!(failures, Vec::<String>::new());
    assert_eq!(found(&mut owner).await, Vec::<String>::new());
    let blocked: bool = sqlx::query_scalar("select app.is_blocked_address('Mei@example.test')")
        .fetch_one(&mut owner)
        .await
        .expect("the block");
    assert!(blocked, "a block outlives the change of its hash");
    drop(database);
}
