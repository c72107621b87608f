//! A cache of public objects, so that reading them again takes no query: their rows, and the complete responses of small
//! ones. docs/decisions/025-reads-from-memory.md describes how several replicas keep it consistent.

mod changes;
mod lease;
mod responses;

use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use metrics::{Counter, counter, describe_counter};
use platform::database::Pool;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use uuid::Uuid;

use crate::store::objects::Object;
use lease::Lease;
use responses::Responses;
pub(crate) use responses::{Address, Kept, MAX_BODY_BYTES, Route};

/// One eighth of the memory is for rows, the rest for responses.
const ROWS_SHARE: u64 = 8;
/// The bytes of a row without its texts.
const ROW_BYTES: u64 = 1024;
/// An estimate, from which the cache sizes its tables.
const USUAL_ROW: u64 = 2 * ROW_BYTES;

/// Clones share the same memory.
#[derive(Clone)]
pub struct Memory(Arc<Inner>);

pub(crate) struct Inner {
    /// Identifies this process in `storage.read_leases`.
    replica: Uuid,
    is_on: bool,
    /// The rows by bucket and key.
    rows: Cache<Box<str>, Arc<Found>, RowWeight>,
    responses: Responses,
    /// Counts changes, so that a row that was read before a change is not cached after it.
    generation: Mutex<u64>,
    lease: Lease,
    hits: Counter,
    misses: Counter,
}

/// The row of an object in a public bucket.
#[derive(Debug)]
pub struct Found {
    object: Object,
    bytes: u64,
}

impl From<Object> for Found {
    fn from(object: Object) -> Self {
        let texts = [&object.metadata, &object.user_metadata].into_iter().flatten();
        let bytes = ROW_BYTES + texts.map(|text| text.to_string().len() as u64).sum::<u64>();
        Self { object, bytes }
    }
}

impl Deref for Found {
    type Target = Object;

    fn deref(&self) -> &Object {
        &self.object
    }
}

#[derive(Clone)]
struct RowWeight;

impl Weighter<Box<str>, Arc<Found>> for RowWeight {
    fn weight(&self, key: &Box<str>, found: &Arc<Found>) -> u64 {
        2 * key.len() as u64 + found.bytes
    }
}

/// How many items a cache is likely to hold.
fn items(bytes: u64, usual: u64) -> usize {
    usize::try_from(bytes / usual).unwrap_or(usize::MAX).max(16)
}

/// The number of changes when a query began.
#[derive(Debug, Clone, Copy)]
pub struct Generation(u64);

/// The key of an object's row in memory. `None` for a bucket with a slash in its name, which only SQL can
/// create: then bucket and folders could not be distinguished.
pub(crate) fn key_of(bucket: &str, name: &str) -> Option<String> {
    (!bucket.contains('/')).then(|| format!("{bucket}/{name}"))
}

impl Memory {
    /// Uses up to `bytes` of memory; with 0 it caches nothing. Install the metrics recorder first.
    pub fn new(bytes: u64) -> Self {
        describe_counter!("storage_memory_total", "Public reads that were answered from memory, or not");
        let (for_rows, for_responses) = (bytes / ROWS_SHARE, bytes - bytes / ROWS_SHARE);
        Self(Arc::new(Inner {
            replica: Uuid::new_v4(),
            is_on: bytes > 0,
            rows: Cache::with_weighter(items(for_rows, USUAL_ROW), for_rows, RowWeight),
            responses: Responses::new(for_responses),
            generation: Mutex::new(0),
            lease: Lease::default(),
            hits: counter!("storage_memory_total", "result" => "hit"),
            misses: counter!("storage_memory_total", "result" => "miss"),
        }))
    }

    /// Receives the changes that other replicas make, until it is aborted. Nothing is answered from memory
    /// unless this is running.
    pub async fn follow(self, pool: Pool) {
        if self.0.is_on {
            tokio::join!(changes::listen(&self.0, &pool), lease::renew_on_demand(&self.0, &pool));
        }
    }

    /// The cached row, which matches the database's. `None` while this replica has no lease.
    pub fn row(&self, bucket: &str, name: &str) -> Option<Arc<Found>> {
        if !self.0.is_on {
            return None;
        }
        let held = self.0.lease.is_held(Instant::now());
        let found = if held { self.0.rows.get(&*key_of(bucket, name)?) } else { None };
        let counted = if found.is_some() { &self.0.hits } else { &self.0.misses };
        counted.increment(1);
        found
    }

    /// The value to pass to [`Memory::remember`]. Call this before the query.
    pub fn generation(&self) -> Generation {
        Generation(*self.0.generation())
    }

    /// Caches a row, unless something has changed since `before`, because the query may have read the row
    /// before that change.
    pub fn remember(&self, before: Generation, found: &Arc<Found>) {
        let Some(key) = key_of(&found.bucket_id, &found.name).filter(|_| self.0.is_on) else { return };
        let generation = self.0.generation();
        if *generation == before.0 {
            self.0.rows.insert(key.into(), Arc::clone(found));
        }
    }

    /// Drops a row that its reader knows to be outdated.
    pub fn forget(&self, bucket: &str, name: &str) {
        if let Some(key) = key_of(bucket, name) {
            self.0.forget(&key);
        }
    }

    /// Drops all responses, but no rows.
    pub fn forget_responses(&self) {
        self.0.responses.clear();
    }

    /// Call it after a change was committed and before the response: drops the changed rows from this
    /// replica's cache, and waits until no other replica can answer from rows that it cached before the
    /// change, at most 100 ms.
    pub async fn changed(&self, changed: Changed<'_>, pool: &Pool) {
        match changed {
            Changed::Everything => self.0.forget_everything(),
            Changed::Objects(keys) => {
                for (bucket, name) in keys {
                    self.forget(bucket, name);
                }
            }
        }
        lease::wait_for_others(self.0.replica, pool).await;
    }
}

/// What a writer has changed.
#[derive(Debug, Clone, Copy)]
pub enum Changed<'a> {
    /// Buckets and keys.
    Objects(&'a [(&'a str, &'a str)]),
    Everything,
}

impl Inner {
    fn generation(&self) -> std::sync::MutexGuard<'_, u64> {
        self.generation.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn forget(&self, key: &str) {
        let mut generation = self.generation();
        *generation += 1;
        self.rows.remove(key);
    }

    fn forget_everything(&self) {
        let mut generation = self.generation();
        *generation += 1;
        self.rows.clear();
        self.responses.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found() -> Arc<Found> {
        let now = chrono::DateTime::UNIX_EPOCH;
        let object = Object {
            id: Uuid::new_v4(),
            bucket_id: "images".to_owned(),
            name: "a.png".to_owned(),
            owner: None,
            owner_id: None,
            version: None,
            created_at: now,
            updated_at: now,
            last_accessed_at: now,
            metadata: None,
            user_metadata: None,
        };
        Arc::new(object.into())
    }

    #[test]
    fn a_row_read_before_a_change_is_not_remembered_after_it() {
        let memory = Memory::new(1024 * 1024);
        let is_remembered = || memory.0.rows.get("images/a.png").is_some();
        for change in [
            |memory: &Memory| memory.0.forget("images/other.png"),
            |memory: &Memory| memory.0.forget_everything(),
        ] {
            let before = memory.generation();
            change(&memory);
            memory.remember(before, &found());
            assert!(!is_remembered());
            memory.remember(memory.generation(), &found());
            assert!(is_remembered());
            memory.forget("images", "a.png");
        }
    }

    #[test]
    fn buckets_and_folders_are_not_confused() {
        assert_eq!(key_of("a", "b/c").as_deref(), Some("a/b/c"));
        assert_eq!(key_of("a/b", "c"), None);
    }
}
