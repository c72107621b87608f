//! `serasi import supabase` with dumps of the real pg_dump.

mod ended;
mod extensions;
mod person;
pub mod refused;
mod renamed;
mod seeded;
pub mod takeover;
mod target;
mod triggers;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use sqlx::{Connection, Executor, PgConnection};

use crate::prepared;
use crate::product::Product;
use crate::support::{refusal, serasi};
pub use person::Person;
use seeded::seeded_people_sign_in;
pub use target::{Project, signaled_while_asleep};
use target::{Target, traces};

const ALICE: &str = "a11ce000-0000-4000-8000-000000000001";
const BOB: &str = "b0b00000-0000-4000-8000-000000000002";

fn command(data_dir: &Path, dumps: &[&Path], more: &[&str]) -> Command {
    let mut command = serasi();
    command.args(["import", "supabase", "--data-dir"]).arg(data_dir).args(more);
    for dump in dumps {
        command.arg("--dump").arg(dump);
    }
    command
}

fn import(data_dir: &Path, dumps: &[&Path], more: &[&str]) -> Output {
    command(data_dir, dumps, more).output().unwrap()
}

fn report(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn blobs(data_dir: &Path) -> usize {
    let folders = fs::read_dir(data_dir.join("storage/blobs")).into_iter().flatten();
    folders.filter_map(|folder| fs::read_dir(folder.unwrap().path()).ok()).map(Iterator::count).sum()
}

/// The gateway reads the new schema after a notification.
pub async fn until_served(product: &Product) {
    for _ in 0..600 {
        if product.get("/rest/v1/notes?select=id").await.status().is_success() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the gateway does not serve the imported tables");
}

#[tokio::test]
async fn a_project_is_imported_with_its_accounts_policies_and_files() {
    let project = Project::new().await;
    let dump = project.dump("dump.sql", &[]);
    let data_dir = prepared::data_dir();
    let data_dir = data_dir.path();
    let product = Product::start(data_dir, &[]);
    let mut connection = product.superuser().await;
    let before = traces(&mut connection).await;
    let files = project.files();
    let files = ["--storage", files.to_str().unwrap()];

    for _ in 0..2 {
        assert_says_what_would_happen(&report(&import(data_dir, &[&dump], &files)));
        assert_eq!(traces(&mut connection).await, before);
        assert_eq!(blobs(data_dir), 0);
    }
    let done = report(&import(data_dir, &[&dump], &[&files[..], &["--apply"]].concat()));
    assert!(
        done.starts_with("Imported:\n  accounts: 3\n") && !done.contains("Nothing was changed"),
        "{done}"
    );
    let again = refusal(&import(data_dir, &[&dump], &["--apply"]));
    assert!(again.contains("this project was imported already"), "{again}");

    until_served(&product).await;
    rows_are_served(&product).await;
    files_are_served(&product).await;
    the_owner_is_powerless(&mut connection).await;
    an_upgrade_keeps_what_was_imported(data_dir, &product).await;

    leave_as_if_killed(&mut connection).await;
    let migrated = serasi().args(["migrate", "--data-dir"]).arg(data_dir).output().unwrap();
    assert!(migrated.status.success(), "{}", String::from_utf8_lossy(&migrated.stderr));
    the_owner_is_powerless(&mut connection).await;
    leave_as_if_killed(&mut connection).await;
    connection.close().await.unwrap();
    product.launcher.signal("-TERM");
    assert!(product.launcher.wait().success());
    let product = Product::start(data_dir, &[]);
    the_owner_is_powerless(&mut product.superuser().await).await;
}

/// Grants the role the privileges that it has while an import runs.
async fn leave_as_if_killed(connection: &mut PgConnection) {
    connection
        .execute(
            "alter role import_owner login; grant serasi_owner to import_owner; grant create on schema public to import_owner;
             grant select (id, provider_id, provider) on auth.identities to import_owner;
             do $$ begin execute format('grant create, temporary on database %I to import_owner', current_database()); end $$",
        )
        .await
        .unwrap();
}

fn assert_says_what_would_happen(would: &str) {
    for line in [
        "Would be imported:",
        "  accounts: 3\n",
        "  identities: 4\n",
        "  buckets: 2\n",
        "  objects: 2 (10 bytes)\n",
        "  public.notes: 3\n",
        "tables without row security, open to every role that has a privilege on them: 2",
        "3 rows of auth.refresh_tokens, auth.sessions: left out on purpose: users sign in again",
        "1 identities of github: are imported, but",
        "bucket images: already exists",
        "publication supabase_realtime",
        "1 row of vault.secrets",
        "Nothing was changed.",
    ] {
        assert!(would.contains(line), "{line}: {would}");
    }
}

pub async fn rows_are_served(product: &Product) {
    let alice = Person::sign_in(product, "alice@project.test").await.unwrap();
    assert_eq!(alice.user["id"], ALICE);
    assert_eq!(alice.user["email_confirmed_at"], "2025-03-04T05:06:07Z");
    assert_eq!(
        alice.user["app_metadata"],
        json!({ "provider": "email", "providers": ["email"], "plan": "team" })
    );
    assert_eq!(alice.user["user_metadata"]["text"], "tab\t, line\n and \\ \"quotes\"");
    assert_eq!(alice.user["user_metadata"]["user_type"], "member");
    let notes = alice.get("/rest/v1/notes?select=body,length&order=id").await;
    assert_eq!(
        notes,
        json!([{ "body": "first; of two\n\\.\n'quoted'", "length": 25 }, { "body": "second", "length": 6 }])
    );
    assert_eq!(alice.get("/rest/v1/rpc/count_words?note=1").await, json!(3));
    assert_eq!(
        alice.get("/rest/v1/members?select=nickname,mood&nickname=eq.BOB").await,
        json!([{ "nickname": "Bob", "mood": "calm" }])
    );
    assert_eq!(
        alice.get("/rest/v1/calm_members?select=nickname&order=nickname").await.as_array().unwrap().len(),
        3
    );
    assert_eq!(alice.get("/rest/v1/countries?select=name&code=eq.MY").await, json!([{ "name": "Malaysia" }]));

    rows_are_protected(&alice).await;
    accounts_work(product, &alice).await;
}

async fn rows_are_protected(alice: &Person<'_>) {
    let (status, changed) =
        alice.ask(Method::PATCH, "/rest/v1/notes?id=eq.2", Some(json!({ "body": "changed" }))).await;
    assert!(status.is_success() && changed[0]["length"] == 7, "{changed}");
    assert!(changed[0]["changed_at"].as_str() > Some("2026"), "the trigger does not fire: {changed}");
    let (_, others) =
        alice.ask(Method::PATCH, "/rest/v1/notes?id=eq.3", Some(json!({ "body": "taken" }))).await;
    assert_eq!(others, json!([]), "a note of Bob");
    let (status, added) = alice.ask(Method::POST, "/rest/v1/notes", Some(json!({ "body": "new" }))).await;
    assert!(status.is_success() && added[0]["owner"] == ALICE && added[0]["id"] == 4, "{status} {added}");
    let (status, refused) =
        alice.ask(Method::POST, "/rest/v1/notes", Some(json!({ "body": "x", "owner": BOB }))).await;
    assert!(status == 403 && refused["code"] == "42501", "{refused}");
    let (status, refused) =
        alice.ask(Method::POST, "/rest/v1/rpc/count_words", Some(json!({ "note": 3 }))).await;
    assert!(status.is_success() && refused.is_null(), "{refused}");
}

async fn accounts_work(product: &Product, alice: &Person<'_>) {
    let banned = Person::sign_in(product, "carol@project.test").await.err().unwrap();
    assert_eq!(banned["error_code"], "user_banned", "{banned}");
    // The project's trigger on auth.users adds a member.
    let person =
        json!({ "email": "dan@project.test", "password": "correct horse", "data": { "nickname": "Dan" } });
    let signed_up = product.request(Method::POST, "/auth/v1/signup").json(&person).send().await.unwrap();
    assert!(signed_up.status().is_success(), "{}", signed_up.text().await.unwrap());
    let dan = alice.get("/rest/v1/members?select=mood&nickname=eq.dan").await;
    assert_eq!(dan, json!([{ "mood": "calm" }]));
    seeded_people_sign_in(product).await;
    let staff: Value = product.get("/rest/v1/user_roles?select=role").await.json().await.unwrap();
    assert_eq!(staff, json!([]), "an import grants nobody a role");
    let hash = "select encrypted_password like '$argon2id$%' from auth.users where id = $1::text::uuid";
    let mut connection = product.superuser().await;
    for (id, is_new) in [(ALICE, true), (BOB, false)] {
        let has_new: bool = sqlx::query_scalar(hash).bind(id).fetch_one(&mut connection).await.unwrap();
        assert_eq!(has_new, is_new, "the password is hashed again at the first sign-in");
    }
}

pub async fn files_are_served(product: &Product) {
    let alice = Person::sign_in(product, "alice@project.test").await.unwrap();
    let bob = Person::sign_in(product, "bob@project.test").await.unwrap();
    let plan = format!("/storage/v1/object/authenticated/documents/{ALICE}/plan.txt");
    assert_eq!(alice.get(&plan).await, "world");
    assert_eq!(alice.get("/storage/v1/object/public/avatars/alice/face.txt").await, "hello");
    let (status, refused) = bob.ask(Method::GET, &plan, None).await;
    assert_eq!((status.as_u16(), &refused["statusCode"]), (400, &json!("404")), "{refused}");
    let path = |folder: &str| format!("/storage/v1/object/documents/{folder}/new.json");
    let (status, answer) = bob.ask(Method::POST, &path(BOB), Some(json!({ "a": 1 }))).await;
    assert!(status.is_success(), "{answer}");
    let (status, refused) = bob.ask(Method::POST, &path(ALICE), Some(json!({ "a": 1 }))).await;
    assert_eq!((status.as_u16(), &refused["statusCode"]), (400, &json!("403")), "{refused}");
    visitors_list(product).await;
}

/// Visitors see exactly what imported policies allow.
async fn visitors_list(product: &Product) {
    let visitor = Person::visitor(product);
    let list = |bucket: &str| format!("/storage/v1/object/list/{bucket}");
    for (bucket, wanted) in [("avatars", vec!["alice"]), ("documents", vec![])] {
        let (_, listed) = visitor.ask(Method::POST, &list(bucket), Some(json!({ "prefix": "" }))).await;
        let names: Vec<_> = listed.as_array().unwrap().iter().map(|entry| &entry["name"]).collect();
        assert_eq!(names, wanted, "{bucket}");
    }
    let buckets = visitor.get("/storage/v1/bucket").await;
    let names: Vec<_> = buckets.as_array().unwrap().iter().map(|bucket| &bucket["name"]).collect();
    assert_eq!(names, ["avatars", "images"]);
    let upload = "/storage/v1/object/documents/new.txt";
    let (status, refused) = visitor.ask(Method::POST, upload, Some(json!("x"))).await;
    assert_eq!((status.as_u16(), &refused["statusCode"]), (400, &json!("403")), "{refused}");
}

/// After the import, the role that ran the dump can't log in, and owns only what the dump created.
pub async fn the_owner_is_powerless(connection: &mut PgConnection) {
    let rights: Vec<String> = sqlx::query_scalar(
        "select name from pg_roles, lateral (values
           ('login', rolcanlogin), ('superuser', rolsuper),
           ('create in public', has_schema_privilege(oid, 'public', 'create')),
           ('create in the database', has_database_privilege(oid, current_database(), 'create')),
           ('insert accounts', has_table_privilege(oid, 'auth.users', 'insert')),
           ('update accounts', has_any_column_privilege(oid, 'auth.users', 'update')),
           ('select identities', has_any_column_privilege(oid, 'auth.identities', 'select')),
           ('another role', exists (select from pg_auth_members where member = pg_roles.oid)),
           ('secrets', exists (select from pg_attribute join pg_class on pg_class.oid = attrelid
             where relnamespace = 'auth'::regnamespace and relkind = 'r' and attnum > 0 and attname ~ 'token|password|secret|hash'
               and has_column_privilege(pg_roles.oid, attrelid, attnum, 'select')))) as rights (name, has)
         where rolname = 'import_owner' and has",
    )
    .fetch_all(connection)
    .await
    .unwrap();
    assert_eq!(rights, Vec::<String>::new());
}

/// Policies and triggers that the dump added to Serasi's tables. None of Serasi's files creates them.
async fn an_upgrade_keeps_what_was_imported(data_dir: &Path, product: &Product) {
    let mut connection = product.superuser().await;
    let imported = "select count(*) from pg_policy where serasi.is_imported_policy(oid)
      union all select count(*) from pg_trigger where tgname = 'on_auth_user_created'";
    connection
        .execute("update migration.version set hash = 'old'; delete from migration.reapplied")
        .await
        .unwrap();
    let upgraded = serasi().args(["migrate", "--data-dir"]).arg(data_dir).output().unwrap();
    assert!(upgraded.status.success(), "{}", String::from_utf8_lossy(&upgraded.stderr));
    let left: Vec<i64> = sqlx::query_scalar(imported).fetch_all(&mut connection).await.unwrap();
    assert_eq!(left, [4, 1]);
    files_are_served_still(product).await;
    visitors_list(product).await;
}

async fn files_are_served_still(product: &Product) {
    let alice = Person::sign_in(product, "alice@project.test").await.unwrap();
    assert_eq!(
        alice.get(&format!("/storage/v1/object/authenticated/documents/{ALICE}/plan.txt")).await,
        "world"
    );
}
