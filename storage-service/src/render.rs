//! Renders images in other sizes and formats: uploaded ones in the sizes that the pages use, others on first request. Rendering
//! takes a core and much memory for a while, so only a few run at a time within a shared memory budget, and requests beyond a
//! queue limit are rejected immediately.

pub mod options;
mod queue;
#[cfg(test)]
mod tests;
pub mod variants;

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use bytes::Bytes;
use metrics::counter;
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard, mpsc, oneshot};

use crate::backend::Backend;
use crate::domain::version::Version;
use crate::error::{ApiError, Result};
use crate::memory::Memory;
use options::{Output, RenderOptions};
use pictures::Format;
use pictures::size::{Size, TooLarge};
use pictures::transform::transform;
use queue::{Cost, Queue};
use variants::Variants;

/// Covers the headers of nearly every image. A JPEG with a larger color profile is assumed to have the
/// maximum size.
const HEAD_BYTES: u64 = 64 * 1024;

/// The widths in `frontend/src/lib/images.ts`, from the smallest.
const WIDTHS: [u32; 6] = [160, 320, 480, 640, 960, 1280];

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
        let name = options.name();
        let key = format!("{version}/{name}");
        if let Some(picture) = self.memory.get(&key) {
            cached("hit");
            return Ok(Rendered::Made(picture));
        }
        if let Some(picture) = self.variants.get(version, &name).await.filter(|picture| !picture.is_empty()) {
            cached("hit");
            self.memory.put(key, &picture);
            return Ok(Rendered::Made(picture));
        }
        cached("miss");
        let (format, head) = self.head(version, size).await?;
        if format == Format::Avif {
            return Ok(Rendered::AsStored(format));
        }
        let in_progress = self.queue.with_timeout(self.lock_variant(version, &name)).await?;
        // A concurrent request may have rendered it. An empty file means that the stored image is sent
        // unchanged.
        if let Some(picture) = self.variants.get(version, &name).await {
            return Ok(if picture.is_empty() { Rendered::AsStored(format) } else { Rendered::Made(picture) });
        }
        let permit = self.queue.enter(Cost::new(format, &head, size, options), client).await?;
        let source = self.source(version, size).await?;
        let rendered = self.render(version, source, format, vec![*options], (permit, in_progress)).await?;
        let picture = rendered.and_then(|pictures| pictures.into_iter().next());
        Ok(picture.map_or(Rendered::AsStored(format), |picture| Rendered::Made(picture.into())))
    }

    /// Renders uploaded images in the sizes of the pages, one image after another. An image that the queue has no room for is
    /// rendered on request. Runs until it is aborted.
    pub async fn render_uploads(&self, mut uploads: mpsc::Receiver<(Version, u64)>) {
        while let Some((version, size)) = uploads.recv().await {
            if let Err(error) = self.render_upload(version, size).await {
                tracing::debug!(%version, %error, "can't render an uploaded image before it is requested");
            }
        }
    }

    async fn render_upload(&self, version: Version, size: u64) -> Result<()> {
        let with =
            |width| RenderOptions { width: Some(width), output: Output::Webp, ..RenderOptions::default() };
        let all = WIDTHS.map(with);
        let (format, head) = self.head(version, size).await?;
        if format != Format::Avif {
            let permit = self.queue.enter(Cost::new(format, &head, size, &all[all.len() - 1]), None).await?;
            let source = self.source(version, size).await?;
            self.render(version, source, format, all.to_vec(), permit).await?;
        }
        Ok(())
    }

    /// Renders an image with all these options and stores the results. `None` when the stored image is sent unchanged. Runs to its
    /// end, even if the client disconnects.
    async fn render(
        &self,
        version: Version,
        source: Bytes,
        format: Format,
        all: Vec<RenderOptions>,
        permits: impl Send + 'static,
    ) -> Result<Option<Vec<Vec<u8>>>> {
        let (backend, variants) = (Arc::clone(&self.backend), self.variants.clone());
        let rendering = tokio::spawn(async move {
            let cache = variants.clone();
            let rendered = at_low_priority(move || {
                counter!("storage_renders_total").increment(all.len() as u64);
                let targets: Vec<_> = all.iter().map(|options| options.target(format)).collect();
                let pictures = transform(&source, format, &targets)
                    .map_err(|_| ApiError::InvalidRequest(UNSUPPORTED.to_owned()))?;
                for (index, options) in all.iter().enumerate() {
                    let picture = pictures.as_ref().map_or(&[][..], |pictures| pictures[index].as_slice());
                    cache.put(version, &options.name(), picture);
                }
                // Not earlier, because a waiting request then looks for the result.
                drop(permits);
                Ok(pictures)
            });
            let rendered = rendered.await;
            remove_orphans(&*backend, &variants, version).await;
            rendered
        });
        rendering.await.map_err(|error| ApiError::Internal(error.into()))?
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

    /// The format and the first bytes of an image.
    async fn head(&self, version: Version, size: u64) -> Result<(Format, Bytes)> {
        let head = self.source(version, size.min(HEAD_BYTES)).await?;
        let format = Format::sniff(&head).ok_or_else(|| ApiError::InvalidRequest(UNSUPPORTED.to_owned()))?;
        match format.size(&head).map(Size::checked) {
            Some(Err(error @ TooLarge::Picture(_))) if format != Format::Avif => {
                Err(ApiError::InvalidRequest(error.to_string()))
            }
            _ => Ok((format, head)),
        }
    }

    /// The first `length` bytes of a blob.
    async fn source(&self, version: Version, length: u64) -> Result<Bytes> {
        self.backend.read_start(version, length).await.map_err(ApiError::from_read)
    }
}

/// Removes the images that were resized while their blob was removed. Nothing else would.
async fn remove_orphans(backend: &dyn Backend, variants: &Variants, version: Version) {
    if let Ok(false) = backend.holds(version).await {
        variants.remove_soon(version).await;
    }
}

/// Runs work in a thread that leaves the processor to requests.
async fn at_low_priority<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    let (done, result) = oneshot::channel();
    std::thread::Builder::new().name("render".to_owned()).spawn(move || {
        // Elsewhere, it would apply to the whole process.
        #[cfg(target_os = "linux")]
        let _ = rustix::process::nice(10);
        let _ = done.send(work());
    })?;
    result.await.map_err(|error| ApiError::Internal(error.into()))?
}
