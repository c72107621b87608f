//! Where the bytes lie. A blob is written once under a version nobody chose, never changed, and
//! removed when no row names it; rows decide what exists.

pub mod disk;
pub mod s3;

use std::io;
use std::ops::Range;
use std::time::SystemTime;

use axum::body::Body;
use futures::future::BoxFuture;
use futures::stream::BoxStream;

use crate::domain::version::Version;
use crate::staging::Staged;

/// A blob that lies there.
#[derive(Debug, Clone, Copy)]
pub struct Listed {
    pub version: Version,
    pub size: u64,
    /// When it was stored, or got this name.
    pub since: SystemTime,
}

/// The place of the blobs is gone, so that nothing can be said of any one of them.
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

pub trait Backend: Send + Sync {
    /// Keeps the received bytes; when this returns they survive a crash.
    fn put(&self, version: Version, staged: Staged) -> BoxFuture<'_, io::Result<()>>;

    /// The bytes, or a part of them. `NotFound` when there is no such blob.
    fn read(&self, version: Version, range: Range<u64>) -> BoxFuture<'_, io::Result<Body>>;

    /// The same bytes under another version.
    fn copy(&self, from: Version, to: Version) -> BoxFuture<'_, io::Result<()>>;

    /// Removing what is not there is no failure, unless everything is gone: then see [`is_unavailable`].
    fn remove(&self, version: Version) -> BoxFuture<'_, io::Result<()>>;

    /// Whether the place of the blobs is there. The folder of a disk that is not mounted is not.
    fn present(&self) -> BoxFuture<'_, io::Result<()>>;

    /// Prepares a place that never held a blob. Whoever calls this knows that no row names one.
    fn prepare(&self) -> BoxFuture<'_, io::Result<()>>;

    /// Whether there is such a blob.
    fn holds(&self, version: Version) -> BoxFuture<'_, io::Result<bool>>;

    /// The blobs whose names begin with this byte, some at a time. 256 calls list all of them.
    fn list(&self, first_byte: u8) -> BoxStream<'_, io::Result<Vec<Listed>>>;

    /// Whether blobs can be kept and read right now.
    fn ready(&self) -> BoxFuture<'_, io::Result<()>>;
}
