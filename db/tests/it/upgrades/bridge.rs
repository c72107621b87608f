//! Databases from before the tables were written down by subject (`src/bridge.rs`).

use db::MigrationError;
use sqlx::migrate::MigrateError;
use sqlx::{Executor, PgConnection};

use crate::support::EmptyDatabase;

/// Of migration 49, with the demo's rows.
pub(crate) const DUMP: &[u8] = include_bytes!("../../upgrades/migration-0049.sql.gz");

const OPERATOR: &str = "
    create schema crm;
    create table crm.people (id uuid primary key references auth.users (id), email text);
    insert into crm.people select id, email from auth.users;
    create function crm.add_person() returns trigger language plpgsql security definer set search_path = '' as
      'begin insert into crm.people values (new.id, new.email); return null; end';
    create trigger add_person after insert on auth.users for each row execute function crm.add_person();
    create index people_of_a_day on auth.users (created_at);
    create index mails_of_a_day on app.mail_outbox (created_at);
    alter table auth.users add column crm_id text;
    create table public.events (id uuid primary key default gen_random_uuid(), owner uuid references auth.users (id), title text);
    create policy \"people read their own\" on public.events for select to authenticated using (owner = (select auth.uid()));
    grant select on public.events to authenticated;
    insert into public.events (owner, title) select id, email from auth.users";

/// What the operator has, and how many rows.
const OWN: &str = "
    select concat_ws(' ', (select count(*) from crm.people), (select count(*) from public.events),
      (select count(*) from pg_trigger where tgname = 'add_person'), (select count(*) from pg_policies where tablename = 'events'),
      to_regclass('auth.people_of_a_day'), (select attname from pg_attribute where attname = 'crm_id'),
      has_table_privilege('authenticated', 'public.events', 'select'))";

async fn own(connection: &mut PgConnection) -> String {
    sqlx::query_scalar(OWN).fetch_one(connection).await.expect("read what the operator has")
}

#[tokio::test]
async fn what_the_operator_has_survives() {
    let database = EmptyDatabase::restored(DUMP).await;
    let mut connection = database.connect().await;
    connection.execute(OPERATOR).await.expect("the operator's tables");
    let before = own(&mut connection).await;
    assert!(before.ends_with(" 1 1 auth.people_of_a_day crm_id t"), "{before}");

    db::migrate(&mut connection, |_| ()).await.expect("upgrade");

    assert_eq!(own(&mut connection).await, before);
    connection.execute("insert into auth.users (email) values ('new@example.com')").await.expect("sign up");
    assert_ne!(own(&mut connection).await, before, "the operator's trigger still runs");
    let moved: bool = sqlx::query_scalar("select to_regclass('serasi.mails_of_a_day') is not null")
        .fetch_one(&mut connection)
        .await
        .expect("look the index up");
    assert!(moved, "the index of a table that moved");
    drop(database);
}

#[tokio::test]
async fn decisions_about_profiles_are_kept() {
    const BEFORE: &str = "select string_agg(one::text, ' ' order by one) from (
        select to_jsonb(i) || '{\"kind\": \"influencer\"}' as one from app.influencer_moderation as i
        union all select to_jsonb(a) || '{\"kind\": \"agency\", \"approved\": false}' from app.agency_moderation as a
        union all select to_jsonb(v) || '{\"kind\": \"vendor\", \"approved\": false}' from app.vendor_moderation as v) as rows";
    const AFTER: &str = "select string_agg(one::text, ' ' order by one) from (select to_jsonb(m) as one from app.moderation as m) as rows";
    let database = EmptyDatabase::restored(DUMP).await;
    let mut connection = database.connect().await;
    let before: String = sqlx::query_scalar(BEFORE).fetch_one(&mut connection).await.expect("read");
    assert!(before.len() > 10_000, "{before}");

    db::migrate(&mut connection, |_| ()).await.expect("upgrade");

    let after: String = sqlx::query_scalar(AFTER).fetch_one(&mut connection).await.expect("read");
    assert_eq!(after, before);
    drop(database);
}

/// Changes the record of the migrations, and returns why the upgrade is refused.
async fn refused(dump: &[u8], change: &'static str) -> MigrationError {
    let database = EmptyDatabase::restored(dump).await;
    let mut connection = database.connect().await;
    connection.execute(change).await.expect("change the record");
    let before = db::snapshot(&mut connection).await.expect("read the structure");

    let error = db::migrate(&mut connection, |_| ()).await.expect_err("an unknown history");

    assert_eq!(db::difference(&before, &db::snapshot(&mut connection).await.expect("read")), "");
    drop(database);
    error
}

#[tokio::test]
async fn an_older_database_is_refused_with_the_version_to_start_first() {
    let message = refused(DUMP, "delete from migration.applied where version > 40").await.to_string();

    assert!(
        message.starts_with("the database is older (migration 40) than this program can upgrade"),
        "{message}"
    );
    assert!(message.contains("first start Serasi of commit") && !message.contains('\n'), "{message}");
}

#[tokio::test]
async fn a_database_that_was_never_released_is_refused_with_the_version_to_start_first() {
    let added = "insert into migration.applied (version, description, success, checksum, execution_time) values (50, '', true, '\\x00', 1)";
    for (change, last) in [(added, 50), ("update migration.applied set version = 62 where version = 49", 62)]
    {
        let message = refused(DUMP, change).await.to_string();

        let expected = format!("the database is of a version that was never released (migration {last}): ");
        assert!(message.starts_with(&expected), "{message}");
        assert!(message.contains("first start Serasi of commit") && !message.contains('\n'), "{message}");
    }
}

#[tokio::test]
async fn a_database_with_another_history_is_refused() {
    let error = refused(DUMP, "update migration.applied set checksum = '\\x00' where version = 7").await;

    assert!(matches!(error, MigrationError::Migration(MigrateError::VersionMismatch(49))), "{error}");
}
