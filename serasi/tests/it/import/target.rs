//! A Supabase project, and a product into which it is imported.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use sqlx::{Connection, Executor, PgConnection};
use test_support::cluster::Cluster;
use test_support::waiting::eventually;
use tokio::time::timeout;

use super::ALICE;
use crate::product::Product;

const PATIENCE: Duration = Duration::from_mins(1);
const PROJECT: &str = include_str!("project.sql");

/// A Supabase project, and the folder with its dump and its files.
pub struct Project {
    pub cluster: Cluster,
    pub folder: tempfile::TempDir,
}

impl Project {
    pub async fn new() -> Self {
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

    pub fn files(&self) -> PathBuf {
        self.folder.path().join("files")
    }

    /// Dumps the project with these options of pg_dump.
    pub fn dump(&self, name: &str, options: &[&str]) -> PathBuf {
        self.write(name, &self.cluster.dump(&[options, &["postgres"]].concat()))
    }

    pub fn write(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::write(&path, content).unwrap();
        path
    }
}

/// A project, and an empty product to import it into.
pub struct Target {
    pub project: Project,
    pub product: Product,
    pub folder: tempfile::TempDir,
    pub connection: PgConnection,
    /// See [`traces`].
    pub before: (i64, i64, i64, bool),
}

impl Target {
    pub async fn new() -> Self {
        let project = Project::new().await;
        let folder = tempfile::tempdir().unwrap();
        let product = Product::start(folder.path(), &[]);
        let mut connection = product.superuser().await;
        let before = traces(&mut connection).await;
        Self { project, product, folder, connection, before }
    }
}

/// Everything that an import could leave behind.
pub async fn traces(connection: &mut PgConnection) -> (i64, i64, i64, bool) {
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

/// Starts a program, waits until code of its dump sleeps in the database, and sends the program a signal.
pub async fn signaled_while_asleep(program: Command, signal: &str, connection: &mut PgConnection) -> Output {
    let mut program = tokio::process::Command::from(program);
    program.stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    let running = program.spawn().unwrap();
    timeout(PATIENCE, until_asleep(connection)).await.unwrap();
    let id = running.id().unwrap().to_string();
    Command::new("kill").args([signal, &id]).status().unwrap();
    timeout(PATIENCE, running.wait_with_output()).await.unwrap().unwrap()
}

async fn until_asleep(connection: &mut PgConnection) {
    let sleeps = "select exists (select from pg_stat_activity where (usename = 'import_owner' or usename ~ '^serasi_') and wait_event = 'PgSleep')";
    eventually("the import sleeps", async || {
        sqlx::query_scalar::<_, bool>(sleeps).fetch_one(&mut *connection).await.unwrap()
    })
    .await;
}
