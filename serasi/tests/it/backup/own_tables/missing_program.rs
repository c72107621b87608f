//! Without a usable `pg_dump`, backups of a database with own tables fail, unless the operator leaves these tables out.

use serde_json::{Value, json};
use sqlx::PgConnection;

use crate::backup::{Site, entries, succeeded};
use crate::support::refusal;

/// Older than the tests' PostgreSQL 18.
const OLDER: &str = "/usr/lib/postgresql/15/bin/pg_dump";

/// Objects that each require `pg_dump`, and the statements that drop them.
const OBJECTS: [(&str, &str); 6] = [
    ("create table public.mine (id int)", "drop table public.mine"),
    ("create function public.mine() returns int language sql return 1", "drop function public.mine"),
    ("create type public.mine as enum ('a')", "drop type public.mine"),
    ("create schema mine", "drop schema mine"),
    ("create extension citext schema extensions", "drop extension citext"),
    (
        "create policy mine on storage.objects using (true); comment on policy mine on storage.objects is 'imported by serasi'",
        "drop policy mine on storage.objects",
    ),
];

async fn last_error(connection: &mut PgConnection) -> (String, Option<String>) {
    let last = "select state, error from app.backups order by created_at desc, id desc limit 1";
    sqlx::query_as(last).fetch_one(connection).await.unwrap()
}

#[tokio::test]
async fn a_backup_without_a_usable_pg_dump_fails_or_leaves_own_tables_out() {
    let site = Site::with_demo_data().await;
    let mut connection = site.connect().await;
    let place = tempfile::tempdir().unwrap();
    let backup = |program: &str, more: &[&str]| {
        let mut backup = site.serasi(&[&["backup"], more, &["--to"]].concat(), place.path());
        backup.env("PG_DUMP", program).output().unwrap()
    };
    // Without own tables, pg_dump is not needed.
    let without = succeeded(&backup("/nowhere/pg_dump", &[]));
    assert!(!without.contains("own tables"), "{without}");
    std::fs::remove_dir_all(place.path().join(&entries(place.path())[0])).unwrap();

    for (create, drop) in OBJECTS {
        sqlx::raw_sql(create).execute(&mut connection).await.unwrap();
        let line = refusal(&backup("/nowhere/pg_dump", &[]));
        assert!(
            line.contains("PG_DUMP: /nowhere/pg_dump is not a pg_dump that can be run"),
            "{create}: {line}"
        );
        sqlx::raw_sql(drop).execute(&mut connection).await.unwrap();
    }
    sqlx::raw_sql("create table public.mine (id int)").execute(&mut connection).await.unwrap();
    let line = refusal(&backup(OLDER, &[]));
    let wanted = "there is no pg_dump of PostgreSQL 18 or later (/usr/lib/postgresql/15/bin/pg_dump is 15.";
    assert!(line.contains(wanted) && line.contains("or leave them out with --without-own-tables"), "{line}");
    let (state, error) = last_error(&mut connection).await;
    assert!(state == "failed" && error.as_ref().is_some_and(|error| error.contains(wanted)), "{error:?}");
    assert_eq!(entries(place.path()), Vec::<String>::new());

    let said = succeeded(&backup(OLDER, &["--without-own-tables"]));
    assert!(said.contains("YOUR OWN TABLES ARE LEFT OUT."), "{said}");
    let manifest = place.path().join(&entries(place.path())[0]).join("manifest.json");
    let manifest: Value = serde_json::from_slice(&std::fs::read(manifest).unwrap()).unwrap();
    assert_eq!((&manifest["own_tables"], &manifest["format"]), (&json!("left_out"), &json!(1)));
    let restored = Site::empty().await;
    assert!(succeeded(&restored.restore(place.path())).contains("YOUR OWN TABLES ARE LEFT OUT."));
    std::fs::remove_dir_all(place.path().join(&entries(place.path())[0])).unwrap();

    let mut by_setting = site.serasi(&["backup", "--to"], place.path());
    by_setting.env("PG_DUMP", OLDER).env("BACKUP_WITHOUT_OWN_TABLES", "true");
    assert!(succeeded(&by_setting.output().unwrap()).contains("LEFT OUT"));
}
