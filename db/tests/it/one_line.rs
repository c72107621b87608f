//! Migrations 48 and 49 clean the names, addresses and details that earlier versions accepted.

use db::Release;
use sqlx::{AssertSqlSafe, Executor, PgConnection};

use crate::support::EmptyDatabase;

/// Like a database without the migration.
const BEFORE: &str = "
    alter table app.influencers drop constraint influencers_visible_text, drop constraint influencers_visible_details;
    alter table app.collaborations drop constraint collaborations_visible_text;
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

async fn migrate(owner: &mut PgConnection, version: i64) {
    let migration =
        Release::current().migrations.into_iter().find(|it| it.version == version).expect("the migration");
    owner
        .execute(AssertSqlSafe(format!("begin; {}; commit", migration.sql.as_str())))
        .await
        .expect("migrate");
}

#[tokio::test]
async fn stored_text_is_cleaned_once_and_the_rest_is_left_unchanged() {
    let (database, mut owner) = EmptyDatabase::migrated().await;
    owner.execute(BEFORE).await.expect("the earlier constraints");
    owner.execute(ROWS).await.expect("rows of an earlier version");
    owner.execute("drop function app.is_one_line").await.expect("the earlier functions");
    migrate(&mut owner, 48).await;

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

const BEFORE_DETAILS: &str = "
    alter table app.influencers drop constraint influencers_visible_details;
    alter table app.influencer_private drop constraint influencer_private_visible_payment_info;
    alter table app.collaborations drop constraint collaborations_visible_text;
    drop index app.enquiry_briefs_of_guests;
    drop function app.one_line, app.members_are_one_line";

const DETAILS: &str = r#"
    insert into auth.users (email, raw_user_meta_data)
      select n || '@example.test', '{"user_type": "influencer"}' from generate_series(1, 2) as n;
    insert into app.influencers (user_id, name, username, category, instagram_followers, services, content_posts)
      select id, 'Aina', email, 'Tech', case when email ~ '1' then E'12\u200BK' else '12K' end,
        case when email ~ '1' then '[{"title": "A\nreel", "description": "One\ntwo", "price": "RM\u00a05"},
          {"name": "\u200b", "price": null}, {"title": "Gr\u00f6\u00dfe", "price": "RM\u00a07"}]'::jsonb else '[]' end,
        case when email ~ '1' then '["https://a.test/1", {"title": "\u202ex", "image_url": "https://a.test/2"}]'::jsonb else '[]' end
      from auth.users;
    insert into app.influencer_private (user_id, payment_info)
      select id, case when email ~ '1' then '{"bank_name": "A\nB", "paypal_email": "a\u200b@b.test", "payment_notes": "One\ntwo"}'::jsonb end
      from auth.users;
    insert into app.collaborations (source, title, influencer_id, guest_name)
      select 'enquiry', E'A\u2066reel', id, E'Mei\u202E' from app.influencers where username ~ '1';
"#;

#[tokio::test]
async fn stored_details_are_cleaned_once_and_the_rest_is_left_unchanged() {
    let (database, mut owner) = EmptyDatabase::migrated().await;
    owner.execute(BEFORE_DETAILS).await.expect("the earlier schema");
    owner.execute(DETAILS).await.expect("rows of an earlier version");

    migrate(&mut owner, 49).await;

    let influencers = "select replace(concat_ws('|', instagram_followers, services, content_posts), chr(160), '~') from app.influencers order by username";
    assert_eq!(
        texts(&mut owner, influencers).await,
        [
            r#"12K|[{"price": "RM 5", "title": "A reel", "description": "One\ntwo"}, {"name": "-", "price": null}, {"price": "RM~7", "title": "Größe"}]|["https://a.test/1", {"title": "x", "image_url": "https://a.test/2"}]"#,
            "12K|[]|[]"
        ]
    );
    let payments = "select payment_info::text from app.influencer_private where payment_info is not null";
    assert_eq!(
        texts(&mut owner, payments).await,
        [r#"{"bank_name": "A B", "paypal_email": "a@b.test", "payment_notes": "One\ntwo"}"#]
    );
    let collaborations = "select title || '|' || guest_name from app.collaborations";
    assert_eq!(texts(&mut owner, collaborations).await, ["Areel|Mei"]);
    drop(database);
}
