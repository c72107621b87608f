//! The triggers of a dump run as the role that imported it, also when a superuser or a service changes rows.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use super::refused::with;
use super::{Target, import, report};
use crate::support::serasi;

const TRIGGERS: &str = "
create function public.watch() returns trigger language plpgsql as $$
begin
  if current_user <> 'import_owner' then raise exception 'it runs as %', current_user; end if;
  return null;
end $$;
create trigger watch after insert on auth.users for each row execute function public.watch();
create trigger watch after insert or delete on storage.objects for each row execute function public.watch();";

fn with_input(command: &mut Command, input: &str) -> Output {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

#[tokio::test]
async fn imported_triggers_run_as_the_role_that_imported_them() {
    let Target { project, product: _product, folder, mut connection, .. } = Target::new().await;
    let data_dir = folder.path();
    let plain = std::fs::read(project.dump("plain.sql", &[])).unwrap();
    let dump = project.write("triggers.sql", &with(&plain, TRIGGERS));
    report(&import(data_dir, &[&dump], &["--apply", "--skip-missing-files"]));
    let command = |arguments: &[&str]| {
        let mut command = serasi();
        command.args(arguments).arg("--data-dir").arg(data_dir);
        command
    };

    let mut create = command(&["create-superadmin", "--email", "ops@example.com", "--password-stdin"]);
    report(&with_input(&mut create, "correct horse"));
    let lost = "insert into storage.objects (bucket_id, name, version) values ('images', 'lost.webp', gen_random_uuid()::text)";
    sqlx::raw_sql(lost).execute(&mut connection).await.unwrap();
    let check = ["storage", "check", "--remove-rows", "--minimum-age", "0"];
    let checked = report(&command(&check).output().unwrap());
    assert!(checked.contains("object without file: images/lost.webp"), "{checked}");
    let lost = "select count(*) from storage.objects where name = 'lost.webp'";
    let lost: i64 = sqlx::query_scalar(lost).fetch_one(&mut connection).await.unwrap();
    assert_eq!(lost, 0);
    report(&command(&["seed", "--influencers", "1"]).output().unwrap());
    let left = "select count(*) from pg_catalog.pg_roles where rolname ~ '^serasi_[a-z0-9]{20}$'";
    let left: i64 = sqlx::query_scalar(left).fetch_one(&mut connection).await.unwrap();
    assert_eq!(left, 0, "temporary logins are dropped");
}
