//! What an upgrade changes, and what it leaves unchanged.

use std::collections::BTreeMap;

use db::{MigrationError, Patience, Release, Text};
use sqlx::migrate::{Migration, MigrationType};
use sqlx::{AssertSqlSafe, PgConnection, SqlSafeStr};

use super::catalog;
use crate::support::EmptyDatabase;

pub(super) fn migration(version: i64, sql: &'static str) -> Migration {
    Migration::new(version, "a test".into(), MigrationType::Simple, sql.into_sql_str(), false)
}

pub(super) fn with_migration(migration: Migration) -> Release {
    let mut release = Release::current();
    release.migrations.push(migration);
    release
}

/// The current release with other text in a file; a new file is the last one.
pub(super) fn with_text(file: &str, edit: impl Fn(&str) -> String) -> Release {
    let mut release = Release::current();
    match release.texts.iter_mut().find(|text| text.file == file) {
        Some(text) => {
            let edited = edit(&text.sql);
            assert_ne!(edited, text.sql, "the edit of {file}");
            text.sql = edited;
        }
        None => release.texts.push(Text { file: file.to_owned(), sql: edit("") }),
    }
    release
}

async fn upgrade(connection: &mut PgConnection, release: &Release) -> Result<(), MigrationError> {
    db::upgrade_to(release, connection, Patience::default(), |_| ()).await
}

/// Upgrades from `earlier` to the current release, which must give the same database as a new one.
async fn assert_replaces(earlier: &Release) {
    let (database, mut connection) = EmptyDatabase::migrated().await;
    let new = catalog::read(&mut connection).await;
    upgrade(&mut connection, earlier).await.expect("the earlier release");
    let before = catalog::read(&mut connection).await;
    assert_ne!(before, new, "the earlier release makes no difference");

    db::migrate(&mut connection, |_| ()).await.expect("upgrade");

    let upgraded = catalog::read(&mut connection).await;
    assert_eq!(catalog::differences(&new, &upgraded), "");
    drop(database);
}

#[tokio::test]
async fn a_broken_file_changes_nothing() {
    let (database, mut connection) = EmptyDatabase::migrated().await;
    let before = catalog::read(&mut connection).await;
    let mut broken = with_text("functions/broken.sql", |_| "create function app.broken() nonsense".into());
    let whole = "create function app.whole() returns bigint language sql as 'select 1'".to_owned();
    broken.texts.insert(0, Text { file: "functions/whole.sql".into(), sql: whole });

    let error = upgrade(&mut connection, &broken).await.expect_err("a broken file");

    assert!(error.to_string().starts_with("functions/broken.sql: "), "{error}");
    assert_eq!(catalog::differences(&before, &catalog::read(&mut connection).await), "");
    drop(database);
}

/// The transaction that wrote each object last.
async fn writers(connection: &mut PgConnection) -> BTreeMap<String, String> {
    let rows: Vec<(String, String)> = sqlx::query_as(
        "select 'function ' || oid::regprocedure, xmin::text from pg_proc where pronamespace = 'app'::regnamespace
         union all select 'relation ' || oid::regclass, xmin::text from pg_class where relkind in ('r', 'v')
         union all select 'policy ' || polname || ' on ' || polrelid::regclass, xmin::text from pg_policy
         union all select 'trigger ' || tgname || ' on ' || tgrelid::regclass, xmin::text from pg_trigger where not tgisinternal",
    )
    .fetch_all(connection)
    .await
    .expect("read the catalog");
    rows.into_iter().collect()
}

#[tokio::test]
async fn only_the_files_that_changed_are_applied_again() {
    let (database, mut connection) = EmptyDatabase::migrated().await;
    let before = writers(&mut connection).await;
    let release = with_text("marketplace/functions/notices.sql", |sql| format!("{sql}\n-- a remark"));

    upgrade(&mut connection, &release).await.expect("upgrade");

    let after = writers(&mut connection).await;
    let written: Vec<_> = after.iter().filter(|(object, xid)| before.get(*object) != Some(xid)).collect();
    let written: Vec<_> = written.into_iter().map(|(object, _)| object.as_str()).collect();
    // `alter table … add column if not exists` touches the table of versions.
    let expected = ["function app.tell_of_approval()", "trigger tell_of_approval on app.moderation"];
    assert_eq!(written, expected);
    drop(database);
}

/// Programs without hashes may have been started in between.
#[tokio::test]
async fn after_a_program_without_hashes_every_file_is_applied() {
    let (database, mut connection) = EmptyDatabase::migrated().await;
    let new = catalog::read(&mut connection).await;
    sqlx::raw_sql(
        "create or replace function app.is_admin() returns boolean language sql as 'select true';
         grant select on app.gigs to anon;
         delete from migration.version;
         insert into migration.version (hash) values ('of an older version')",
    )
    .execute(&mut connection)
    .await
    .expect("do what an older program did");

    db::migrate(&mut connection, |_| ()).await.expect("upgrade");

    assert_eq!(catalog::differences(&new, &catalog::read(&mut connection).await), "");
    drop(database);
}

#[tokio::test]
async fn what_no_file_creates_any_more_is_removed() {
    assert_replaces(&with_text("access/former.sql", |_| {
        "create function app.former(bigint) returns text language sql as 'select $1::text';\n\
         create function app.former(text) returns text language sql as 'select $1';\n\
         create view public.former as select app.former(id) as id from app.audit_log;\n\
         create view public.after_it as select id from public.former;\n\
         create function app.former_trigger() returns trigger language plpgsql as 'begin return null; end';\n\
         create trigger former after insert on app.gigs for each row execute function app.former_trigger();\n\
         create policy \"formerly\" on app.gigs for select to anon using (app.former(1) = title);"
            .into()
    }))
    .await;
}

#[tokio::test]
async fn a_view_with_other_columns_is_replaced_with_what_depends_on_it() {
    assert_replaces(&with_text("marketplace/access/influencers.sql", |sql| {
        sql.replace("p.id, p.user_id, p.name,", "p.user_id, p.id, 1 as former, p.name,")
    }))
    .await;
}

#[tokio::test]
async fn a_view_loses_the_defaults_triggers_and_grants_that_its_file_no_longer_has() {
    assert_replaces(&with_text("marketplace/access/gigs.sql", |sql| {
        format!(
            "{sql} alter view public.gigs alter column title set default 'former';
             grant select on public.gigs to anon; grant update (id) on public.gigs to authenticated;
             \ncreate trigger former instead of insert on public.gigs for each row execute function app.write_profile();"
        )
    }))
    .await;
}

#[tokio::test]
async fn a_function_with_another_result_is_replaced_with_the_policies_that_call_it() {
    let earlier = with_text("marketplace/functions/access.sql", |sql| {
        sql.replace("app.is_admin() returns boolean", "app.is_admin(out boolean) returns boolean")
            .replace("app.own_agency_id() returns uuid ", "app.own_agency_id() returns setof uuid ")
    });
    // Policies can't call functions that return a set.
    let earlier = Release {
        texts: earlier
            .texts
            .into_iter()
            .map(|text| Text {
                sql: text
                    .sql
                    .replace("= (select app.own_agency_id())", "in (select app.own_agency_id())")
                    .replace("is distinct from app.own_agency_id()", "not in (select app.own_agency_id())"),
                ..text
            })
            .collect(),
        ..earlier
    };
    assert_replaces(&earlier).await;
}

#[tokio::test]
async fn a_function_with_other_parameters_replaces_the_former_one() {
    assert_replaces(&with_text("marketplace/functions/moderation.sql", |sql| {
        format!(
            "{sql}create function app.keep_approval(text default '') returns text language sql as 'select $1';
             grant execute on function app.keep_approval(text), app.keep_approval() to anon;"
        )
    }))
    .await;
}

#[tokio::test]
async fn a_migration_may_drop_views() {
    let (database, mut connection) = EmptyDatabase::migrated().await;
    let before = writers(&mut connection).await.into_keys().collect::<Vec<_>>();
    let sql =
        "drop function app.user_roles(public.influencers); drop view public.influencers, public.user_roles;
         alter table app.influencers alter column height type varchar(60)";

    upgrade(&mut connection, &with_migration(migration(9999, sql))).await.expect("upgrade");

    assert_eq!(writers(&mut connection).await.into_keys().collect::<Vec<_>>(), before);
    sqlx::query(AssertSqlSafe("select app.user_roles(influencers) from public.influencers"))
        .execute(&mut connection)
        .await
        .expect("the views are back");
    drop(database);
}

#[tokio::test]
async fn a_table_to_which_no_file_gives_access_is_closed() {
    let (database, mut connection) = EmptyDatabase::migrated().await;
    let release = with_text("marketplace/access/notices.sql", |sql| {
        let views = sql.find("create or replace view").unwrap()..sql.find("grant select").unwrap();
        sql[views].to_owned()
    });

    upgrade(&mut connection, &release).await.expect("upgrade");

    let open: bool = sqlx::query_scalar(
        "select has_table_privilege('authenticated', 'app.notices', 'select')
           or exists (select from pg_policy where polrelid = 'app.notices'::regclass and polroles <> array['serasi_owner'::regrole::oid])",
    )
    .fetch_one(&mut connection)
    .await
    .expect("query");
    assert!(!open);
    drop(database);
}
