//! Where the bytes lie. A blob is written once under a version nobody chose, never changed, and
//! removed when no row names it; rows decide what exists.

pub mod disk;
pub mod s3;

use std::io;
use std::ops::Range;

use axum::body::Body;
use futures::future::BoxFuture;

use crate::domain::version::Version;
use crate::staging::Staged;

pub trait Backend: Send + Sync {
    /// Keeps the received bytes; when this returns they survive a crash.
    fn put(&self, version: Version, staged: Staged) -> BoxFuture<'_, io::Result<()>>;

    /// The bytes, or a part of them. `NotFound` when there is no such blob.
    fn read(&self, version: Version, range: Range<u64>) -> BoxFuture<'_, io::Result<Body>>;

    /// The same bytes under another version.
    fn copy(&self, from: Version, to: Version) -> BoxFuture<'_, io::Result<()>>;

    /// Removing what is not there is no failure.
    fn remove(&self, version: Version) -> BoxFuture<'_, io::Result<()>>;

    /// Whether blobs can be kept and read right now.
    fn ready(&self) -> BoxFuture<'_, io::Result<()>>;
}
