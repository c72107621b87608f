//! Upgrades keep what an operator created on Serasi's tables, or stop.

use db::{MigrationError, Patience};
use sqlx::{Executor, PgConnection};

use super::releases::{migration, with_migration, with_text};
use crate::support::EmptyDatabase;

const OPERATOR: &str = "
create schema crm;
create table crm.people (id uuid primary key references auth.users (id), email text);
create function crm.add_person() returns trigger language plpgsql security definer set search_path = '' as
  'begin insert into crm.people values (new.id, new.email); return null; end';
create trigger add_person after insert on auth.users for each row execute function crm.add_person();
create trigger \"watch gigs\" after update on app.gigs for each row execute function crm.add_person();
create policy \"the crm reads\" on app.gigs for select to pg_monitor using (true);
create rule quiet as on delete to app.notices where false do instead nothing;
create index people_of_a_day on auth.users (created_at);
alter table auth.users add constraint plausible check (created_at > '2000-01-01'), add column crm_id text;
create statistics crm.of_gigs on title, budget from app.gigs;
create publication crm for table app.gigs;
comment on table app.gigs is 'ours';
grant select on app.gigs to pg_monitor;
grant update (title) on app.gigs to pg_monitor;
grant execute on function app.is_admin() to pg_monitor;
create view crm.titles as select title from public.gigs;
create function crm.is_admin() returns boolean language sql begin atomic select app.is_admin(); end;";

async fn objects(connection: &mut PgConnection) -> Vec<String> {
    sqlx::query_scalar(
        "select 'trigger ' || tgname from pg_trigger where tgname in ('add_person', 'watch gigs')
         union all select 'policy ' || polname from pg_policy where polname = 'the crm reads'
         union all select 'rule ' || rulename from pg_rewrite where rulename = 'quiet'
         union all select 'index ' || relname from pg_class where relname = 'people_of_a_day'
         union all select 'constraint ' || conname from pg_constraint where conname = 'plausible'
         union all select 'column ' || attname from pg_attribute where attname = 'crm_id'
         union all select 'statistics ' || stxname from pg_statistic_ext where stxname = 'of_gigs'
         union all select 'publication ' || tablename from pg_publication_tables where pubname = 'crm'
         union all select 'comment ' || obj_description('app.gigs'::regclass)
         union all select 'privileges ' || has_table_privilege('pg_monitor', 'app.gigs', 'select')
           || has_column_privilege('pg_monitor', 'app.gigs', 'title', 'update') || has_function_privilege('pg_monitor', 'app.is_admin()', 'execute')
         union all select 'relation ' || oid::regclass from pg_class where relnamespace = 'crm'::regnamespace and relkind in ('r', 'v')
         union all select 'function ' || oid::regproc from pg_proc where pronamespace = 'crm'::regnamespace
         order by 1",
    )
    .fetch_all(connection)
    .await
    .expect("read the catalog")
}

async fn upgrade(connection: &mut PgConnection, release: &db::Release) -> Result<(), MigrationError> {
    db::upgrade_to(release, connection, Patience::default(), |_| ()).await
}

#[tokio::test]
async fn an_upgrade_keeps_what_the_operator_created() {
    let (database, mut connection) = EmptyDatabase::migrated().await;
    connection.execute(OPERATOR).await.expect("the operator's objects");
    let before = objects(&mut connection).await;
    assert_eq!(before.len(), 15, "{before:?}");
    // When this file changes, all files are applied.
    let remark = |sql: &str| format!("{sql}\n-- a remark");

    upgrade(&mut connection, &with_text("backend/functions/maintenance.sql", remark)).await.expect("upgrade");

    assert_eq!(objects(&mut connection).await, before);
    connection.execute("insert into auth.users (email) values ('new@example.com')").await.expect("sign up");
    let people: i64 = sqlx::query_scalar("select count(*) from crm.people")
        .fetch_one(&mut connection)
        .await
        .expect("query");
    assert_eq!(people, 1);
    drop(database);
}

#[tokio::test]
async fn what_an_upgrade_cannot_keep_stops_it_with_its_name() {
    let (database, mut connection) = EmptyDatabase::migrated().await;
    connection.execute(OPERATOR).await.expect("the operator's objects");
    let before = objects(&mut connection).await;
    let drops = |sql| with_migration(migration(9999, sql));
    let replaces = with_text("marketplace/functions/notices.sql", |sql| {
        format!(
            "{sql}\ncreate or replace trigger add_person after insert on auth.users for each row execute function app.copy_email();"
        )
    });
    let changes = with_text("marketplace/access/gigs.sql", |sql| {
        sql.replace("select id, agency_id", "select 1 as first, id, agency_id")
    });
    for (release, name) in [
        (drops("drop view public.gigs cascade"), "relation crm.titles"),
        (drops("drop trigger add_person on auth.users"), "trigger add_person on auth.users"),
        (drops("revoke all on app.gigs from pg_monitor"), "privilege SELECT on app.gigs of pg_monitor"),
        (replaces, "trigger add_person on auth.users"),
        (changes, "view crm.titles"),
    ] {
        let error = upgrade(&mut connection, &release).await.expect_err(name).to_string();
        assert!(error.contains(name), "{name}: {error}");
        assert_eq!(objects(&mut connection).await, before, "{name}");
    }
    drop(database);
}
