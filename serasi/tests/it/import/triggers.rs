//! No command of an operator runs the triggers of a dump as a superuser, whose code could run programs on the server.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use sqlx::AssertSqlSafe;

use super::refused::with;
use super::{Target, import, report};
use crate::support::{refusal, serasi};

const TRIGGERS: &str = "
create function public.watch() returns trigger language plpgsql as $$
begin
  if (select rolsuper from pg_catalog.pg_roles where rolname = session_user) then raise exception 'it runs as a superuser'; end if;
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
async fn commands_do_not_run_imported_triggers_as_a_superuser() {
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
    let refused = sqlx::raw_sql(lost).execute(&mut connection).await.unwrap_err();
    assert!(refused.to_string().contains("it runs as a superuser"), "{refused}");
    let silently = format!("set session_replication_role = replica; {lost}");
    sqlx::raw_sql(AssertSqlSafe(silently)).execute(&mut connection).await.unwrap();
    let check = ["storage", "check", "--remove-rows", "--minimum-age", "0"];
    let checked = report(&command(&check).output().unwrap());
    assert!(checked.contains("object without file: images/lost.webp"), "{checked}");
    let lost = "select count(*) from storage.objects where name = 'lost.webp'";
    let lost: i64 = sqlx::query_scalar(lost).fetch_one(&mut connection).await.unwrap();
    assert_eq!(lost, 0);
    for generates in [&["seed", "--influencers", "1"][..], &["demo"]] {
        let refused = refusal(&command(generates).output().unwrap());
        assert!(refused.contains("watch on auth.users, watch on storage.objects"), "{refused}");
    }
    let left = "select count(*) from pg_catalog.pg_roles where rolname ~ '^serasi_[a-z0-9]{20}$'";
    let left: i64 = sqlx::query_scalar(left).fetch_one(&mut connection).await.unwrap();
    assert_eq!(left, 0, "temporary logins are dropped");
}
