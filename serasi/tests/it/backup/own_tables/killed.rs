//! A restore that is interrupted or killed while it restores own tables: nobody uses half of a database.

use std::process::Stdio;
use std::time::Duration;

use sqlx::PgConnection;
use tokio::process::Command;

use super::hostile::{TABLE, backup_of, dump_of, replace, with};
use super::own_site::{OwnSite, traces};
use crate::backup::{count, succeeded};
use crate::import::refused::trap;
use crate::support::refusal;

const PATIENCE: Duration = Duration::from_mins(1);

async fn until_sleeping(connection: &mut PgConnection) {
    let sleeps = "select exists (select from pg_stat_activity where usename = 'import_owner' and wait_event = 'PgSleep')";
    while !sqlx::query_scalar::<_, bool>(sleeps).fetch_one(&mut *connection).await.unwrap() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn an_interrupted_restore_leaves_an_empty_database_and_a_killed_one_is_started_over() {
    let site = OwnSite::new().await;
    site.run(TABLE).await;
    let place = tempfile::tempdir().unwrap();
    succeeded(&site.serasi(&["backup", "--to"]).arg(place.path()).output().unwrap());
    let backup = backup_of(place.path());
    let dump = dump_of(&backup);
    site.create("target").await;
    let mut connection = site.connect_to("target").await;
    let before = traces(&mut connection).await;
    // Longer than the test waits.
    replace(&backup, &with(&dump.replacen("2\t\\N\n", "", 1), &trap("select pg_sleep(3600)")));

    for signal in ["-INT", "-KILL"] {
        let mut restore = Command::from(site.serasi_in("target", &["restore"]));
        restore.arg(place.path()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        let restore = restore.spawn().unwrap();
        tokio::time::timeout(PATIENCE, until_sleeping(&mut connection)).await.unwrap();
        let id = restore.id().unwrap().to_string();
        std::process::Command::new("kill").args([signal, &id]).status().unwrap();
        let output = tokio::time::timeout(PATIENCE, restore.wait_with_output()).await.unwrap().unwrap();
        if signal == "-INT" {
            let line = refusal(&output);
            assert!(line.contains("nothing was restored") && line.contains("interrupted"), "{line}");
            assert_eq!(traces(&mut connection).await, before);
        }
    }
    for arguments in [&["migrate"][..], &["backup", "--to", "elsewhere"]] {
        let line = refusal(&site.serasi_in("target", arguments).output().unwrap());
        assert!(line.contains("a restore into this database was interrupted"), "{line}");
    }
    replace(&backup, &dump);
    succeeded(&site.restore_into("target", place.path()));
    assert_eq!(count(&mut connection, "public.mine").await, 2);
    succeeded(&site.serasi_in("target", &["migrate"]).output().unwrap());
}
