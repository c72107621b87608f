//! Uses a backend that fails, hangs and records calls on demand. `tests/it/removals.rs` covers real files.

use std::io;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::body::Body;
use futures::future::{BoxFuture, join_all, pending};
use sqlx::types::Uuid;
use tempfile::TempDir;
use test_support::database::TestDatabase;
use test_support::waiting::eventually;

use sqlx::PgPool;

use super::*;
use crate::backend::Listed;
use crate::domain::version::Version;
use crate::staging::Staged;

const MINUTE: Duration = Duration::from_secs(60);

#[derive(Default)]
struct Recorder {
    removed: Mutex<Vec<Version>>,
    fails: AtomicBool,
    /// Hangs after recording the removal.
    hangs: AtomicBool,
}

impl Recorder {
    fn removed(&self) -> Vec<String> {
        self.removed.lock().unwrap().iter().map(ToString::to_string).collect()
    }
}

impl Backend for Recorder {
    fn put(&self, _: Version, _: Staged) -> BoxFuture<'_, io::Result<()>> {
        unreachable!()
    }

    fn read(&self, _: Version, _: Range<u64>) -> BoxFuture<'_, io::Result<Body>> {
        unreachable!()
    }

    fn copy(&self, _: Version, _: Version) -> BoxFuture<'_, io::Result<()>> {
        unreachable!()
    }

    fn remove(&self, version: Version) -> BoxFuture<'_, io::Result<()>> {
        Box::pin(async move {
            self.removed.lock().unwrap().push(version);
            if self.fails.load(Ordering::Relaxed) {
                return Err(io::Error::other("out of order"));
            }
            if self.hangs.load(Ordering::Relaxed) {
                pending::<()>().await;
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
            Ok(())
        })
    }

    fn present(&self) -> BoxFuture<'_, io::Result<()>> {
        unreachable!()
    }

    fn prepare(&self) -> BoxFuture<'_, io::Result<()>> {
        unreachable!()
    }

    fn holds(&self, _: Version) -> BoxFuture<'_, io::Result<bool>> {
        unreachable!()
    }

    fn list(&self, _: u8) -> BoxFuture<'_, io::Result<Vec<Listed>>> {
        unreachable!()
    }

    fn ready(&self) -> BoxFuture<'_, io::Result<()>> {
        unreachable!()
    }
}

struct Queue {
    database: TestDatabase,
    rows: PgPool,
    backend: Arc<Recorder>,
    dir: TempDir,
}

impl Queue {
    /// Objects `1`, `2`, … in the bucket `images`, all queued, oldest first.
    async fn of(count: i32) -> Self {
        let database = TestDatabase::new().await;
        let rows = database.owner_pool().await;
        sqlx::query(
            "with object as (
               insert into storage.objects (bucket_id, name, version)
               select 'images', number, gen_random_uuid() from generate_series(1, $1) number
               returning name
             )
             insert into storage.removals (bucket_id, name, next_attempt_at)
             select 'images', name, now() - make_interval(days => 1, secs => -name::int) from object",
        )
        .bind(count)
        .execute(&rows)
        .await
        .unwrap();
        Self { database, rows, backend: Arc::default(), dir: tempfile::tempdir().unwrap() }
    }

    /// A worker with its own connections, like a replica.
    async fn worker(&self, interval: Duration) -> Removals {
        let backend = Arc::clone(&self.backend);
        let variants = Variants::open(self.dir.path(), 1).unwrap();
        Removals { pool: self.database.service_pool("storage_admin").await, backend, variants, interval }
    }

    async fn objects(&self) -> Vec<String> {
        sqlx::query_scalar("select name from storage.objects order by name")
            .fetch_all(&self.rows)
            .await
            .unwrap()
    }

    async fn entries(&self) -> Vec<String> {
        sqlx::query_scalar("select name from storage.removals order by name")
            .fetch_all(&self.rows)
            .await
            .unwrap()
    }

    async fn versions(&self) -> Vec<String> {
        sqlx::query_scalar("select version from storage.objects").fetch_all(&self.rows).await.unwrap()
    }

    /// The attempts and the seconds until the next one, for a single entry.
    async fn next_attempt(&self) -> (i32, f64) {
        sqlx::query_as(
            "select attempts, extract(epoch from next_attempt_at - now())::float8 from storage.removals",
        )
        .fetch_one(&self.rows)
        .await
        .unwrap()
    }

    async fn run(&self, statement: &'static str) {
        sqlx::raw_sql(statement).execute(&self.rows).await.unwrap();
    }

    async fn until_empty(&self) {
        let emptied = async {
            while !self.entries().await.is_empty() {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(MINUTE, emptied).await.unwrap();
    }
}

#[tokio::test]
async fn failed_attempts_are_retried_with_backoff() {
    let queue = Queue::of(1).await;
    let worker = queue.worker(MINUTE).await;
    queue.backend.fails.store(true, Ordering::Relaxed);
    for (attempts, wait) in [(1, 60.0), (2, 120.0), (3, 240.0)] {
        worker.process_queue().await.unwrap();
        // Not due yet: nothing is attempted.
        worker.process_queue().await.unwrap();
        let (counted, seconds) = queue.next_attempt().await;
        assert_eq!((counted, queue.backend.removed().len()), (attempts, attempts as usize));
        assert!((wait - 30.0..=wait).contains(&seconds), "{seconds} s after attempt {attempts}");
        queue.run("update storage.removals set next_attempt_at = now()").await;
    }
    assert_eq!(queue.objects().await, ["1"]);

    queue.run("update storage.removals set attempts = 2000000000").await;
    worker.process_queue().await.unwrap();
    assert!((3570.0..=3600.0).contains(&queue.next_attempt().await.1));

    queue.backend.fails.store(false, Ordering::Relaxed);
    queue.run("update storage.removals set next_attempt_at = now()").await;
    worker.process_queue().await.unwrap();
    assert!(queue.objects().await.is_empty() && queue.entries().await.is_empty());
}

#[tokio::test]
async fn replicas_remove_each_object_once() {
    // Once with claims that hold, once with claims that expire while the work is done.
    for interval in [MINUTE, Duration::from_micros(1)] {
        let queue = Queue::of(250).await;
        let mut expected = queue.versions().await;
        let workers = join_all((0..4).map(|_| queue.worker(interval))).await;
        for outcome in join_all(workers.iter().map(Removals::process_queue)).await {
            outcome.unwrap();
        }
        let mut removed = queue.backend.removed();
        expected.sort();
        removed.sort();
        assert_eq!(removed, expected);
        assert!(queue.objects().await.is_empty() && queue.entries().await.is_empty());
    }
}

#[tokio::test]
async fn removals_interrupted_by_a_crash_are_retried() {
    let queue = Queue::of(2).await;
    queue.backend.hangs.store(true, Ordering::Relaxed);
    let interval = Duration::from_millis(200);
    let crashing = tokio::spawn(queue.worker(interval).await.run());
    eventually("a file is removed", async || !queue.backend.removed().is_empty()).await;
    crashing.abort();
    assert!(crashing.await.unwrap_err().is_cancelled());
    assert_eq!(queue.objects().await, ["1", "2"]);
    assert_eq!(queue.entries().await, ["1", "2"]);

    queue.backend.hangs.store(false, Ordering::Relaxed);
    let next = tokio::spawn(queue.worker(interval).await.run());
    queue.until_empty().await;
    next.abort();
    assert!(queue.objects().await.is_empty());
    assert_eq!(queue.backend.removed().len(), 3);
}

#[tokio::test]
async fn a_concurrent_upload_survives() {
    let queue = Queue::of(1).await;
    let worker = queue.worker(MINUTE).await;
    let mut upload = queue.rows.begin().await.unwrap();
    sqlx::query("update storage.objects set version = $1, updated_at = now()")
        .bind(Uuid::nil().to_string())
        .execute(&mut *upload)
        .await
        .unwrap();
    let working = tokio::spawn(async move { worker.process_queue().await });
    let waits = "select exists (select from pg_stat_activity where datname = current_database()
                                and usename = 'storage_admin' and wait_event_type = 'Lock')";
    eventually("the worker waits", async || {
        sqlx::query_scalar::<_, bool>(waits).fetch_one(&queue.rows).await.unwrap()
    })
    .await;
    upload.commit().await.unwrap();
    working.await.unwrap().unwrap();
    assert_eq!(queue.versions().await, [Uuid::nil().to_string()]);
    assert!(queue.entries().await.is_empty() && queue.backend.removed().is_empty());
}

#[tokio::test]
async fn a_rejected_entry_does_not_block_others() {
    let queue = Queue::of(5).await;
    queue
        .run(
            "create function storage.test_refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
             create trigger test_refuse before delete on storage.objects
             for each row when (old.name = '1') execute function storage.test_refuse();",
        )
        .await;
    let worker = queue.worker(MINUTE).await;
    worker.process_queue().await.unwrap();
    assert_eq!((queue.objects().await, queue.next_attempt().await.0), (vec!["1".to_owned()], 1));

    queue.run("drop trigger test_refuse on storage.objects").await;
    queue.run("update storage.removals set next_attempt_at = now()").await;
    worker.process_queue().await.unwrap();
    assert!(queue.objects().await.is_empty() && queue.entries().await.is_empty());
}

#[tokio::test]
async fn entries_locked_by_others_are_skipped() {
    let queue = Queue::of(2).await;
    let mut other = queue.rows.begin().await.unwrap();
    sqlx::query("select from storage.removals where name = '1' for update")
        .execute(&mut *other)
        .await
        .unwrap();
    queue.worker(MINUTE).await.process_queue().await.unwrap();
    assert_eq!(queue.entries().await, ["1"]);
}

#[tokio::test]
async fn missing_objects_and_blobs_are_not_failures() {
    let queue = Queue::of(3).await;
    queue
        .run(
            "update storage.objects set version = null, updated_at = created_at where name = '1';
             set storage.allow_delete_query = 'true'; delete from storage.objects where name = '2';",
        )
        .await;
    queue.worker(MINUTE).await.process_queue().await.unwrap();
    assert!(queue.objects().await.is_empty() && queue.entries().await.is_empty());
    assert_eq!(queue.backend.removed().len(), 1);
}
