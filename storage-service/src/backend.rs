//! Where the bytes lie. A blob is written once under a version nobody chose, never changed, and
//! removed when no row names it; rows decide what exists.

pub mod disk;

use std::io;
use std::ops::Range;

use axum::body::Body;
use futures::future::BoxFuture;
use uuid::Uuid;

use crate::staging::Staged;

/// Names one blob. Made by us, never from a user's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Version(Uuid);

impl Version {
    pub fn new() -> Self {
        Self(Uuid::new_v4())
    }

    /// `None` for text that is no version of ours.
    pub fn parse(text: &str) -> Option<Self> {
        Uuid::parse_str(text).ok().map(Self)
    }
}

impl Default for Version {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Display for Version {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.hyphenated().fmt(formatter)
    }
}

pub trait Backend: Send + Sync {
    /// Keeps the received bytes; when this returns they survive a crash.
    fn put(&self, version: Version, staged: Staged) -> BoxFuture<'_, io::Result<()>>;

    /// The bytes, or a part of them. `NotFound` when there is no such blob.
    fn read(&self, version: Version, range: Range<u64>) -> BoxFuture<'_, io::Result<Body>>;

    /// The same bytes under another version.
    fn copy(&self, from: Version, to: Version) -> BoxFuture<'_, io::Result<()>>;

    /// Removing what is not there is no failure.
    fn remove(&self, version: Version) -> BoxFuture<'_, io::Result<()>>;
}
