//! Pictures in other sizes and formats, made when they are first asked for. Making one takes a processor for a
//! while, so few are made at a time and everything else goes on beside them.

mod geometry;
mod transform;
pub mod variants;
pub mod wanted;

use std::num::NonZero;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::Semaphore;

use crate::backend::Backend;
use crate::domain::version::Version;
use crate::error::{ApiError, Result};
use variants::Variants;
use wanted::Wanted;

/// Nobody looks at a page that long.
const LONGEST_WAIT: Duration = Duration::from_secs(15);

pub struct Renderer {
    backend: Arc<dyn Backend>,
    variants: Variants,
    /// One for each processor.
    turns: Arc<Semaphore>,
}

impl Renderer {
    pub fn new(backend: Arc<dyn Backend>, variants: Variants) -> Self {
        let turns = std::thread::available_parallelism().map_or(1, NonZero::get);
        Self { backend, variants, turns: Arc::new(Semaphore::new(turns)) }
    }

    /// # Errors
    /// `NoSuchKey` when the blob is gone, `InvalidRequest` when it is no picture we read, `Busy` when there are too
    /// many before this one.
    pub async fn picture(&self, version: Version, size: u64, wanted: &Wanted) -> Result<Bytes> {
        let name = wanted.name();
        if let Some(kept) = self.variants.get(version, &name).await {
            return Ok(kept);
        }
        let turn = tokio::time::timeout(LONGEST_WAIT, Arc::clone(&self.turns).acquire_owned()).await;
        let turn = turn.map_err(|_| ApiError::Busy)?.map_err(|error| ApiError::Internal(error.into()))?;
        // Others may have waited for the same one.
        if let Some(kept) = self.variants.get(version, &name).await {
            return Ok(kept);
        }
        let source = self.source(version, size).await?;
        let (variants, wanted) = (self.variants.clone(), *wanted);
        let work = tokio::task::spawn_blocking(move || {
            // Held until the work is done, even if nobody waits for it any more.
            let _turn = turn;
            let picture = transform::transform(source, &wanted)?;
            variants.put(version, &name, &picture);
            Ok(Bytes::from(picture))
        });
        work.await.map_err(|error| ApiError::Internal(error.into()))?
    }

    async fn source(&self, version: Version, size: u64) -> Result<Vec<u8>> {
        let body = self.backend.read(version, 0..size).await.map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => ApiError::NoSuchKey,
            _ => error.into(),
        })?;
        let bytes = axum::body::to_bytes(body, usize::try_from(size).unwrap_or(usize::MAX)).await;
        Ok(bytes.map_err(|error| ApiError::Internal(error.into()))?.into())
    }
}
