//! A cache of small objects and resized images that were read recently. A version's bytes never change, so nothing in it can be
//! outdated: each request looks up its object's version in the database (docs/decisions/025-reads-from-memory.md).

use std::sync::Arc;

use axum::body::Bytes;
use metrics::{Counter, counter, describe_counter};
use quick_cache::Weighter;
use quick_cache::sync::Cache;

/// Longer objects and images are read from disk or S3 each time.
const MAX_LENGTH: u64 = 256 * 1024;
/// The bytes of an entry without its key and content.
const ENTRY_BYTES: u64 = 128;
/// An estimate, from which the cache sizes its tables.
const USUAL_LENGTH: u64 = 32 * 1024;

/// Clones share the same memory.
#[derive(Clone)]
pub struct Memory {
    cache: Arc<Cache<Box<str>, Bytes, Weight>>,
    max_length: u64,
    hits: Counter,
    misses: Counter,
}

#[derive(Clone)]
struct Weight;

impl Weighter<Box<str>, Bytes> for Weight {
    fn weight(&self, key: &Box<str>, content: &Bytes) -> u64 {
        ENTRY_BYTES + 2 * key.len() as u64 + content.len() as u64
    }
}

impl Memory {
    /// Uses up to `bytes` of memory; with 0 it caches nothing. Install the metrics recorder first.
    pub fn new(bytes: u64) -> Self {
        describe_counter!("storage_memory_total", "Reads of small objects and images from memory, or not");
        let items = usize::try_from(bytes / USUAL_LENGTH).unwrap_or(usize::MAX).max(16);
        Self {
            cache: Arc::new(Cache::with_weighter(items, bytes, Weight)),
            max_length: MAX_LENGTH.min(bytes),
            hits: counter!("storage_memory_total", "result" => "hit"),
            misses: counter!("storage_memory_total", "result" => "miss"),
        }
    }

    /// Whether content of this length may be cached.
    pub fn fits(&self, length: u64) -> bool {
        length < self.max_length
    }

    /// `key` starts with the version.
    pub fn get(&self, key: &str) -> Option<Bytes> {
        let found = self.cache.get(key);
        let counted = if found.is_some() { &self.hits } else { &self.misses };
        counted.increment(1);
        found
    }

    pub fn put(&self, key: String, content: &Bytes) {
        if self.fits(content.len() as u64) {
            self.cache.insert(key.into(), content.clone());
        }
    }

    pub fn clear(&self) {
        self.cache.clear();
    }
}
