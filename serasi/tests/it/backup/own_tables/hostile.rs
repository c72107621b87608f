//! A backup may have been tampered with: its dump never runs as a superuser, and a failed restore leaves nothing behind.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use tempfile::TempDir;

use super::own_site::{OwnSite, traces};
use crate::backup::{entries, succeeded};
use crate::import::refused::trap;
use crate::import::takeover::{HOSTILE, assert_confined};
use crate::support::refusal;

const TABLE: &str = "
create table public.mine (id int primary key, owner uuid references auth.users (id));
insert into public.mine values (1), (2);";

fn dump_of(backup: &Path) -> String {
    let mut text = String::new();
    let file = std::fs::File::open(backup.join("own-tables.sql.gz")).unwrap();
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    text
}

/// Replaces the dump, with the right size and hash.
pub fn replace(backup: &Path, dump: &str) {
    let mut compressed = GzEncoder::new(Vec::new(), Compression::fast());
    compressed.write_all(dump.as_bytes()).unwrap();
    let compressed = compressed.finish().unwrap();
    std::fs::write(backup.join("own-tables.sql.gz"), &compressed).unwrap();
    let hash: String = Sha256::digest(&compressed).iter().map(|byte| format!("{byte:02x}")).collect();
    let file = backup.join("manifest.json");
    let mut manifest: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    let saved = &mut manifest["own_tables"]["saved"];
    saved["bytes"] = json!(compressed.len());
    saved["sha256"] = json!(hash);
    std::fs::write(file, manifest.to_string()).unwrap();
}

/// Adds statements between the tables and their rows, labeled as objects of `import_owner`.
pub fn with(dump: &str, statements: &str) -> String {
    let place = dump.find("-- Data for Name: mine;").unwrap();
    let place = dump[..place].rfind("\n--\n").unwrap();
    format!(
        "{}\n-- Name: a; Type: TABLE; Schema: public; Owner: import_owner\n{statements}\n{}",
        &dump[..place],
        &dump[place..]
    )
}

/// A backup with one of the operator's tables, and an empty database to restore it into.
pub struct BackedUp {
    pub site: OwnSite,
    pub place: TempDir,
    pub backup: PathBuf,
    pub dump: String,
    /// To the empty database.
    pub connection: PgConnection,
    /// See [`traces`].
    pub before: (i64, i64, i64, bool),
}

impl BackedUp {
    pub async fn new() -> Self {
        let site = OwnSite::new().await;
        site.run(TABLE).await;
        let place = tempfile::tempdir().unwrap();
        site.back_up(place.path());
        let backup = place.path().join(&entries(place.path())[0]);
        let dump = dump_of(&backup);
        site.create("target").await;
        let mut connection = site.connect_to("target").await;
        let before = traces(&mut connection).await;
        Self { site, place, backup, dump, connection, before }
    }
}

#[tokio::test]
async fn a_damaged_or_hostile_dump_is_refused_and_leaves_nothing_behind() {
    let BackedUp { site, place, backup, dump, mut connection, before } = BackedUp::new().await;
    let intact = std::fs::read(backup.join("own-tables.sql.gz")).unwrap();
    let mut damaged = intact.clone();
    damaged[intact.len() / 2] ^= 1;
    std::fs::write(backup.join("own-tables.sql.gz"), damaged).unwrap();
    for command in ["verify", "restore"] {
        let line = refusal(&site.serasi_in("target", &[command]).arg(place.path()).output().unwrap());
        assert!(line.contains("own-tables.sql.gz is damaged"), "{line}");
    }
    let touched = site.folder().join("touched");
    for (dump, reason) in refused(&dump, &touched) {
        replace(&backup, &dump);
        let line = refusal(&site.restore_into("target", place.path()));
        assert!(line.contains(&reason), "{reason}: {line}");
        assert_eq!(traces(&mut connection).await, before, "{reason}");
        assert!(!touched.exists() && entries(&site.folder().join("target/blobs")).len() <= 1, "{reason}");
    }
    replace(&backup, &dump);
    succeeded(&site.restore_into("target", place.path()));
    assert_eq!(super::super::count(&mut connection, "public.mine").await, 2);
    let line = refusal(&site.restore_into("target", place.path()));
    assert!(line.contains("the database is not empty"), "{line}");
}

#[tokio::test]
async fn code_of_a_backup_has_no_more_rights_than_its_role() {
    let BackedUp { site, place, backup, dump, mut connection, .. } = BackedUp::new().await;
    // The manifest has the number of rows.
    let without_rows = dump.replacen("1\t\\N\n2\t\\N\n", "", 1);
    replace(&backup, &with(&without_rows, HOSTILE));
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

fn refused(dump: &str, touched: &Path) -> Vec<(String, String)> {
    let trapped = |code: &str| with(&dump.replacen("2\t\\N\n", "", 1), &trap(code));
    let touch = format!("touch {}", touched.display());
    [
        (dump[..dump.len() / 2].to_owned(), "truncated"),
        (with(dump, "do $$ begin end $$;"), "pg_dump writes no DO statement"),
        (with(dump, &format!("\\! {touch}")), "a psql command"),
        (with(dump, "copy public.mine from program 'id';"), "only COPY FROM stdin is run"),
        (dump.replacen("2\t\\N\n", "", 1), "has 1 rows, and the manifest says 2"),
        (dump.replacen("2\t\\N\n", "1\t\\N\n", 1), "could not create unique index"),
        (dump.replacen("2\t\\N\n", "2\ta11ce000-0000-4000-8000-000000000001\n", 1), "violates foreign key"),
        (
            with(
                dump,
                "create schema app_two; create table app.profiles (id int); create table shop.a (b int);",
            ),
            "schema \"shop\" does not exist",
        ),
        (trapped(&format!("copy (select 1) to program '{touch}'")), "COPY to or from an external program"),
        (trapped("set role serasi_owner"), "permission denied to set role"),
        (
            trapped("insert into auth.users (email) values ('evil@example.test')"),
            "permission denied for table users",
        ),
        (trapped("select email from app.profiles"), "permission denied for table profiles"),
        (trapped("set role postgres"), "permission denied to set role"),
        (trapped("reset session authorization; create role evil superuser"), "must be superuser"),
        (trapped("alter role import_owner superuser"), "must be superuser"),
        (trapped("select pg_read_file('/etc/passwd')"), "permission denied for function pg_read_file"),
    ]
    .into_iter()
    .map(|(dump, reason)| (dump, reason.to_owned()))
    .collect()
}
