//! `serasi import supabase` with dumps of the real pg_dump.

mod person;
mod refused;
mod renamed;
mod seeded;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use sqlx::{Connection, Executor, PgConnection};
use test_support::cluster::Cluster;

use crate::product::Product;
use crate::support::{refusal, serasi};
use person::Person;
use seeded::seeded_people_sign_in;

const PROJECT: &str = include_str!("import/project.sql");
const ALICE: &str = "a11ce000-0000-4000-8000-000000000001";
const BOB: &str = "b0b00000-0000-4000-8000-000000000002";

/// A Supabase project, and the folder with its dump and its files.
struct Project {
    cluster: Cluster,
    folder: tempfile::TempDir,
}

impl Project {
    async fn new() -> Self {
        let cluster = Cluster::start("wal_level = logical");
        let mut connection = cluster.connect().await;
        connection.execute(PROJECT).await.unwrap();
        connection.close().await.unwrap();
        let folder = tempfile::tempdir().unwrap();
        let files = folder.path().join("files");
        for (name, content) in
            [("avatars/alice/face.txt", "hello"), (&*format!("documents/{ALICE}/plan.txt"), "world")]
        {
            let file = files.join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, content).unwrap();
        }
        Self { cluster, folder }
    }

    fn files(&self) -> PathBuf {
        self.folder.path().join("files")
    }

    /// Dumps the project with these options of pg_dump.
    fn dump(&self, name: &str, options: &[&str]) -> PathBuf {
        self.write(name, &self.cluster.dump(&[options, &["postgres"]].concat()))
    }

    fn write(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::write(&path, content).unwrap();
        path
    }
}

fn import(data_dir: &Path, dumps: &[&Path], more: &[&str]) -> Output {
    let mut command = serasi();
    command.args(["import", "supabase", "--data-dir"]).arg(data_dir).args(more);
    for dump in dumps {
        command.arg("--dump").arg(dump);
    }
    command.output().unwrap()
}

fn report(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Everything that an import could leave behind.
async fn traces(connection: &mut PgConnection) -> (i64, i64, i64, bool) {
    sqlx::query_as(
        "select (select count(*) from auth.users), (select count(*) from storage.objects) + (select count(*) from storage.buckets),
           (select count(*) from pg_class) + (select count(*) from pg_proc) + (select count(*) from pg_policy) + (select count(*) from pg_trigger)
             + (select count(*) from pg_extension),
           exists (select from pg_roles where rolname = 'import_owner')",
    )
    .fetch_one(connection)
    .await
    .unwrap()
}

fn blobs(data_dir: &Path) -> usize {
    let folders = fs::read_dir(data_dir.join("storage/blobs")).into_iter().flatten();
    folders.filter_map(|folder| fs::read_dir(folder.unwrap().path()).ok()).map(Iterator::count).sum()
}

/// The gateway reads the new schema after a notification.
async fn until_served(product: &Product) {
    for _ in 0..600 {
        if product.get("/rest/v1/notes?select=id").await.status().is_success() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the gateway does not serve the imported tables");
}

#[tokio::test]
async fn a_project_comes_along_with_its_people_policies_and_files() {
    let project = Project::new().await;
    let dump = project.dump("dump.sql", &[]);
    let data_dir = tempfile::tempdir().unwrap();
    let data_dir = data_dir.path();
    let product = Product::start(data_dir, &[]);
    let mut connection = product.superuser().await;
    let before = traces(&mut connection).await;
    let files = project.files();
    let files = ["--storage", files.to_str().unwrap()];

    for _ in 0..2 {
        says_what_would_happen(&report(&import(data_dir, &[&dump], &files)));
        assert_eq!(traces(&mut connection).await, before);
        assert_eq!(blobs(data_dir), 0);
    }
    let done = report(&import(data_dir, &[&dump], &[&files[..], &["--apply"]].concat()));
    assert!(
        done.starts_with("Imported:\n  accounts: 3\n") && !done.contains("Nothing was changed"),
        "{done}"
    );
    let again = refusal(&import(data_dir, &[&dump], &["--apply"]));
    assert!(
        again.contains("this project was imported already") && again.contains("12 of 12 objects"),
        "{again}"
    );

    until_served(&product).await;
    people_go_on(&product).await;
    files_are_served(&product).await;
    the_owner_is_powerless(&mut connection).await;
    an_upgrade_keeps_what_was_imported(data_dir, &product).await;

    // As an import leaves it that was killed.
    connection.execute("alter role import_owner login; grant serasi_owner to import_owner").await.unwrap();
    connection.execute("grant create on schema public to import_owner").await.unwrap();
    connection.close().await.unwrap();
    product.launcher.signal("-TERM");
    assert!(product.launcher.wait().success());
    let product = Product::start(data_dir, &[]);
    the_owner_is_powerless(&mut product.superuser().await).await;
}

fn says_what_would_happen(would: &str) {
    for line in [
        "Would be imported:",
        "  accounts: 3\n",
        "  identities: 4\n",
        "  buckets: 2\n",
        "  objects: 2 (10 bytes)\n",
        "  public.notes: 3\n",
        "tables without row security, open to every role that has a privilege on them: 2",
        "3 rows of auth.refresh_tokens, auth.sessions: left out on purpose: people sign in again",
        "1 identities of github: are imported, but",
        "bucket images: exists here",
        "publication supabase_realtime",
        "1 row of vault.secrets",
        "Nothing was changed.",
    ] {
        assert!(would.contains(line), "{line}: {would}");
    }
}

async fn people_go_on(product: &Product) {
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
    accounts_go_on(product, &alice).await;
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

async fn accounts_go_on(product: &Product, alice: &Person<'_>) {
    let banned = Person::sign_in(product, "carol@project.test").await.err().unwrap();
    assert_eq!(banned["error_code"], "user_banned", "{banned}");
    // The trigger on auth.users of the project.
    let person =
        json!({ "email": "dan@project.test", "password": "correct horse", "data": { "nickname": "Dan" } });
    let signed_up = product.request(Method::POST, "/auth/v1/signup").json(&person).send().await.unwrap();
    assert!(signed_up.status().is_success(), "{}", signed_up.text().await.unwrap());
    let dan = alice.get("/rest/v1/members?select=mood&nickname=eq.dan").await;
    assert_eq!(dan, json!([{ "mood": "calm" }]));
    seeded_people_sign_in(product).await;
    let staff: Value = product.get("/rest/v1/user_roles?select=role").await.json().await.unwrap();
    assert_eq!(staff, json!([]), "nobody gets a role by an import");
    let hash = "select encrypted_password like '$argon2id$%' from auth.users where id = $1::text::uuid";
    let mut connection = product.superuser().await;
    for (id, is_new) in [(ALICE, true), (BOB, false)] {
        let has_new: bool = sqlx::query_scalar(hash).bind(id).fetch_one(&mut connection).await.unwrap();
        assert_eq!(has_new, is_new, "the password is hashed again at the first sign-in");
    }
}

async fn files_are_served(product: &Product) {
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
}

/// After the import, the role that ran the dump can't sign in, and owns only what the dump created.
async fn the_owner_is_powerless(connection: &mut PgConnection) {
    let about: (bool, bool, bool, bool, i64, i64) = sqlx::query_as(
        "select rolcanlogin, rolsuper, has_schema_privilege(oid, 'public', 'create'), has_table_privilege(oid, 'auth.users', 'insert'),
           (select count(*) from pg_auth_members where member = pg_roles.oid),
           (select count(*) from pg_attribute join pg_class on pg_class.oid = attrelid
            where relnamespace = 'auth'::regnamespace and relkind = 'r' and attnum > 0 and attname ~ 'token|password|secret|hash'
              and has_column_privilege(pg_roles.oid, attrelid, attnum, 'select'))
         from pg_roles where rolname = 'import_owner'",
    )
    .fetch_one(connection)
    .await
    .unwrap();
    assert_eq!(about, (false, false, false, false, 0, 0));
}

/// Policies and triggers on tables of this product are in no file of it.
async fn an_upgrade_keeps_what_was_imported(data_dir: &Path, product: &Product) {
    let mut connection = product.superuser().await;
    let imported = "select count(*) from pg_policy where app.is_imported_policy(oid)
      union all select count(*) from pg_trigger where tgname = 'on_auth_user_created'";
    connection
        .execute("update migration.version set hash = 'old'; delete from migration.reapplied")
        .await
        .unwrap();
    let upgraded = serasi().args(["migrate", "--data-dir"]).arg(data_dir).output().unwrap();
    assert!(upgraded.status.success(), "{}", String::from_utf8_lossy(&upgraded.stderr));
    let left: Vec<i64> = sqlx::query_scalar(imported).fetch_all(&mut connection).await.unwrap();
    assert_eq!(left, [2, 1]);
    files_are_served_still(product).await;
}

async fn files_are_served_still(product: &Product) {
    let alice = Person::sign_in(product, "alice@project.test").await.unwrap();
    assert_eq!(
        alice.get(&format!("/storage/v1/object/authenticated/documents/{ALICE}/plan.txt")).await,
        "world"
    );
}
