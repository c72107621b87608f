//! Images in other sizes and formats, made when they are first asked for. Making one takes a processor and much
//! memory for a while: few are made at a time, within one budget of memory, and a long queue is refused at once.

mod geometry;
mod queue;
#[cfg(test)]
mod tests;
mod transform;
pub mod variants;
pub mod wanted;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use bytes::Bytes;
use tokio::sync::{Mutex as Turn, OwnedMutexGuard};

use crate::backend::Backend;
use crate::domain::image::Format;
use crate::domain::version::Version;
use crate::error::{ApiError, Result};
use queue::{Cost, Queue};
use variants::Variants;
use wanted::Wanted;

/// Where the size of nearly every image stands. A JPEG with a larger color profile is taken for as large as can be.
const HEAD_BYTES: u64 = 64 * 1024;

/// By version and the name of the variant.
type Making = HashMap<(Version, String), Weak<Turn<()>>>;

pub struct Renderer {
    backend: Arc<dyn Backend>,
    variants: Variants,
    queue: Queue,
    /// Whoever asks for an image that is being made waits for it.
    making: Mutex<Making>,
}

/// What is sent.
#[derive(Debug, PartialEq, Eq)]
pub enum Rendered {
    Made(Bytes),
    /// The stored bytes: an animation, or a format without a decoder.
    AsStored(Format),
}

impl Renderer {
    /// `memory_bytes` is for all that are made at the same time.
    pub fn new(backend: Arc<dyn Backend>, variants: Variants, memory_bytes: u64) -> Self {
        Self { backend, variants, queue: Queue::new(memory_bytes), making: Mutex::default() }
    }

    /// # Errors
    /// `NoSuchKey` when the blob is gone, `InvalidRequest` when it is no image we read, `Busy` when there are too
    /// many before this one.
    pub async fn picture(&self, version: Version, size: u64, wanted: &Wanted) -> Result<Rendered> {
        let name = wanted.name();
        if let Some(kept) = self.variants.get(version, &name).await.filter(|kept| !kept.is_empty()) {
            return Ok(Rendered::Made(kept));
        }
        let head = self.source(version, size.min(HEAD_BYTES)).await?;
        let format = transform::format(&head)?;
        if format == Format::Avif {
            return Ok(Rendered::AsStored(format));
        }
        let cost = Cost::of(format, format.size(&head), size, wanted)?;
        let making = self.queue.within_patience(self.turn(version, &name)).await?;
        // Others may have waited for the same one. An empty file says that it is sent as it is stored.
        if let Some(kept) = self.variants.get(version, &name).await {
            return Ok(if kept.is_empty() { Rendered::AsStored(format) } else { Rendered::Made(kept) });
        }
        let permit = self.queue.enter(cost).await?;
        let source = self.source(version, size).await?;
        let (variants, wanted) = (self.variants.clone(), *wanted);
        let work = tokio::task::spawn_blocking(move || {
            // Held until the work is done, even if nobody waits for it any more.
            let _held = (permit, making);
            let picture = transform::transform(&source, &wanted)?;
            variants.put(version, &name, picture.as_deref().unwrap_or_default());
            Ok(picture.map_or(Rendered::AsStored(format), |picture| Rendered::Made(picture.into())))
        });
        work.await.map_err(|error| ApiError::Internal(error.into()))?
    }

    /// Waits until nobody else makes this image.
    async fn turn(&self, version: Version, name: &str) -> OwnedMutexGuard<()> {
        let turn = {
            let mut making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
            making.retain(|_, turn| turn.strong_count() > 0);
            let entry = making.entry((version, name.to_owned())).or_default();
            entry.upgrade().unwrap_or_else(|| {
                let turn = Arc::new(Turn::new(()));
                *entry = Arc::downgrade(&turn);
                turn
            })
        };
        turn.lock_owned().await
    }

    /// The first bytes of a blob, or all.
    async fn source(&self, version: Version, length: u64) -> Result<Bytes> {
        let body = self.backend.read(version, 0..length).await.map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => ApiError::NoSuchKey,
            _ => error.into(),
        })?;
        let bytes = axum::body::to_bytes(body, usize::try_from(length).unwrap_or(usize::MAX)).await;
        bytes.map_err(|error| ApiError::Internal(error.into()))
    }
}
