//! Who may make an image now, who waits, and who is refused before anything is decoded.

use std::num::NonZero;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::transform::MAX_PIXELS;
use super::wanted::{Output, Wanted};
use crate::domain::image::Format;
use crate::domain::image::size::Size;
use crate::error::{ApiError, Result};

/// The queue is short by its length; this is for machines that are busy with something else.
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// Pixels that may wait for each processor, which does some thirty million of them in a second.
const WAITING_PIXELS: u64 = 75_000_000;
/// What memory is counted in.
const UNIT: u64 = 64 * 1024;
/// Most that a result has.
const MAX_OUTPUT_PIXELS: u64 = 2000 * 2000;

/// What making an image takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// Source and result, weighted by the time that their pixels take.
    pixels: u64,
    bytes: u64,
}

impl Cost {
    /// # Errors
    /// When the image is larger than what is read.
    pub fn of(format: Format, source: Option<Size>, file_bytes: u64, wanted: &Wanted) -> Result<Self> {
        let source = source.map_or(MAX_PIXELS, |size| size.pixels());
        if source > MAX_PIXELS {
            return Err(ApiError::InvalidRequest(format!(
                "The image can't be transformed: it has more than {} megapixels",
                MAX_PIXELS / 1_000_000
            )));
        }
        let side = |side: Option<u32>| side.map_or(2000, |side| u64::from(side.min(2000)));
        let output = (side(wanted.width) * side(wanted.height)).min(MAX_OUTPUT_PIXELS).min(source);
        let avif = wanted.output == Output::Avif || wanted.output == Output::Origin && format == Format::Avif;
        // Measured: AVIF's encoder takes ten times as long for a pixel as the others, and as much more memory.
        let (slow, large) = if avif { (10, 80) } else { (2, 12) };
        Ok(Self { pixels: source + slow * output, bytes: 8 * source + large * output + file_bytes })
    }
}

pub struct Queue {
    /// One for each processor.
    turns: Arc<Semaphore>,
    memory: Arc<Semaphore>,
    memory_units: u32,
    waiting: Arc<AtomicU64>,
    pub(super) max_waiting: u64,
    /// Admission looks and enters as one.
    door: Mutex<()>,
    #[cfg(test)]
    entered: AtomicU64,
}

/// Leave to make an image; given back when dropped.
#[derive(Debug)]
pub struct Permit {
    _turn: OwnedSemaphorePermit,
    _memory: OwnedSemaphorePermit,
}

struct Waiting(Arc<AtomicU64>, u64);

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.fetch_sub(self.1, Ordering::Relaxed);
    }
}

impl Queue {
    pub fn new(memory_bytes: u64) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
        let memory_units = u32::try_from(memory_bytes / UNIT).unwrap_or(u32::MAX).max(1);
        let memory = usize::try_from(memory_units).unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS);
        Self {
            turns: Arc::new(Semaphore::new(processors)),
            memory: Arc::new(Semaphore::new(memory)),
            memory_units,
            waiting: Arc::default(),
            max_waiting: WAITING_PIXELS * processors as u64,
            door: Mutex::default(),
            #[cfg(test)]
            entered: AtomicU64::default(),
        }
    }

    /// # Errors
    /// `Busy`, at once, when so many wait already that this one would wait for long.
    pub async fn enter(&self, cost: Cost) -> Result<Permit> {
        let waiting = self.wait(cost)?;
        let entering = async {
            let turn = Arc::clone(&self.turns).acquire_owned().await;
            // What needs more than there is gets all of it.
            let units = u32::try_from(cost.bytes.div_ceil(UNIT)).unwrap_or(u32::MAX).min(self.memory_units);
            let memory = Arc::clone(&self.memory).acquire_many_owned(units).await;
            turn.and_then(|turn| memory.map(|memory| Permit { _turn: turn, _memory: memory }))
        };
        let permit = self.within_patience(entering).await?;
        drop(waiting);
        permit.map_err(|error| ApiError::Internal(error.into()))
    }

    /// # Errors
    /// `Busy` when it takes too long.
    pub async fn within_patience<T>(&self, waiting: impl Future<Output = T>) -> Result<T> {
        tokio::time::timeout(LONGEST_WAIT, waiting).await.map_err(|_| ApiError::Busy)
    }

    /// The first in the queue may be of any size.
    fn wait(&self, cost: Cost) -> Result<Waiting> {
        let _alone = self.door.lock();
        let before = self.waiting.load(Ordering::Relaxed);
        if before > 0 && before + cost.pixels > self.max_waiting {
            return Err(ApiError::Busy);
        }
        #[cfg(test)]
        self.entered.fetch_add(1, Ordering::Relaxed);
        self.waiting.fetch_add(cost.pixels, Ordering::Relaxed);
        Ok(Waiting(Arc::clone(&self.waiting), cost.pixels))
    }

    #[cfg(test)]
    pub fn entered(&self) -> u64 {
        self.entered.load(Ordering::Relaxed)
    }

    /// For tests: everybody waits until it is dropped.
    #[cfg(test)]
    pub async fn held(&self) -> OwnedSemaphorePermit {
        let all = u32::try_from(self.turns.available_permits()).unwrap();
        Arc::clone(&self.turns).acquire_many_owned(all).await.unwrap()
    }
}
