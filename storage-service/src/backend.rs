//! Where blobs are stored. A blob is written once under a random version and never changed. It is removed
//! when no row refers to it: rows decide which objects exist.

pub mod disk;
pub mod s3;

use std::io;
use std::ops::Range;
use std::time::SystemTime;

use axum::body::{Body, Bytes, to_bytes};
use futures::future::BoxFuture;

use crate::domain::version::Version;
use crate::staging::Staged;

/// A stored blob.
#[derive(Debug, Clone, Copy)]
pub struct Listed {
    pub version: Version,
    pub size: u64,
    /// When the blob was stored under this version.
    pub since: SystemTime,
}

/// The whole blob store is unavailable, so it is unknown which blobs exist.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Unavailable(String);

impl Unavailable {
    fn error(text: impl Into<String>) -> io::Error {
        io::Error::other(Self(text.into()))
    }
}

pub fn is_unavailable(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<Unavailable>())
}

fn too_short() -> io::Error {
    io::Error::new(io::ErrorKind::UnexpectedEof, "the blob is shorter than the size in its row")
}

pub trait Backend: Send + Sync {
    /// Stores the received bytes. When this returns, they survive a crash.
    fn put(&self, version: Version, staged: Staged) -> BoxFuture<'_, io::Result<()>>;

    /// Reads a range of bytes. `NotFound` when the blob does not exist.
    fn read(&self, version: Version, range: Range<u64>) -> BoxFuture<'_, io::Result<Body>>;

    /// Reads the first `length` bytes into memory. `NotFound` when the blob does not exist, `UnexpectedEof` when it is shorter.
    fn read_start(&self, version: Version, length: u64) -> BoxFuture<'_, io::Result<Bytes>> {
        Box::pin(async move {
            let body = self.read(version, 0..length).await?;
            let limit = usize::try_from(length).unwrap_or(usize::MAX);
            let start = to_bytes(body, limit).await.map_err(io::Error::other)?;
            if start.len() as u64 == length { Ok(start) } else { Err(too_short()) }
        })
    }

    /// Copies a blob to another version.
    fn copy(&self, from: Version, to: Version) -> BoxFuture<'_, io::Result<()>>;

    /// Removes a blob. A missing blob is not an error, but a missing store is ([`is_unavailable`]).
    fn remove(&self, version: Version) -> BoxFuture<'_, io::Result<()>>;

    /// Fails unless the blob store exists. The mount point of an unmounted disk is not a blob store.
    fn present(&self) -> BoxFuture<'_, io::Result<()>>;

    /// Creates the blob store. Call it only when no row refers to a blob, because a missing store may be an unmounted disk.
    fn prepare(&self) -> BoxFuture<'_, io::Result<()>>;

    /// Whether the blob exists.
    fn holds(&self, version: Version) -> BoxFuture<'_, io::Result<bool>>;

    /// Lists the blobs whose version starts with this byte. 256 calls list all of them.
    fn list(&self, first_byte: u8) -> BoxFuture<'_, io::Result<Vec<Listed>>>;

    /// Fails unless blobs can be stored and read now.
    fn ready(&self) -> BoxFuture<'_, io::Result<()>>;
}
