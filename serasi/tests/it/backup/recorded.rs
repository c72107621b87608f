//! What the database records about backups, and the programs that make them automatically.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use sqlx::{AssertSqlSafe, PgConnection};

use super::{Site, count, entries, succeeded};
use crate::support::{refusal, within};

type Row = (String, Option<bool>, bool, Option<String>, Option<i64>);

/// The newest first.
async fn rows(connection: &mut PgConnection) -> Vec<Row> {
    let all = "select state, verified, removed_at is not null, error, picture_count from serasi.backups
               order by created_at desc, id desc";
    sqlx::query_as(all).fetch_all(connection).await.unwrap()
}

async fn run(connection: &mut PgConnection, statement: &str) {
    sqlx::raw_sql(AssertSqlSafe(statement)).execute(connection).await.unwrap();
}

const REQUEST: &str = "insert into serasi.backups (state, requested_by) values ('requested', gen_random_uuid())";

#[tokio::test]
async fn the_database_records_each_backup_and_what_became_of_it() {
    let site = Site::with_demo_data().await;
    let mut connection = site.connect().await;
    let place = tempfile::tempdir().unwrap();
    let back_up = |options: &[&str]| {
        let mut command = site.serasi(&[&["backup"], options, &["--to"]].concat(), place.path());
        command.output().unwrap()
    };

    assert_eq!(succeeded(&back_up(&["--if-due"])), "No backup is due.\n");
    assert!(rows(&mut connection).await.is_empty() && entries(place.path()).is_empty());
    run(&mut connection, REQUEST).await;
    succeeded(&back_up(&["--if-due", "--verify"]));
    let complete = ("complete".to_owned(), Some(true), false, None, Some(3));
    assert_eq!(rows(&mut connection).await, std::slice::from_ref(&complete));
    let (named, requested): (bool, bool) = sqlx::query_as(
        "select place = $1 and bytes > 1000 and row_count > 100 and step is null, requested_by is not null from serasi.backups",
    )
    .bind(place.path().join(&entries(place.path())[0]).display().to_string())
    .fetch_one(&mut connection)
    .await
    .unwrap();
    assert!(named && requested);

    let backup = place.path().join(&entries(place.path())[0]);
    std::fs::write(backup, "damaged").unwrap();
    refusal(&site.serasi(&["verify"], place.path()).output().unwrap());
    let (_, verified, _, error, _) = rows(&mut connection).await.remove(0);
    assert_eq!(verified, Some(false));
    assert!(error.as_ref().unwrap().contains("it is damaged"), "{error:?}");

    // Names have a resolution of a second, and this second already has a backup.
    let older = place.path().join("serasi-20200101T000000Z.tar");
    std::fs::rename(place.path().join(&entries(place.path())[0]), &older).unwrap();
    run(&mut connection, &format!("update serasi.backups set place = '{}'", older.display())).await;
    succeeded(&back_up(&["--keep", "1"]));
    let [newest, oldest] = &rows(&mut connection).await[..] else { panic!("not two rows") };
    assert_eq!((newest.1, newest.2, oldest.2), (None, false, true));

    let file = place.path().join("file");
    std::fs::write(&file, "").unwrap();
    refusal(&site.serasi(&["backup", "--to"], &file.join("below")).output().unwrap());
    let (state, _, _, error, _) = rows(&mut connection).await.remove(0);
    assert!(state == "failed" && error.as_ref().unwrap().contains("Not a directory"), "{error:?}");
}

struct Watcher(Child);

impl Watcher {
    fn start(mut command: Command) -> Self {
        Self(command.stdout(Stdio::null()).spawn().unwrap())
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_watchers_make_one_backup_per_request_and_clean_up_after_a_killed_one() {
    let site = Site::with_demo_data().await;
    let mut connection = site.connect().await;
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("serasi-20200101T000000Z.tar.partial"), "").unwrap();
    run(&mut connection, "insert into serasi.backups (state, started_at) values ('running', now())").await;

    let watch = || Watcher::start(site.serasi(&["backup", "--watch", "--to"], place.path()));
    let (mut first, _second) = (watch(), watch());
    until(&mut connection, "serasi.backups where state = 'failed' and error like 'interrupted%'").await;
    until(&mut connection, "serasi.system_reports where name = 'backups' and data ->> 'place' is not null")
        .await;
    assert!(within(Duration::from_secs(10), || entries(place.path()).is_empty()));
    run(&mut connection, REQUEST).await;
    until(&mut connection, "serasi.backups where state = 'complete' and verified").await;
    assert_eq!(entries(place.path()).len(), 1);
    assert_eq!(count(&mut connection, "serasi.backups").await, 2);

    Command::new("kill").arg(first.0.id().to_string()).status().unwrap();
    assert!(first.0.wait().unwrap().success());
}

async fn until(connection: &mut PgConnection, rows: &str) {
    for _ in 0..600 {
        if count(connection, rows).await > 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("there is never {rows}");
}

#[test]
fn a_watcher_needs_a_database_that_is_served() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = crate::support::serasi();
    command.args(["backup", "--watch", "--to"]).arg(folder.path().join("backups"));
    let message = refusal(&command.arg("--data-dir").arg(folder.path()).output().unwrap());
    assert!(message.contains("set DATABASE_URL"), "{message}");
}
