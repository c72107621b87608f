//! Renders uploaded images in the sizes that the pages use, before they are requested. An image that is not
//! rendered ahead is rendered on request, so the queue may reject images and need not survive a restart.

use metrics::counter;
use pictures::Format;
use pictures::transform::transform_all;
use tokio::sync::{mpsc, oneshot};

use super::options::{Output, RenderOptions};
use super::queue::Cost;
use super::{HEAD_BYTES, Renderer, remove_orphans};
use crate::domain::version::Version;
use crate::error::{ApiError, Result};

/// The widths in `frontend/src/lib/images.ts`, from the smallest.
const WIDTHS: [u32; 6] = [160, 320, 480, 640, 960, 1280];
/// The most uploads that wait. Further ones are not rendered ahead.
const MOST_WAITING: usize = 1000;

/// Adds uploaded images to the queue.
#[derive(Clone)]
pub struct Ahead(mpsc::Sender<(Version, u64)>);

/// The queue of uploaded images.
pub struct Waiting(mpsc::Receiver<(Version, u64)>);

impl Ahead {
    pub fn new() -> (Self, Waiting) {
        let (sender, receiver) = mpsc::channel(MOST_WAITING);
        (Self(sender), Waiting(receiver))
    }

    /// Adds an image of this many bytes, unless the queue is full.
    pub fn add(&self, version: Version, size: u64) {
        let _ = self.0.try_send((version, size));
    }
}

impl Renderer {
    /// Renders one image after another. Runs until it is aborted.
    pub async fn render_ahead(&self, mut waiting: Waiting) {
        while let Some(uploaded) = waiting.0.recv().await {
            if let Err(error) = self.render_idly(uploaded).await {
                tracing::debug!(version = %uploaded.0, %error, "can't render an image ahead");
            }
        }
    }

    /// Renders the missing sizes at idle priority. Requests for the same image do not wait for it, because
    /// they may be faster.
    async fn render_idly(&self, (version, size): (Version, u64)) -> Result<()> {
        let mut missing = Vec::new();
        for width in WIDTHS {
            let width = Some(width);
            let options = RenderOptions { width, output: Output::Webp, ..RenderOptions::default() };
            if self.variants.get(version, &options.name()).await.is_none() {
                missing.push(options);
            }
        }
        let Some(largest) = missing.last() else { return Ok(()) };
        let head = self.source(version, size.min(HEAD_BYTES)).await?;
        let Some(format) = Format::sniff(&head).filter(|format| *format != Format::Avif) else {
            return Err(ApiError::InvalidRequest("images of this format are not resized".to_owned()));
        };
        let memory = self.queue.spare_memory(Cost::of(format, &head, size, largest)).await?;
        let source = self.source(version, size).await?;
        let variants = self.variants.clone();
        let rendering = idly(move || {
            let _memory = memory;
            counter!("storage_renders_total").increment(missing.len() as u64);
            let targets: Vec<_> = missing.iter().map(|options| options.target(format)).collect();
            let pictures = transform_all(&source, format, &targets)
                .map_err(|error| ApiError::InvalidRequest(error.to_string()))?;
            // An empty variant means that the stored image is sent unchanged, such as an animation.
            let pictures = pictures.unwrap_or_else(|| vec![Vec::new(); missing.len()]);
            for (options, picture) in missing.iter().zip(pictures) {
                variants.put(version, &options.name(), &picture);
            }
            Ok(())
        });
        let rendered = rendering.await;
        remove_orphans(&*self.backend, &self.variants, version).await;
        rendered
    }
}

/// Runs work in a thread of idle priority.
async fn idly(work: impl FnOnce() -> Result<()> + Send + 'static) -> Result<()> {
    let (done, outcome) = oneshot::channel();
    std::thread::Builder::new().name("render-ahead".to_owned()).spawn(move || {
        give_way();
        let _ = done.send(work());
    })?;
    outcome.await.map_err(|error| ApiError::Internal(error.into()))?
}

#[cfg(target_os = "linux")]
fn give_way() {
    use thread_priority::{
        NormalThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy, set_thread_priority_and_policy,
        thread_native_id,
    };
    let idle = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle);
    if let Err(error) = set_thread_priority_and_policy(thread_native_id(), ThreadPriority::Min, idle) {
        tracing::debug!(?error, "images are rendered ahead at the same priority as everything else");
    }
}

#[cfg(not(target_os = "linux"))]
fn give_way() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widths_are_those_of_the_pages() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../frontend/src/lib/images.ts");
        let text = std::fs::read_to_string(file).unwrap();
        let (_, list) = text.split_once("const WIDTHS = [").unwrap();
        let (list, _) = list.split_once(']').unwrap();
        let mut pages: Vec<u32> = list.split(", ").map(|width| width.parse().unwrap()).collect();
        pages.sort_unstable();
        assert_eq!(WIDTHS.as_slice(), pages);
    }
}
