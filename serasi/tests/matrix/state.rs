//! The product's persistent state: all rows of its schemas and all stored files. A copy is kept; after each
//! act the state is compared with it, and restored if an act was allowed.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Executor};

/// Table digests, and size and time of each file. Reading the files after each act took most of this program's time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    tables: BTreeMap<String, String>,
    files: BTreeMap<PathBuf, (u64, SystemTime)>,
}

/// The last digests with the transaction snapshot they belong to. They stay valid until another transaction
/// writes.
#[derive(Default)]
pub struct Last {
    snapshot: String,
    tables: BTreeMap<String, String>,
}

/// The state to restore.
pub struct Kept {
    question: String,
    state: State,
    blobs: PathBuf,
    contents: BTreeMap<PathBuf, Vec<u8>>,
    columns: BTreeMap<String, String>,
}

impl Kept {
    pub async fn keep(rows: &mut PgConnection, blobs: PathBuf) -> Self {
        let columns: Vec<(String, String)> = sqlx::query_as(
            "select format('%I.%I', nspname, relname), string_agg(quote_ident(attname), ', ' order by attnum)
             from pg_class join pg_namespace n on n.oid = relnamespace join pg_attribute on attrelid = pg_class.oid
             where nspname in ('app', 'serasi', 'auth', 'storage') and relkind = 'r'
               -- These change when the schedule has run, and after deletions.
               and relname not in ('settings', 'erasures')
               and attnum > 0 and not attisdropped and attgenerated = ''
             group by 1",
        )
        .fetch_all(&mut *rows)
        .await
        .unwrap();
        rows.execute("create schema kept").await.unwrap();
        for (table, _) in &columns {
            let copy = format!("create table {} as table {table}", copy_of(table));
            rows.execute(AssertSqlSafe(copy)).await.unwrap();
        }
        let digests = columns.iter().map(|(table, _)| {
            // `serasi up` reports the space on its disks once per minute.
            let only = if table == "serasi.system_reports" { "where name not like 'disk %'" } else { "" };
            format!("select '{table}', md5(coalesce(string_agg(r::text, E'\\n' order by r::text), '')) from {table} r {only}")
        });
        let question = digests.collect::<Vec<_>>().join(" union all ");
        let state = State { tables: digest(rows, &question).await, files: files(&blobs) };
        let contents = state.files.keys().map(|file| (file.clone(), std::fs::read(file).unwrap())).collect();
        Self { question, state, blobs, contents, columns: columns.into_iter().collect() }
    }

    pub async fn now(&self, rows: &mut PgConnection, last: &mut Last) -> State {
        let snapshot = sqlx::query_scalar("select pg_current_snapshot()::text").fetch_one(&mut *rows);
        let snapshot: String = snapshot.await.unwrap();
        if last.snapshot != snapshot {
            *last = Last { snapshot, tables: digest(rows, &self.question).await };
        }
        State { tables: last.tables.clone(), files: files(&self.blobs) }
    }

    /// Restores changed tables and files, bypassing triggers and policies. Again, if the storage service was just removing files
    /// of a deleted account.
    pub async fn restore(&self, rows: &mut PgConnection, last: &mut Last) {
        let mut changed = self.restore_once(rows, last).await;
        for _ in 0..5 {
            if changed.is_empty() {
                return;
            }
            changed = self.restore_once(rows, last).await;
        }
        assert!(changed.is_empty(), "could not be restored: {changed:?}");
    }

    /// Returns what still differs.
    async fn restore_once(&self, rows: &mut PgConnection, last: &mut Last) -> Vec<String> {
        // Otherwise the schedule would erase what is restored.
        rows.execute("delete from app.erasures").await.unwrap();
        let now = self.now(rows, last).await;
        let changed = self.state.difference(&now);
        if changed.is_empty() {
            return changed;
        }
        let mut script =
            "begin; set local session_replication_role = replica; set local synchronous_commit = off;"
                .to_owned();
        for table in now.tables.keys().filter(|table| changed.contains(table)) {
            let (columns, copy) = (&self.columns[table], copy_of(table));
            script.push_str(&format!(
                "delete from {table}; insert into {table} ({columns}) overriding system value select {columns} from {copy};"
            ));
        }
        script.push_str("commit");
        rows.execute(AssertSqlSafe(script)).await.unwrap();
        for file in now.files.keys().filter(|file| !self.state.files.contains_key(*file)) {
            let _ = std::fs::remove_file(file);
        }
        for (file, stamp) in &self.state.files {
            if now.files.get(file) != Some(stamp) {
                std::fs::write(file, &self.contents[file]).unwrap();
                File::options().write(true).open(file).unwrap().set_modified(stamp.1).unwrap();
            }
        }
        self.state.difference(&self.now(rows, last).await)
    }

    pub fn state(&self) -> &State {
        &self.state
    }
}

impl State {
    /// Names of the tables that differ, plus `files`.
    pub fn difference(&self, other: &Self) -> Vec<String> {
        let tables = self.tables.iter().filter(|(name, digest)| other.tables.get(*name) != Some(digest));
        let files = (self.files != other.files).then(|| "files".to_owned());
        tables.map(|(name, _)| name.clone()).chain(files).collect()
    }
}

fn copy_of(table: &str) -> String {
    format!("kept.{}", table.replace('.', "_"))
}

async fn digest(rows: &mut PgConnection, question: &str) -> BTreeMap<String, String> {
    let digests: Vec<(String, String)> =
        sqlx::query_as(AssertSqlSafe(question)).fetch_all(rows).await.unwrap();
    digests.into_iter().collect()
}

fn files(folder: &Path) -> BTreeMap<PathBuf, (u64, SystemTime)> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let about = entry.metadata().unwrap();
        if about.is_dir() {
            found.extend(files(&entry.path()));
        } else {
            found.insert(entry.path(), (about.len(), about.modified().unwrap()));
        }
    }
    found
}
