//! A restore that is interrupted or killed while it restores the operator's tables. An incomplete database can't be used.

use sqlx::Executor;

use super::hostile::BackedUp;
use super::own_site::{OwnSite, traces};
use crate::backup::{count, succeeded};
use crate::import::signaled_while_asleep;
use crate::support::refusal;

/// Rows whose check sleeps in a restore, as long as there is a role with this name.
const SLEEPY: &str = "
create function public.is_awake() returns boolean language plpgsql as $$
begin
  if current_user = 'import_owner' and exists (select from pg_catalog.pg_roles where rolname = 'sleepy') then
    perform pg_catalog.pg_sleep(3600);
  end if;
  return true;
end $$;
create table public.slow (id int check (public.is_awake()));
insert into public.slow values (1);";

#[tokio::test]
async fn an_interrupted_restore_leaves_an_empty_database_and_a_killed_one_can_be_repeated() {
    let BackedUp { site, place, mut connection, before, .. } =
        BackedUp::new(OwnSite::bare().await, SLEEPY).await;
    connection.execute("create role sleepy").await.unwrap();
    let temporary = tempfile::tempdir().unwrap();
    for signal in ["-INT", "-KILL"] {
        let mut restore = site.serasi_in("target", &["restore"]);
        restore.arg(place.path()).env("TMPDIR", temporary.path());
        let output = signaled_while_asleep(restore, signal, &mut connection).await;
        if signal == "-INT" {
            let line = refusal(&output);
            assert!(line.contains("nothing was restored") && line.contains("interrupted"), "{line}");
            assert_eq!(traces(&mut connection).await, before);
        }
    }
    // The backup may have been encrypted.
    let mut left = std::fs::read_dir(temporary.path()).unwrap().map(|file| file.unwrap().path());
    assert!(left.all(|file| !std::fs::read(file).unwrap_or_default().starts_with(b"PGDMP")));
    for arguments in [&["migrate"][..], &["backup", "--to", "elsewhere"]] {
        let line = refusal(&site.serasi_in("target", arguments).output().unwrap());
        assert!(line.contains("a restore into this database was interrupted"), "{line}");
    }
    connection.execute("drop role sleepy").await.unwrap();
    succeeded(&site.restore_into("target", place.path()));
    assert_eq!(count(&mut connection, "public.slow").await, 1);
    succeeded(&site.serasi_in("target", &["migrate"]).output().unwrap());
}
