//! After every outcome of an import, its role has no temporary privileges, and every row has its file.

use sqlx::Executor;

use super::refused::{SLEEP, trap, with};
use super::{Target, blobs, command, import, signaled_while_asleep, traces};
use crate::support::refusal;

#[tokio::test]
async fn an_interrupted_import_does_not_wait_for_the_running_statement() {
    let Target { project, product: _product, folder, mut connection, before } = Target::new().await;
    let plain = std::fs::read(project.dump("plain.sql", &[])).unwrap();
    let dump = project.write("sleeps.sql", &with(&plain, &trap(SLEEP)));
    let import = command(folder.path(), &[&dump], &["--apply"]);
    let output = signaled_while_asleep(import, "-INT", &mut connection).await;
    let refused = refusal(&output);
    assert!(refused.contains("nothing was imported: interrupted"), "{refused}");
    assert_eq!(traces(&mut connection).await, before);
}

/// Sleeps after the accounts were imported, while the rows of the project's tables are.
const SLEEP_LATE: &str =
    "do $late$ begin if current_user = 'import_owner' then perform pg_sleep(3600); end if; end $late$;";

#[tokio::test]
async fn the_next_import_removes_what_a_killed_one_left() {
    let Target { project, product: _product, folder, mut connection, before } = Target::new().await;
    let plain = std::fs::read(project.dump("plain.sql", &[])).unwrap();
    let files = project.files();
    let options = ["--apply", "--storage", files.to_str().unwrap()];
    let dump = project.write("sleeps.sql", &with(&plain, &trap(SLEEP_LATE)));
    let import_it = command(folder.path(), &[&dump], &options);
    signaled_while_asleep(import_it, "-KILL", &mut connection).await;
    assert_eq!(traces(&mut connection).await.0, 3, "the accounts are there");

    let dump = project.write("broken.sql", &with(&plain, "select nothing;"));
    let again = import(folder.path(), &[&dump], &options);
    assert!(String::from_utf8_lossy(&again.stderr).contains("An import into this database was interrupted"));
    refusal(&again);
    let (accounts, objects, _, has_role) = traces(&mut connection).await;
    assert_eq!((accounts, objects, has_role), (before.0, before.1, before.3));
    let left = "select count(*) from pg_class where oid in (to_regclass('public.notes'), to_regclass('public.traps'))";
    let left: i64 = sqlx::query_scalar(left).fetch_one(&mut connection).await.unwrap();
    assert_eq!(left, 0);
}

/// Makes revoking privileges on tables of accounts fail.
const NO_REVOKE: &str = "
create function app.no_revoke() returns event_trigger language plpgsql as $$
begin if current_query() ilike '%revoke insert, update on auth.users%' then raise exception 'no'; end if; end $$;
create event trigger no_revoke on ddl_command_end when tag in ('REVOKE') execute function app.no_revoke();";

#[tokio::test]
async fn an_import_that_cannot_clean_up_leaves_nothing_behind() {
    let Target { project, product: _product, folder, mut connection, .. } = Target::new().await;
    let plain = std::fs::read(project.dump("plain.sql", &[])).unwrap();
    connection.execute(NO_REVOKE).await.unwrap();
    let dump = project.write("plain.sql", &plain);
    let files = project.files();
    let ended = import(folder.path(), &[&dump], &["--apply", "--storage", files.to_str().unwrap()]);
    let line = refusal(&ended);
    assert!(line.contains("nothing was imported") && line.contains("keeps its rights"), "{line}");
    let objects: i64 =
        sqlx::query_scalar("select count(*) from storage.objects").fetch_one(&mut connection).await.unwrap();
    assert_eq!((objects, blobs(folder.path())), (0, 0));
}
