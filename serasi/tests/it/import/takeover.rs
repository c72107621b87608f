//! Code of a dump never runs with more rights than the role that imports it: not while it is imported, not in what follows.

use std::fs;

use sqlx::{Executor, PgConnection};

use super::refused::with;
use super::{Target, import, report};
use crate::support::serasi;

/// Every function records who runs it, and tries to take over the database. The names shadow those that our statements use, with
/// parameters that fit better than PostgreSQL's.
pub const HOSTILE: &str = include_str!("takeover.sql");

#[tokio::test]
async fn code_of_a_dump_has_no_more_rights_than_its_role() {
    let Target { project, product, folder, mut connection, .. } = Target::new().await;
    let data_dir = folder.path();
    let plain = fs::read(project.dump("plain.sql", &[])).unwrap();
    let dump = project.write("takeover.sql", &with(&plain, HOSTILE));
    let files = project.files();
    let options = ["--apply", "--storage", files.to_str().unwrap()];
    let said = report(&import(data_dir, &[&dump], &options));
    assert!(said.contains("  accounts: 3\n") && said.contains("  identities: 4\n"), "{said}");

    // What operators, people and the services do next.
    connection
        .execute("update migration.version set hash = 'old'; delete from migration.reapplied")
        .await
        .unwrap();
    for arguments in [&["migrate"][..], &["seed", "--influencers", "2"], &["storage", "check"], &["migrate"]]
    {
        report(&serasi().args(arguments).arg("--data-dir").arg(data_dir).output().unwrap());
    }
    super::until_served(&product).await;
    super::files_are_served(&product).await;
    let person = serde_json::json!({ "email": "eve@project.test", "password": "correct horse" });
    let signed_up =
        product.request(reqwest::Method::POST, "/auth/v1/signup").json(&person).send().await.unwrap();
    assert!(signed_up.status().is_success(), "{}", signed_up.text().await.unwrap());

    assert_confined(&mut connection, &["default", "generated", "index", "trigger"]).await;
    super::the_owner_is_powerless(&mut connection).await;
    let triggers: Vec<String> =
        sqlx::query_scalar("select tgname::text from pg_trigger where tgname in ('taken_by_condition', 'taken_by_query', 'promote', 'compares')")
            .fetch_all(&mut connection)
            .await
            .unwrap();
    assert_eq!(triggers, ["compares"]);
}

/// PostgreSQL checks a literal of a domain while it parses the statement that contains it.
const DOMAIN: &str = "
create table public.taken (caller text);
grant insert, select on public.taken to public;
create function public.take() returns boolean language plpgsql as $$
begin insert into public.taken values (current_user); return true; end $$;
create domain public.bait as integer constraint bait_check check (public.take());
create policy bitten on storage.objects for select using ('{1}'::public.bait[] is not null);";

#[tokio::test]
async fn a_domain_in_a_policy_is_checked_with_no_more_rights() {
    let Target { project, product: _product, folder, mut connection, .. } = Target::new().await;
    let plain = fs::read(project.dump("plain.sql", &[])).unwrap();
    let dump = project.write("domain.sql", &with(&plain, DOMAIN));
    let said = report(&import(folder.path(), &[&dump], &["--apply", "--skip-missing-files"]));
    assert!(said.contains("CREATE POLICY bitten ON storage.objects"), "{said}");

    let (scratch, others, policies): (bool, i64, i64) = sqlx::query_as(
        "select exists (select from public.taken where caller ~ '^serasi_[a-z0-9]{20}$'),
           (select count(*) from public.taken where caller !~ '^serasi_[a-z0-9]{20}$' and caller <> 'import_owner'),
           (select count(*) from pg_policy where polname = 'bitten')",
    )
    .fetch_one(&mut connection)
    .await
    .unwrap();
    assert_eq!((scratch, others, policies), (true, 0, 0));
}

/// Code of the dump has run, and only as the role that imported it, or before as a login of the scratch database. `also`: what must have run, in addition to the checks of rows.
pub async fn assert_confined(connection: &mut PgConnection, also: &[&str]) {
    let callers: Vec<String> = sqlx::query_scalar(
        "select distinct caller from public.taken where caller not in ('anon', 'authenticated') and caller !~ '^serasi_[a-z0-9]{20}$' order by 1",
    )
    .fetch_all(&mut *connection)
    .await
    .unwrap();
    assert_eq!(callers, ["import_owner"]);
    let ran: Vec<String> = sqlx::query_scalar("select distinct what from public.taken order by 1")
        .fetch_all(&mut *connection)
        .await
        .unwrap();
    for expected in ["check", "materialized view"].iter().chain(also) {
        assert!(ran.iter().any(|what| what == expected), "{expected} did not run: {ran:?}");
    }
    let (superusers, staff, accounts): (Vec<String>, i64, i64) = sqlx::query_as(
        "select array(select rolname::text from pg_roles where rolsuper order by 1),
           (select count(*) from app.user_roles where role in ('admin', 'superadmin')),
           (select count(*) from auth.users where email like '%evil%')",
    )
    .fetch_one(connection)
    .await
    .unwrap();
    assert_eq!((superusers.len(), staff, accounts), (1, 0, 0), "{superusers:?}");
}
