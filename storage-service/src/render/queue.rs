//! Admission control for rendering: who may start, who waits, and who is rejected before decoding.

use std::net::IpAddr;
use std::num::NonZero;
use std::sync::Arc;
use std::time::Duration;

use metrics::gauge;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::options::{Output, RenderOptions};
use crate::error::{ApiError, Result};
use crate::shares::{Share, ShareLimits, Shares};
use pictures::Format;
use pictures::transform::{MAX_PIXELS, memory};

/// Normally the queue's length bounds the wait; this limit is for machines that are busy with other work.
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// Pixels that may wait per core, which renders about thirty million per second.
const WAITING_PIXELS: u64 = 75_000_000;
/// The unit of the memory semaphore.
const UNIT: u64 = 64 * 1024;
/// The most pixels a result can have.
const MAX_OUTPUT_PIXELS: u64 = 2000 * 2000;

/// The cost of rendering an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// Pixels of source and result, weighted by the time they take.
    pixels: u64,
    bytes: u64,
}

impl Cost {
    /// For an image that begins with `head`.
    pub fn new(format: Format, head: &[u8], file_bytes: u64, options: &RenderOptions) -> Self {
        let source = format.size(head).map_or(MAX_PIXELS, |size| size.pixels());
        let side = |side: Option<u32>| side.map_or(2000, |side| u64::from(side.min(2000)));
        let output = (side(options.width) * side(options.height)).min(MAX_OUTPUT_PIXELS).min(source);
        // The AVIF encoder takes about ten times as long per pixel as the others, and much more memory: 16
        // concurrent renders of 25 megapixels, of which 13 are rejected, take up to 130 MB
        // (`cargo xtask faults large-renders`).
        let (slow, large) = if options.output == Output::Avif { (10, 80) } else { (2, 12) };
        Self { pixels: source + slow * output, bytes: memory(format, head) + large * output + file_bytes }
    }
}

pub struct Queue {
    /// One permit per core.
    slots: Arc<Semaphore>,
    memory: Arc<Semaphore>,
    memory_units: u32,
    pub(super) max_waiting: u64,
    /// The pixels that wait for each client. `None` is an upload, or a caller without an address.
    waiting: Shares<Option<IpAddr>>,
    #[cfg(test)]
    entered: std::sync::atomic::AtomicU64,
}

/// Permission to render an image; released when dropped.
#[derive(Debug)]
pub struct Permit {
    _slot: OwnedSemaphorePermit,
    _memory: OwnedSemaphorePermit,
}

/// Pixels that wait, until it is dropped.
struct Waiting(#[expect(dead_code, reason = "returned when dropped")] Share<Option<IpAddr>>);

impl Drop for Waiting {
    fn drop(&mut self) {
        gauge!("storage_renders_waiting").decrement(1);
    }
}

impl Queue {
    pub fn new(memory_bytes: u64) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
        let memory_units = u32::try_from(memory_bytes / UNIT).unwrap_or(u32::MAX).max(1);
        let memory = usize::try_from(memory_units).unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS);
        let max_waiting = WAITING_PIXELS * processors as u64;
        Self {
            slots: Arc::new(Semaphore::new(processors)),
            memory: Arc::new(Semaphore::new(memory)),
            memory_units,
            max_waiting,
            // One client can't keep out the others.
            waiting: Shares::new(ShareLimits { per_owner: max_waiting / 2, total: max_waiting }),
            #[cfg(test)]
            entered: Default::default(),
        }
    }

    /// An image that needs more than the whole memory budget gets all of it.
    ///
    /// # Errors
    /// `Busy`, without waiting, when the queue is full, or this client's part of it.
    pub async fn enter(&self, cost: Cost, client: Option<IpAddr>) -> Result<Permit> {
        let _waiting = self.wait(cost, client)?;
        let units = u32::try_from(cost.bytes.div_ceil(UNIT)).unwrap_or(u32::MAX).min(self.memory_units);
        let entering = async {
            let slot = Arc::clone(&self.slots).acquire_owned().await?;
            let memory = Arc::clone(&self.memory).acquire_many_owned(units).await?;
            Ok(Permit { _slot: slot, _memory: memory })
        };
        let permit: std::result::Result<_, tokio::sync::AcquireError> = self.with_timeout(entering).await?;
        permit.map_err(|error| ApiError::Internal(error.into()))
    }

    /// # Errors
    /// `Busy` after the longest wait.
    pub async fn with_timeout<T>(&self, waiting: impl Future<Output = T>) -> Result<T> {
        tokio::time::timeout(LONGEST_WAIT, waiting).await.map_err(|_| ApiError::Busy)
    }

    /// Enters the queue, unless it is full, or this client's half of it. An image that is larger than that half counts as much.
    fn wait(&self, cost: Cost, client: Option<IpAddr>) -> Result<Waiting> {
        let mut share = self.waiting.begin(Some(client));
        share.grow(cost.pixels.min(self.max_waiting / 2)).map_err(|_| ApiError::Busy)?;
        #[cfg(test)]
        self.entered.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        gauge!("storage_renders_waiting").increment(1);
        Ok(Waiting(share))
    }

    #[cfg(test)]
    pub fn entered(&self) -> u64 {
        self.entered.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// For tests: blocks all renderings until it is dropped.
    #[cfg(test)]
    pub async fn held(&self) -> OwnedSemaphorePermit {
        let all = u32::try_from(self.slots.available_permits()).unwrap();
        Arc::clone(&self.slots).acquire_many_owned(all).await.unwrap()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_client_cannot_fill_the_queue() {
        let queue = Queue::new(100 * UNIT);
        let cost = Cost { pixels: queue.max_waiting / 8, bytes: UNIT };
        let client = |number: u8| Some(IpAddr::from([203, 0, 113, number]));
        let fill =
            |number: u8| std::iter::from_fn(|| queue.wait(cost, client(number)).ok()).collect::<Vec<_>>();
        let flood = fill(1);
        assert_eq!((flood.len(), fill(2).len()), (4, 4));
        let others = [fill(2), fill(3)];
        assert_eq!((others[0].len(), others[1].len()), (4, 0));
        drop((flood, others));
        assert_eq!(fill(1).len(), 4);
    }
}
