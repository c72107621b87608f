//! Migration 48 cleans the names and addresses that earlier versions accepted.

use db::Release;
use sqlx::{AssertSqlSafe, Executor, PgConnection};

use crate::support::EmptyDatabase;

/// Like a database without the migration.
const BEFORE: &str = "
    alter table app.influencers drop constraint influencers_visible_text;
    alter table app.agencies drop constraint agencies_visible_text;
    alter table app.vendors drop constraint vendors_visible_text;
    alter table app.gigs drop constraint gigs_visible_text;
    alter table app.enquiries drop constraint enquiries_visible_text;
    create or replace function app.is_one_line(variadic fields text[]) returns boolean language sql immutable as 'select true'";

const ROWS: &str = r"
    insert into auth.users (id, email, raw_user_meta_data)
      select overlay(gen_random_uuid()::text placing lpad(n::text, 8, '0') from 1)::uuid, n || '@example.test', jsonb_build_object('user_type', kind)
      from (values (1, 'influencer'), (2, 'influencer'), (3, 'agency'), (4, 'vendor')) as account (n, kind);
    insert into app.influencers (id, user_id, name, username, category, location)
      select id, id, E'Ai\u200Bna\n\tTan', case when email ~ '1' then 'aina' else E'aina\uFEFF' end, 'Tech', E'\u3164'
      from auth.users where email ~ '[12]';
    insert into app.agencies (id, user_id, name, email, phone)
      select id, id, E'Rimba\u202E', E'a\u200B@b.test', '+60 12' from auth.users where email ~ '3';
    insert into app.vendors (id, user_id, name, company_name, email)
      select id, id, E'Tandu\nBhd', 'Tandu', E'a\u2800@b.test' from auth.users where email ~ '4';
    insert into app.gigs (agency_id, title, description, budget)
      select id, E'Two\nhosts', E'One\ntwo', E'RM\u00A0500' from app.agencies;
    insert into app.enquiry_briefs (id, sender_key) select id, id::text from app.vendors;
    insert into app.enquiries
      (brief_id, influencer_id, sender_user_id, sender_key, sender_name, sender_company, deliverables, message, state, opened_at)
      select vendor.id, influencer.id, vendor.id, vendor.id::text, E'V\u2066', 'Tandu', 'A reel', E'A message\nof twenty.', 'open', now()
      from app.vendors as vendor, app.influencers as influencer where influencer.username = 'aina';
    insert into app.newsletter_subscriptions (email) values ('a@b.test'), (E'a\u200B@b.test')";

async fn texts(connection: &mut PgConnection, sql: &'static str) -> Vec<String> {
    sqlx::query_scalar(sql).fetch_all(connection).await.expect(sql)
}

#[tokio::test]
async fn stored_text_is_cleaned_once_and_the_rest_is_left_unchanged() {
    let (database, mut owner) = EmptyDatabase::migrated().await;
    owner.execute(BEFORE).await.expect("the earlier constraints");
    owner.execute(ROWS).await.expect("rows of an earlier version");
    owner.execute("drop function app.is_one_line").await.expect("the earlier functions");
    let migration =
        Release::current().migrations.into_iter().find(|it| it.version == 48).expect("migration 48");

    owner
        .execute(AssertSqlSafe(format!("begin; {}; commit", migration.sql.as_str())))
        .await
        .expect("migrate");

    let influencers = "select concat_ws('|', name, username, location) from app.influencers order by id";
    assert_eq!(texts(&mut owner, influencers).await, ["Aina Tan|aina|-", "Aina Tan|aina-00000002|-"]);
    let agencies = "select concat_ws('|', name, email, phone) from app.agencies";
    assert_eq!(texts(&mut owner, agencies).await, ["Rimba|a@b.test|+60 12"]);
    let vendors = "select concat_ws('|', name, company_name, email) from app.vendors";
    assert_eq!(texts(&mut owner, vendors).await, ["Tandu Bhd|Tandu|a@b.test"]);
    let gigs = "select concat_ws('|', title, description, budget) from app.gigs";
    assert_eq!(texts(&mut owner, gigs).await, ["Two hosts|One\ntwo|RM 500"]);
    let enquiries = "select concat_ws('|', sender_name, sender_company, message) from app.enquiries";
    assert_eq!(texts(&mut owner, enquiries).await, ["V|Tandu|A message\nof twenty."]);
    assert_eq!(texts(&mut owner, "select email from app.newsletter_subscriptions").await, ["a@b.test"]);
    drop(database);
}
