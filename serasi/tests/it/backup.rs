//! `serasi backup`, `verify` and `restore` with real databases and real files.

mod damaged;
mod encrypted;
mod own_tables;
pub mod pairs;
mod recorded;
mod s3;
pub mod tampered;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use sqlx::{AssertSqlSafe, ConnectOptions, Connection, PgConnection};
use tempfile::TempDir;
use test_support::database::TestDatabase;
use test_support::program::skip;

use crate::full_disk::SmallDisk;
use crate::support::{Launcher, free_port, refusal, serasi, up, within};
use pairs::while_pairs_are_written;

/// A database with its pictures.
pub struct Site {
    pub database: TestDatabase,
    pub storage: TempDir,
}

impl Site {
    pub async fn with_demo_data() -> Self {
        let site = Self::of(TestDatabase::new().await);
        let mut connection = site.connect().await;
        sqlx::raw_sql(db::DEMO_SEED).execute(&mut connection).await.unwrap();
        for number in 1..4_u8 {
            site.add_picture(&mut connection, &vec![number; 1000 * usize::from(number)]).await;
        }
        site
    }

    pub async fn empty() -> Self {
        Self::of(TestDatabase::empty().await)
    }

    pub fn of(database: TestDatabase) -> Self {
        Self { database, storage: tempfile::tempdir().unwrap() }
    }

    pub async fn connect(&self) -> PgConnection {
        PgConnection::connect_with(&self.database.owner()).await.unwrap()
    }

    /// Writes a row and its file like the storage service.
    pub async fn add_picture(&self, connection: &mut PgConnection, content: &[u8]) -> PathBuf {
        let version: String = sqlx::query_scalar(
            "insert into storage.objects (bucket_id, name, version, metadata)
             select 'images', 'backup/' || id, id::text, jsonb_build_object('size', $1::bigint)
             from gen_random_uuid() as id returning version",
        )
        .bind(i64::try_from(content.len()).unwrap())
        .fetch_one(connection)
        .await
        .unwrap();
        let blobs = self.storage.path().join("blobs");
        let file = blobs.join(&version[..2]).join(&version);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(blobs.join(".serasi-blobs"), "").unwrap();
        std::fs::write(&file, content).unwrap();
        file
    }

    pub fn serasi(&self, arguments: &[&str], place: &Path) -> Command {
        let mut command = serasi();
        command.args(arguments).arg(place);
        command.env("DATABASE_URL", self.database.owner().to_url_lossy().as_str());
        command.env("STORAGE_DIR", self.storage.path());
        command
    }

    pub fn backup(&self, place: &Path) -> String {
        succeeded(&self.serasi(&["backup", "--to"], place).output().unwrap())
    }

    pub fn restore(&self, place: &Path) -> Output {
        self.serasi(&["restore"], place).output().unwrap()
    }

    /// The rows of each table, as text.
    pub async fn rows(&self) -> Vec<(String, i64, Option<String>)> {
        let mut connection = self.connect().await;
        let tables: Vec<String> = sqlx::query_scalar(
            "select format('select %L, count(*), md5(string_agg(t::text, chr(10) order by t::text collate \"C\")) from %s t',
               oid::regclass, oid::regclass)
             from pg_class where relkind = 'r' and relname <> 'backups'
               and relnamespace::regnamespace::text in ('app', 'serasi', 'auth', 'storage') order by 1",
        )
        .fetch_all(&mut connection)
        .await
        .unwrap();
        let all = sqlx::query_as(AssertSqlSafe(tables.join(" union all ")));
        all.fetch_all(&mut connection).await.unwrap()
    }

    /// Every stored file, with its content.
    pub fn pictures(&self) -> Vec<(String, Vec<u8>)> {
        let Ok(folders) = std::fs::read_dir(self.storage.path().join("blobs")) else { return Vec::new() };
        let folders = folders.map(|folder| folder.unwrap().path()).filter(|folder| folder.is_dir());
        let files = folders.flat_map(|folder| std::fs::read_dir(folder).unwrap().map(|file| file.unwrap()));
        let mut pictures: Vec<_> = files
            .map(|file| (file.file_name().into_string().unwrap(), std::fs::read(file.path()).unwrap()))
            .collect();
        pictures.sort();
        pictures
    }
}

pub fn succeeded(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The sorted names in a folder.
pub fn entries(place: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(place) else { return Vec::new() };
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[tokio::test]
async fn a_restored_backup_has_every_row_and_picture_and_the_same_policies() {
    let site = Site::with_demo_data().await;
    let place = tempfile::tempdir().unwrap();
    let said = site.backup(place.path());
    assert!(said.contains("and 3 pictures"), "{said}");
    let verified = succeeded(&site.serasi(&["verify"], place.path()).output().unwrap());
    assert!(verified.starts_with("Verified "), "{verified}");

    let restored = Site::empty().await;
    succeeded(&restored.restore(place.path()));
    assert_eq!(restored.rows().await, site.rows().await);
    assert_eq!(restored.pictures(), site.pictures());
    assert_eq!(restored.pictures().len(), 3);

    let mut connection = restored.connect().await;
    let unapproved: i64 = count(&mut connection, "app.influencers where not approved").await;
    assert!(unapproved > 0);
    sqlx::raw_sql("set role anon").execute(&mut connection).await.unwrap();
    assert_eq!(count(&mut connection, "public.influencers where not approved").await, 0);
    assert!(count(&mut connection, "public.influencers").await > 0);
    assert!(sqlx::query("select from app.profiles").execute(&mut connection).await.is_err());
    sqlx::raw_sql("reset role; set role authenticated").execute(&mut connection).await.unwrap();
    assert_eq!(count(&mut connection, "public.profiles").await, 0);
    assert!(sqlx::query("delete from app.audit_log").execute(&mut connection).await.is_err());
}

pub async fn count(connection: &mut PgConnection, from: &str) -> i64 {
    let query = format!("select count(*) from {from}");
    sqlx::query_scalar(AssertSqlSafe(query)).fetch_one(connection).await.unwrap()
}

#[tokio::test]
async fn new_rows_get_numbers_that_no_restored_row_has() {
    let site = Site::with_demo_data().await;
    let add = "insert into app.audit_log (actor, action, subject_type, subject_id)
               values ('test', 'approve', 'influencer', gen_random_uuid()) returning id";
    let last: i64 = sqlx::query_scalar(add).fetch_one(&mut site.connect().await).await.unwrap();
    let place = tempfile::tempdir().unwrap();
    site.backup(place.path());
    let restored = Site::empty().await;
    succeeded(&restored.restore(place.path()));
    let next: i64 = sqlx::query_scalar(add).fetch_one(&mut restored.connect().await).await.unwrap();
    assert!(next > last);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_under_load_contains_whole_transactions_only() {
    let site = Site::with_demo_data().await;
    let place = tempfile::tempdir().unwrap();
    // A backup reads the tables in the order of their names, and these two are far apart.
    let statements = [
        "insert into storage.buckets (id, name) select 'pair-' || $1, 'pair-' || $1",
        "insert into auth.sign_in_failures select 'pair-' || $1, 1, now()",
    ];
    let written =
        while_pairs_are_written(site.connect().await, statements, || site.backup(place.path())).await;

    let restored = Site::empty().await;
    succeeded(&restored.restore(place.path()));
    let mut connection = restored.connect().await;
    let buckets = count(&mut connection, "storage.buckets where id like 'pair-%'").await;
    assert!((10..=written).contains(&buckets), "{buckets} of {written}");
    let whole = "storage.buckets full join auth.sign_in_failures on id = address_hash
                 where (id is null or id like 'pair-%') and (id is null or address_hash is null)";
    assert_eq!(count(&mut connection, whole).await, 0);
}

#[tokio::test]
async fn a_picture_that_is_gone_is_counted_and_no_error() {
    let site = Site::with_demo_data().await;
    let gone = site.add_picture(&mut site.connect().await, b"deleted").await;
    std::fs::remove_file(gone).unwrap();
    let place = tempfile::tempdir().unwrap();
    let output = site.serasi(&["backup", "--to"], place.path()).output().unwrap();
    assert!(succeeded(&output).contains("and 3 pictures"));
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("1 objects have lost their file"), "{said}");
    let restored = Site::empty().await;
    succeeded(&restored.restore(place.path()));
    assert_eq!(restored.pictures().len(), 3);
}

#[tokio::test]
async fn a_full_disk_leaves_no_half_backup() {
    let Some(disk) = SmallDisk::mount("2m") else {
        return skip("mounting a small file system takes root");
    };
    let site = Site::with_demo_data().await;
    let random: Vec<u8> =
        (0..4_000_000_u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    site.add_picture(&mut site.connect().await, &random).await;
    let place = disk.path().join("backups");
    let message = refusal(&site.serasi(&["backup", "--to"], &place).output().unwrap());
    assert!(message.contains("can't be written") && message.contains("No space left"), "{message}");
    assert_eq!(entries(&place), Vec::<String>::new());
}

#[tokio::test]
async fn the_next_backup_removes_what_a_killed_one_left_and_those_that_are_too_many() {
    let site = Site::with_demo_data().await;
    let place = tempfile::tempdir().unwrap();
    for name in [
        "serasi-20200101T000000Z.tar.partial",
        "serasi-20200103T000000Z.tar",
        "serasi-20200104T000000Z.tar.age",
        "holiday-photos.tar",
    ] {
        std::fs::write(place.path().join(name), "").unwrap();
    }
    let said = succeeded(&site.serasi(&["backup", "--keep", "2", "--to"], place.path()).output().unwrap());
    assert!(said.contains("Removed 1 older backups; 2 are kept."), "{said}");
    let left = entries(place.path());
    assert_eq!(left.len(), 3, "{left:?}");
    assert_eq!(&left[..2], ["holiday-photos.tar", "serasi-20200104T000000Z.tar.age"]);
}

#[tokio::test]
async fn serasi_up_makes_the_backup_that_is_due() {
    let (data_dir, place) = (crate::prepared::data_dir(), tempfile::tempdir().unwrap());
    let mut command = up(data_dir.path(), free_port());
    command.env("BACKUP_TO", place.path()).env("BACKUP_EVERY", "24").env("BACKUP_KEEP", "3");
    let launcher = Launcher::of(command);
    let complete = |name: &String| name.starts_with("serasi-") && name.ends_with(".tar");
    let made = within(Duration::from_secs(60), || entries(place.path()).iter().any(complete));
    assert!(made, "{:?}", entries(place.path()));
    launcher.signal("-TERM");
    assert!(launcher.wait().success());

    // The embedded database of another folder, which is not running.
    let restored = tempfile::tempdir().unwrap();
    let mut restore = serasi();
    restore.arg("restore").arg(place.path()).arg("--data-dir").arg(restored.path());
    assert!(succeeded(&restore.output().unwrap()).starts_with("Restored "));
    assert_eq!(entries(place.path()).len(), 1);
}

#[test]
fn a_schedule_needs_a_place() {
    let data_dir = tempfile::tempdir().unwrap();
    let mut command = up(data_dir.path(), free_port());
    let message = refusal(&command.env("BACKUP_EVERY", "24").output().unwrap());
    assert!(message.contains("BACKUP_TO"), "{message}");
}
