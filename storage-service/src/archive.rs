//! Reads and writes blobs for backups, without the service and without rows.

pub mod folder;

use std::collections::HashSet;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use platform::env::ConfigError;
use tokio::fs::File;
use tokio::io::AsyncReadExt;

use crate::backend::{self, Backend};
use crate::config::Config;
use crate::domain::owner::Owner;
use crate::domain::version::Version;
use crate::staging::Staging;
pub use crate::store::orphans::SWEEP_LOCK;
use crate::stores;

/// Size in bytes of the chunks in which a file is copied.
const COPY_CHUNK: usize = 1 << 18;

pub struct Blobs {
    backend: Arc<dyn Backend>,
    staging: Staging,
}

impl Blobs {
    /// # Errors
    /// When a folder or the S3 address can't be used.
    pub async fn open(config: Config) -> Result<Self, ConfigError> {
        let stores = stores::open(config.dir, config.s3, config.variants_bytes, config.staging).await?;
        Ok(Self { backend: stores.blobs, staging: stores.staging })
    }

    /// Whether the blob store exists.
    ///
    /// # Errors
    /// When it is missing or can't be reached.
    pub async fn present(&self) -> io::Result<()> {
        self.backend.present().await
    }

    /// `None` when there is no such blob.
    ///
    /// # Errors
    /// When the blob store can't be read, or the blob is shorter than `size`.
    pub async fn read(&self, version: &str, size: u64) -> io::Result<Option<Bytes>> {
        let version = parse(version)?;
        match self.backend.read_start(version, size).await {
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            read => read.map(Some),
        }
    }

    /// # Errors
    /// When the blob can't be stored.
    pub async fn write(&self, version: &str, content: &[u8]) -> io::Result<()> {
        let version = parse(version)?;
        let mut draft = self.staging.begin(&Owner::default(), true)?;
        draft.write(&Bytes::copy_from_slice(content)).await?;
        self.backend.put(version, draft.finish().await?).await
    }

    /// Stores a copy of a file of any size.
    ///
    /// # Errors
    /// When the file can't be read or the blob can't be stored.
    pub async fn copy(&self, version: &str, file: &Path) -> io::Result<()> {
        let version = parse(version)?;
        let mut source = File::open(file).await?;
        let mut draft = self.staging.begin(&Owner::default(), true)?;
        loop {
            let mut chunk = BytesMut::with_capacity(COPY_CHUNK);
            if source.read_buf(&mut chunk).await? == 0 {
                break;
            }
            draft.write(&chunk.freeze()).await?;
        }
        self.backend.put(version, draft.finish().await?).await
    }

    /// Creates the blob store if there is none.
    ///
    /// # Errors
    /// When it can't be created.
    pub async fn create(&self) -> io::Result<()> {
        match self.backend.present().await {
            Err(missing) if backend::is_unavailable(&missing) => self.backend.prepare().await,
            present => present,
        }
    }

    /// Removes a blob; a missing one is not an error.
    ///
    /// # Errors
    /// When the blob store can't be changed.
    pub async fn remove(&self, version: &str) -> io::Result<()> {
        self.backend.remove(parse(version)?).await
    }

    /// Creates the blob store if there is none, and returns the number of blobs that are not among `known`.
    ///
    /// # Errors
    /// When the blob store can't be created or listed.
    pub async fn prepare(&self, known: &HashSet<&str>) -> io::Result<u64> {
        self.create().await?;
        let mut unknown = 0;
        for first_byte in 0..=u8::MAX {
            let blobs = self.backend.list(first_byte).await?;
            unknown += blobs.iter().filter(|blob| !known.contains(blob.version.to_string().as_str())).count();
        }
        Ok(unknown as u64)
    }
}

fn parse(version: &str) -> io::Result<Version> {
    Version::parse(version).ok_or_else(|| io::Error::new(ErrorKind::InvalidInput, "not a version of a blob"))
}
