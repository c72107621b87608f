//! The OpenAPI descriptions of a schema cache, by what the caller may see.

use std::io::{self, Write};

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use quick_cache::sync::Cache;

/// Enough for the roles of an API. A large schema's description takes 20 MB.
const MAX_DESCRIPTIONS: usize = 4;

pub struct Descriptions(Cache<u64, Description>);

#[derive(Clone)]
pub struct Description {
    pub plain: Bytes,
    pub gzip: Bytes,
}

impl Default for Descriptions {
    fn default() -> Self {
        Self(Cache::new(MAX_DESCRIPTIONS))
    }
}

impl Descriptions {
    pub fn get(&self, key: u64) -> Option<Description> {
        self.0.get(&key)
    }

    pub fn insert(&self, key: u64, description: Description) {
        self.0.insert(key, description);
    }
}

impl Description {
    /// # Errors
    /// When the text can't be compressed.
    pub fn new(text: String) -> io::Result<Self> {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
        gzip.write_all(text.as_bytes())?;
        Ok(Self { plain: text.into(), gzip: gzip.finish()?.into() })
    }
}
