//! A backup may have been tampered with: its dump never runs as a superuser, and a failed restore leaves nothing behind.

use std::path::PathBuf;

use serde_json::{Value, json};
use sqlx::PgConnection;
use tempfile::TempDir;

use super::own_site::{OwnSite, traces};
use crate::backup::tampered::{Files, file, read, replace, write_with_sums};
use crate::backup::{count, entries, succeeded};
use crate::import::takeover::{HOSTILE, assert_confined};
use crate::support::refusal;

const TABLE: &str = "
create table public.mine (id int primary key, owner uuid references auth.users (id), checked_by_nobody_but_postgresql text);
insert into public.mine values (1), (2);
create function public.log_account() returns trigger language plpgsql as $$ begin return null; end $$;
create trigger log_account after insert on auth.users for each row execute function public.log_account();";

/// A backup with one of the operator's tables, and an empty database to restore it into.
pub struct BackedUp {
    pub site: OwnSite,
    pub place: TempDir,
    pub backup: PathBuf,
    pub files: Files,
    /// To the empty database.
    pub connection: PgConnection,
    /// See [`traces`].
    pub before: (i64, i64, i64, bool),
}

impl BackedUp {
    /// `more`: statements that a login without rights runs before the backup. Those that fail are ignored.
    pub async fn new(site: OwnSite, more: &str) -> Self {
        site.run(TABLE).await;
        site.run_as_nobody(more).await;
        let place = tempfile::tempdir().unwrap();
        site.back_up(place.path());
        let backup = place.path().join(&entries(place.path())[0]);
        let files = read(&backup);
        site.create("target").await;
        let mut connection = site.connect_to("target").await;
        let before = traces(&mut connection).await;
        Self { site, place, backup, files, connection, before }
    }
}

fn with_dump(files: &Files, from: &str, to: &str) -> Files {
    let mut files = files.clone();
    replace(file(&mut files, "database.dump"), from, to);
    files
}

fn with_trigger(files: &Files, statement: &str) -> Files {
    let mut files = files.clone();
    let mut manifest: Value = serde_json::from_slice(&files[0].1).unwrap();
    manifest["on_our_tables"]["triggers"][0]["statement"] = json!(statement);
    files[0].1 = manifest.to_string().into_bytes();
    files
}

/// As if the policy were on `storage.objects`, where the first one of that name is.
fn with_policy(files: &Files, statement: &str) -> Files {
    let mut files = files.clone();
    let mut manifest: Value = serde_json::from_slice(&files[0].1).unwrap();
    let policy = |statement: &str| json!({ "statement": statement, "table": "storage.objects", "name": "a" });
    let first = policy("CREATE POLICY a ON storage.objects FOR SELECT TO anon USING (false)");
    manifest["on_our_tables"]["policies"] = json!([first, policy(statement)]);
    files[0].1 = manifest.to_string().into_bytes();
    files
}

/// The texts of a dump's table of contents are not compressed.
fn refused(files: &Files) -> Vec<(Files, &'static str)> {
    let create = "CREATE TABLE public.mine (\n    id integer NOT NULL,\n    owner uuid,\n    checked_by_nobody_but_postgresql text\n);";
    let copy = "COPY public.mine (id, owner, checked_by_nobody_but_postgresql) FROM stdin;";
    let ours = "COPY auth.users (";
    let key = "ALTER TABLE ONLY public.mine\n    ADD CONSTRAINT mine_pkey PRIMARY KEY (id);";
    let trigger = |timing: &str, table: &str, function: &str| {
        format!("CREATE TRIGGER log_account {timing} ON {table} FOR EACH ROW EXECUTE FUNCTION {function}()")
    };
    let on_users = trigger("AFTER INSERT", "auth.users", "public.log_account");
    vec![
        (with_dump(files, create, "alter role import_owner superuser;"), "must be superuser"),
        (
            with_dump(files, create, "insert into auth.users (email) values ('evil@example.test');"),
            "permission denied for table users",
        ),
        (
            with_dump(files, copy, "COPY public.mine FROM PROGRAM 'touch /tmp/serasi-evil';"),
            "COPY to or from an external program",
        ),
        (with_dump(files, create, "\\! touch /tmp/serasi-evil"), "backslash commands are restricted"),
        (with_dump(files, ours, "create role evil;"), "permission denied to create role"),
        (
            with_dump(files, key, "alter table public.mine add unique (nothing);"),
            "column \"nothing\" named in key does not exist",
        ),
        (
            with_trigger(files, "alter table auth.users add a int default public.f()"),
            "creates no policy or trigger",
        ),
        (with_trigger(files, &format!("{on_users}; drop table auth.users")), "multiple commands"),
        (with_trigger(files, &on_users.replacen("log_account", "a", 1)), "is described wrongly"),
        (
            with_trigger(files, &trigger("AFTER INSERT", "serasi.mail_outbox", "public.log_account")),
            "permission denied for schema serasi",
        ),
        (
            with_trigger(
                files,
                &trigger("BEFORE UPDATE", "auth.users", "suppress_redundant_updates_trigger"),
            ),
            "is described wrongly",
        ),
        (
            with_policy(files, "CREATE POLICY a ON auth.users FOR SELECT TO anon USING (true)"),
            "is described wrongly",
        ),
    ]
}

#[tokio::test]
async fn a_hostile_dump_is_refused_and_leaves_nothing_behind() {
    // The backend alone is restored faster.
    let BackedUp { site, place, backup, files, mut connection, before } =
        BackedUp::new(OwnSite::bare().await, "").await;
    for (files, reason) in refused(&files) {
        write_with_sums(&backup, &files);
        let line = refusal(&site.restore_into("target", place.path()));
        assert!(line.contains(reason), "{reason}: {line}");
        assert_eq!(traces(&mut connection).await, before, "{reason}");
        let evil = "pg_roles where rolname = 'evil' or rolname = 'import_owner' and rolsuper";
        assert_eq!(count(&mut connection, evil).await, 0, "{reason}");
        let blobs = site.folder().join("target/blobs");
        let files: usize = entries(&blobs).iter().map(|folder| entries(&blobs.join(folder)).len()).sum();
        assert_eq!(files, 0, "{reason}");
    }
    assert!(!std::path::Path::new("/tmp/serasi-evil").exists());
    write_with_sums(&backup, &files);
    succeeded(&site.restore_into("target", place.path()));
    assert_eq!(count(&mut connection, "public.mine").await, 2);
    let line = refusal(&site.restore_into("target", place.path()));
    assert!(line.contains("the database is not empty"), "{line}");
}

#[tokio::test]
async fn code_of_a_backup_has_no_more_rights_than_its_role() {
    let BackedUp { site, place, mut connection, .. } =
        BackedUp::new(OwnSite::new().await, &format!("{HOSTILE}; truncate public.taken")).await;
    succeeded(&site.restore_into("target", place.path()));
    sqlx::raw_sql("update migration.version set hash = 'old'; delete from migration.reapplied")
        .execute(&mut connection)
        .await
        .unwrap();
    succeeded(&site.serasi_in("target", &["migrate"]).output().unwrap());
    sqlx::raw_sql("insert into auth.users (email) values ('new@example.test')")
        .execute(&mut connection)
        .await
        .unwrap();
    assert_confined(&mut connection, &["generated", "index", "trigger"]).await;
}
