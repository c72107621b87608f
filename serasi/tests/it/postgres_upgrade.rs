//! A data directory of an earlier PostgreSQL is upgraded by `serasi up`.

use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use sqlx::{Connection, PgConnection};
use test_support::program::skip;

use crate::support::{Launcher, free_port, refusal, serasi, up, within};

const OLD: &str = "/usr/lib/postgresql/15/bin";

/// PostgreSQL refuses to run as root.
fn unprivileged(program: &str) -> Command {
    let mut command = Command::new(format!("{OLD}/{program}"));
    command.current_dir("/").stdout(Stdio::null()).stderr(Stdio::null());
    if nix::unistd::geteuid().is_root() {
        command.uid(65534).gid(65534);
    }
    command
}

struct OldServer(Child);

impl OldServer {
    /// A cluster in the data directory, as an earlier program would have left it, and its running server.
    fn start(data_dir: &Path, port: u16) -> Self {
        let (data, password) = (data_dir.join("postgres"), data_dir.join("postgres-password"));
        fs::write(&password, "old").unwrap();
        fs::create_dir(&data).unwrap();
        for (path, mode) in [(data_dir, 0o755), (&data, 0o700), (&password, 0o644)] {
            fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
        }
        if nix::unistd::geteuid().is_root() {
            std::os::unix::fs::chown(&data, Some(65534), Some(65534)).unwrap();
        }
        let mut initdb = unprivileged("initdb");
        initdb.args([
            "--username",
            "postgres",
            "--encoding",
            "UTF8",
            "--locale",
            "C",
            "--auth",
            "scram-sha-256",
        ]);
        initdb.arg("--no-sync").arg("--pwfile").arg(&password).arg("--pgdata").arg(&data);
        assert!(initdb.status().unwrap().success());
        let mut postgres = unprivileged("postgres");
        postgres.args(["-c", "unix_socket_directories=", "-p", &port.to_string(), "-D"]).arg(&data);
        Self(postgres.spawn().unwrap())
    }
}

impl Drop for OldServer {
    fn drop(&mut self) {
        Command::new("kill").args(["-INT", &self.0.id().to_string()]).status().unwrap();
        self.0.wait().unwrap();
    }
}

/// Waits until the server has started.
async fn connect(url: &str) -> PgConnection {
    for _ in 0..400 {
        if let Ok(connection) = PgConnection::connect(url).await {
            return connection;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("the old server does not start")
}

/// Tables of the operator's own.
const OWN: &str = "
create schema shop;
create table shop.items (id serial primary key, name text unique, account uuid references auth.users (id));
insert into shop.items (name) select 'item ' || n from generate_series(1, 1000) as n;
grant usage on schema shop to authenticated;
grant select on shop.items to authenticated;
alter table shop.items enable row level security;
create policy first_ten on shop.items to authenticated using (id <= 10);";

async fn own_tables_are_kept(new: &mut PgConnection) {
    let next = "insert into shop.items (name) values ('new') returning id, (select count(*) from shop.items),
                  (select relowner::regrole::text from pg_class where oid = 'shop.items'::regclass)";
    let next: (i32, i64, String) = sqlx::query_as(next).fetch_one(&mut *new).await.unwrap();
    assert_eq!(next, (1001, 1000, "import_owner".to_owned()));
    sqlx::raw_sql("set role authenticated").execute(&mut *new).await.unwrap();
    let seen: i64 = sqlx::query_scalar("select count(*) from shop.items").fetch_one(&mut *new).await.unwrap();
    sqlx::raw_sql("reset role").execute(new).await.unwrap();
    assert_eq!(seen, 10);
}

/// A data directory of PostgreSQL 15 with rows of both.
async fn create_old(folder: &Path) {
    let port = free_port();
    let server = OldServer::start(folder, port);
    let url = |name: &str| format!("postgres://postgres:old@127.0.0.1:{port}/{name}");
    let mut connection = connect(&url("postgres")).await;
    sqlx::raw_sql("create database serasi").execute(&mut connection).await.unwrap();
    let mut old = connect(&url("serasi")).await;
    db::migrate(&mut old, |_| ()).await.unwrap();
    sqlx::raw_sql("insert into app.newsletter_subscriptions (email) values ('kept@example.test')")
        .execute(&mut old)
        .await
        .unwrap();
    sqlx::raw_sql(OWN).execute(&mut old).await.unwrap();
    drop((connection, old));
    drop(server);
}

#[tokio::test]
async fn a_data_directory_of_an_earlier_postgresql_is_upgraded() {
    if !Path::new(OLD).exists() {
        return skip("PostgreSQL 15 is not installed");
    }
    let folder = tempfile::tempdir().unwrap();
    create_old(folder.path()).await;
    let version = folder.path().join("postgres/PG_VERSION");
    fs::write(&version, "9").unwrap();
    let message = refusal(&up(folder.path(), free_port()).output().unwrap());
    assert!(
        message.contains("is PostgreSQL 9's") && message.contains("apt-get install postgresql-9"),
        "{message}"
    );
    fs::write(&version, "15\n").unwrap();
    assert!(!folder.path().join("postgres-new").exists());

    let launcher = Launcher::start(folder.path(), free_port());
    let status =
        serasi().args(["status", "--output", "env", "--data-dir"]).arg(folder.path()).output().unwrap();
    let status = String::from_utf8(status.stdout).unwrap();
    let url =
        status.lines().find_map(|line| line.strip_prefix("DB_URL=")).unwrap().trim_matches('\'').to_owned();
    let mut new = PgConnection::connect(&url).await.unwrap();
    let found: (String, i64) = sqlx::query_as(
        "select current_setting('server_version_num'), count(*) from app.newsletter_subscriptions where email like 'kept@%'",
    )
    .fetch_one(&mut new)
    .await
    .unwrap();
    assert!(found.0.starts_with("18") && found.1 == 1, "{found:?}");
    own_tables_are_kept(&mut new).await;
    let kept = fs::read_to_string(folder.path().join("postgres-15/PG_VERSION")).unwrap();
    assert_eq!(kept.trim(), "15");
    let files = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name());
    let files: Vec<String> = files.map(|name| name.into_string().unwrap()).collect();
    assert!(files.iter().all(|name| !name.contains("tmp") && name != "postgres-new"), "{files:?}");
    launcher.signal("-TERM");
    assert!(launcher.wait().success());
    assert!(within(Duration::from_secs(5), || !folder.path().join("postgres/postmaster.pid").exists()));
}
