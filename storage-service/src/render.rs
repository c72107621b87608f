//! Renders images in other sizes and formats on first request. Rendering takes a core and much memory for a
//! while, so only a few run at a time within a shared memory budget, and requests beyond a queue limit are
//! rejected immediately.

mod ahead;
pub mod options;
mod others;
mod queue;
mod spare;
#[cfg(test)]
mod tests;
pub mod variants;

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use bytes::Bytes;
use metrics::counter;
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

pub use ahead::{Ahead, Waiting};

use crate::backend::Backend;
use crate::domain::version::Version;
use crate::error::{ApiError, Result};
use crate::memory::Memory;
use options::RenderOptions;
use pictures::Format;
use pictures::size::{Size, TooLarge};
use pictures::transform::{Pixels, Target, transform};
use queue::{Cost, Permit, Queue};
use variants::Variants;

/// Covers the headers of nearly every image. A JPEG with a larger color profile is assumed to have the
/// maximum size.
const HEAD_BYTES: u64 = 64 * 1024;

/// Also for a broken image, whose decoder's message means nothing to a client.
const UNSUPPORTED: &str = "The source image is invalid or unsupported for rendering";

fn cached(result: &'static str) {
    counter!("storage_render_cache_total", "result" => result).increment(1);
}

/// Keyed by version and variant name.
type InProgress = HashMap<(Version, String), Weak<AsyncMutex<()>>>;

pub struct Renderer {
    backend: Arc<dyn Backend>,
    variants: Variants,
    memory: Memory,
    queue: Queue,
    /// Makes concurrent requests for the same image wait for one rendering.
    in_progress: Mutex<InProgress>,
}

/// The result of a request.
#[derive(Debug, PartialEq, Eq)]
pub enum Rendered {
    Made(Bytes),
    /// The stored bytes are sent: an animation, an image too large to decode, or a format without a decoder.
    AsStored(Format),
}

impl Renderer {
    /// `memory_bytes` is shared by all concurrent renderings.
    pub fn new(backend: Arc<dyn Backend>, variants: Variants, memory: Memory, memory_bytes: u64) -> Self {
        Self { backend, variants, memory, queue: Queue::new(memory_bytes), in_progress: Mutex::default() }
    }

    /// # Errors
    /// `NoSuchKey` when the blob is missing, `InvalidRequest` when it is not a supported image, `Busy` when
    /// the queue is full.
    pub async fn picture(
        &self,
        version: Version,
        size: u64,
        options: &RenderOptions,
        client: Option<IpAddr>,
    ) -> Result<Rendered> {
        self.queue.note_request();
        let name = options.name();
        let key = format!("{version}/{name}");
        if let Some(kept) = self.memory.get(&key) {
            cached("hit");
            return Ok(Rendered::Made(kept));
        }
        if let Some(kept) = self.variants.get(version, &name).await.filter(|kept| !kept.is_empty()) {
            cached("hit");
            self.memory.put(key, &kept);
            return Ok(Rendered::Made(kept));
        }
        cached("miss");
        let head = self.source(version, size.min(HEAD_BYTES)).await?;
        let format = Format::sniff(&head).ok_or_else(|| ApiError::InvalidRequest(UNSUPPORTED.to_owned()))?;
        if format == Format::Avif {
            return Ok(Rendered::AsStored(format));
        }
        if let Some(Err(error @ TooLarge::Picture(_))) = format.size(&head).map(Size::checked) {
            return Err(ApiError::InvalidRequest(error.to_string()));
        }
        let cost = Cost::of(format, &head, size, options);
        let in_progress = self.queue.with_timeout(self.lock_variant(version, &name)).await?;
        // A concurrent request may have rendered it. An empty file means that the stored image is sent
        // unchanged.
        if let Some(kept) = self.variants.get(version, &name).await {
            return Ok(if kept.is_empty() { Rendered::AsStored(format) } else { Rendered::Made(kept) });
        }
        let permit = self.queue.enter(cost, client).await?;
        let source = self.source(version, size).await?;
        let target = options.target(format);
        self.render(version, name, source, format, target, (permit, in_progress)).await
    }

    /// Resizes an image and stores the result. Runs to its end, even if the client disconnects.
    async fn render(
        &self,
        version: Version,
        name: String,
        source: Bytes,
        format: Format,
        target: Target,
        mut permits: (Permit, OwnedMutexGuard<()>),
    ) -> Result<Rendered> {
        let (backend, variants, stored) =
            (Arc::clone(&self.backend), self.variants.clone(), self.variants.clone());
        let rendering = tokio::task::spawn_blocking(move || {
            let picture = rendered(&source, format, target, &mut permits.0.borrowed.pixels)?;
            stored.put(version, &name, picture.as_deref().unwrap_or_default());
            // Not earlier, because a waiting request then looks for the result.
            drop(permits);
            Ok(picture.map_or(Rendered::AsStored(format), |picture| Rendered::Made(picture.into())))
        });
        let finishing = tokio::spawn(async move {
            let rendered = rendering.await;
            remove_orphans(&*backend, &variants, version).await;
            rendered
        });
        let rendered = finishing.await.map_err(|error| ApiError::Internal(error.into()))?;
        rendered.map_err(|error| ApiError::Internal(error.into()))?
    }

    /// Keeps track of other requests, so that renderings know at once whether they may use all cores. Never ends.
    pub async fn watch_requests(&self) {
        self.queue.watch_requests().await;
    }

    /// Waits until no other request renders this image.
    async fn lock_variant(&self, version: Version, name: &str) -> OwnedMutexGuard<()> {
        let lock = {
            let mut in_progress = self.in_progress.lock().unwrap_or_else(PoisonError::into_inner);
            in_progress.retain(|_, lock| lock.strong_count() > 0);
            let entry = in_progress.entry((version, name.to_owned())).or_default();
            entry.upgrade().unwrap_or_else(|| {
                let lock = Arc::new(AsyncMutex::new(()));
                *entry = Arc::downgrade(&lock);
                lock
            })
        };
        lock.lock_owned().await
    }

    /// The first `length` bytes of a blob.
    async fn source(&self, version: Version, length: u64) -> Result<Bytes> {
        self.backend.read_start(version, length).await.map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => ApiError::NoSuchKey,
            _ => error.into(),
        })
    }
}

/// Removes the images that were resized while their blob was removed. Nothing else would.
async fn remove_orphans(backend: &dyn Backend, variants: &Variants, version: Version) {
    if let Ok(false) = backend.holds(version).await {
        let variants = variants.clone();
        let _ = tokio::task::spawn_blocking(move || variants.remove(version)).await;
    }
}

/// Blocks. `None` when the stored image is sent unchanged.
fn rendered(source: &[u8], format: Format, target: Target, pixels: &mut Pixels) -> Result<Option<Vec<u8>>> {
    counter!("storage_renders_total").increment(1);
    transform(source, format, target, pixels).map_err(|_| ApiError::InvalidRequest(UNSUPPORTED.to_owned()))
}
