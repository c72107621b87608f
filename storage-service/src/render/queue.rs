//! Admission control for rendering: who may start, who waits, and who is rejected before decoding.

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZero;
use std::pin::pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use metrics::gauge;
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore, TryAcquireError};

use super::options::{Output, RenderOptions};
use super::others::{self, Others};
use super::spare::{Borrowed, Spare};
use crate::error::{ApiError, Result};
use pictures::Format;
use pictures::transform::{MAX_PIXELS, memory};

/// Normally the queue's length bounds the wait; this limit is for machines that are busy with other work.
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// Interval between attempts to get memory for rendering ahead of requests.
const PAUSE: Duration = Duration::from_millis(100);
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
    pub fn of(format: Format, head: &[u8], file_bytes: u64, options: &RenderOptions) -> Self {
        let source = format.size(head).map_or(MAX_PIXELS, |size| size.pixels());
        let side = |side: Option<u32>| side.map_or(2000, |side| u64::from(side.min(2000)));
        let output = (side(options.width) * side(options.height)).min(MAX_OUTPUT_PIXELS).min(source);
        let avif =
            options.output == Output::Avif || options.output == Output::Origin && format == Format::Avif;
        // The AVIF encoder takes about ten times as long per pixel as the others, and much more memory: 16
        // concurrent renders of 25 megapixels, of which 13 are rejected, take up to 130 MB
        // (`cargo xtask faults large-renders`).
        let (slow, large) = if avif { (10, 80) } else { (2, 12) };
        Self { pixels: source + slow * output, bytes: memory(format, head) + large * output + file_bytes }
    }
}

pub struct Queue {
    /// One permit per core.
    slots: Arc<Semaphore>,
    /// Permits for half of the cores. Renderings that start while this process answers other requests need one.
    half: Arc<Semaphore>,
    others: Others,
    memory: Arc<Semaphore>,
    memory_units: u32,
    waiting: Arc<AtomicU64>,
    spare: Arc<Spare>,
    pub(super) max_waiting: u64,
    /// Locked while a limit is checked and the queue entered.
    clients: Clients,
    #[cfg(test)]
    entered: AtomicU64,
}

/// Permission to render an image; released when dropped.
#[derive(Debug)]
pub struct Permit {
    pub borrowed: Borrowed,
    _half: Option<OwnedSemaphorePermit>,
    _slot: OwnedSemaphorePermit,
    _memory: OwnedSemaphorePermit,
}

/// The pixels that wait for each client. `None` is a caller without an address.
type Clients = Arc<Mutex<HashMap<Option<IpAddr>, u64>>>;

/// Pixels that wait, until it is dropped.
struct Waiting {
    pixels: u64,
    all: Arc<AtomicU64>,
    clients: Clients,
    client: Option<IpAddr>,
}

fn closed(error: AcquireError) -> ApiError {
    ApiError::Internal(error.into())
}

fn lock(clients: &Clients) -> MutexGuard<'_, HashMap<Option<IpAddr>, u64>> {
    clients.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.all.fetch_sub(self.pixels, Ordering::Relaxed);
        let mut clients = lock(&self.clients);
        if let Some(pixels) = clients.get_mut(&self.client) {
            *pixels -= self.pixels;
            if *pixels == 0 {
                clients.remove(&self.client);
            }
        }
        gauge!("storage_renders_waiting").decrement(1);
    }
}

impl Queue {
    pub fn new(memory_bytes: u64) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
        let memory_units = u32::try_from(memory_bytes / UNIT).unwrap_or(u32::MAX).max(1);
        let memory = usize::try_from(memory_units).unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS);
        let waiting = Arc::default();
        Self {
            slots: Arc::new(Semaphore::new(processors)),
            half: Arc::new(Semaphore::new((processors / 2).max(1))),
            others: Others::new(),
            memory: Arc::new(Semaphore::new(memory)),
            memory_units,
            spare: Spare::new(Arc::clone(&waiting)),
            waiting,
            max_waiting: WAITING_PIXELS * processors as u64,
            clients: Clients::default(),
            #[cfg(test)]
            entered: AtomicU64::default(),
        }
    }

    /// # Errors
    /// `Busy`, without waiting, when the queue is full, or this client's part of it.
    pub async fn enter(&self, cost: Cost, client: Option<IpAddr>) -> Result<Permit> {
        let waiting = self.wait(cost, client)?;
        let entering = async {
            let half = self.half_for_others().await?;
            let slot = Arc::clone(&self.slots).acquire_owned().await.map_err(closed)?;
            let memory = self.memory_for(cost).await?;
            Ok(Permit { borrowed: self.spare.borrow(), _half: half, _slot: slot, _memory: memory })
        };
        let permit = self.with_timeout(entering).await?;
        drop(waiting);
        permit
    }

    /// While this process answers other requests, waits for one of the permits for half of the cores. Stops waiting, and returns
    /// `None`, once there are no other requests: renderings may then use all cores.
    async fn half_for_others(&self) -> Result<Option<OwnedSemaphorePermit>> {
        let mut acquiring = pin!(Arc::clone(&self.half).acquire_owned());
        while self.others.are_active() {
            if let Ok(permit) = tokio::time::timeout(others::INTERVAL, &mut acquiring).await {
                return Ok(Some(permit.map_err(closed)?));
            }
        }
        Ok(None)
    }

    /// The memory permits for an image. One that needs more than the whole budget gets all of it.
    fn units(&self, cost: Cost) -> u32 {
        u32::try_from(cost.bytes.div_ceil(UNIT)).unwrap_or(u32::MAX).min(self.memory_units)
    }

    async fn memory_for(&self, cost: Cost) -> Result<OwnedSemaphorePermit> {
        let memory = Arc::clone(&self.memory).acquire_many_owned(self.units(cost)).await;
        memory.map_err(closed)
    }

    /// Waits for memory to render an image ahead of requests. On a busy machine, such a rendering gets little processor
    /// time and holds its memory for long, so half of the budget is reserved for requests, which never wait behind
    /// this call.
    ///
    /// # Errors
    /// `Busy` for an image that needs more than half of the budget.
    pub async fn spare_memory(&self, cost: Cost) -> Result<OwnedSemaphorePermit> {
        let units = self.units(cost);
        if units > self.memory_units / 2 {
            return Err(ApiError::Busy);
        }
        loop {
            match Arc::clone(&self.memory).try_acquire_many_owned(units) {
                Ok(memory) => return Ok(memory),
                Err(TryAcquireError::NoPermits) => tokio::time::sleep(PAUSE).await,
                Err(closed) => return Err(ApiError::Internal(closed.into())),
            }
        }
    }

    /// Never ends.
    pub async fn watch_requests(&self) {
        self.others.watch().await;
    }

    /// Counts a request for a resized image, so that [`Others`] ignores it.
    pub fn note_request(&self) {
        self.others.note_own();
    }

    /// # Errors
    /// `Busy` after the longest wait.
    pub async fn with_timeout<T>(&self, waiting: impl Future<Output = T>) -> Result<T> {
        tokio::time::timeout(LONGEST_WAIT, waiting).await.map_err(|_| ApiError::Busy)
    }

    /// Enters the queue, unless it is full. One client may fill half of it, so that it can't keep out the others. The first
    /// image in the queue may have any size.
    fn wait(&self, cost: Cost, client: Option<IpAddr>) -> Result<Waiting> {
        let mut clients = lock(&self.clients);
        let pixels = clients.get(&client).copied().unwrap_or_default();
        let before = self.waiting.load(Ordering::Relaxed);
        let exceeds = |before: u64, limit: u64| before > 0 && before + cost.pixels > limit;
        if exceeds(before, self.max_waiting) || exceeds(pixels, self.max_waiting / 2) {
            return Err(ApiError::Busy);
        }
        #[cfg(test)]
        self.entered.fetch_add(1, Ordering::Relaxed);
        clients.insert(client, pixels + cost.pixels);
        self.waiting.fetch_add(cost.pixels, Ordering::Relaxed);
        gauge!("storage_renders_waiting").increment(1);
        let (all, clients) = (Arc::clone(&self.waiting), Arc::clone(&self.clients));
        Ok(Waiting { pixels: cost.pixels, all, clients, client })
    }

    #[cfg(test)]
    pub fn entered(&self) -> u64 {
        self.entered.load(Ordering::Relaxed)
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
    use futures::FutureExt;

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
        assert_eq!((queue.waiting.load(Ordering::Relaxed), lock(&queue.clients).len()), (0, 0));
    }

    #[tokio::test]
    async fn all_cores_are_used_once_other_requests_have_ended() {
        let queue = Queue { others: Others::just_ended(), ..Queue::new(100 * UNIT) };
        let half = u32::try_from(queue.half.available_permits()).unwrap();
        let _rendering = queue.half.try_acquire_many(half).unwrap();
        let permit = queue.enter(Cost { pixels: 1, bytes: UNIT }, None).await.unwrap();
        assert!(permit._half.is_none());
    }

    #[tokio::test]
    async fn rendering_ahead_leaves_memory_to_requests() {
        let queue = Queue::new(100 * UNIT);
        let cost = |units| Cost { pixels: 1, bytes: units * UNIT };
        let ahead = queue.spare_memory(cost(50)).now_or_never().unwrap().unwrap();
        let request = queue.memory_for(cost(50)).now_or_never();
        assert!(request.is_some_and(|memory| memory.is_ok()), "half is left");
        assert!(matches!(queue.spare_memory(cost(51)).now_or_never(), Some(Err(ApiError::Busy))));
        let first = queue.memory_for(cost(10)).now_or_never().unwrap().unwrap();
        let mut waiting = Box::pin(queue.spare_memory(cost(50)));
        assert!((&mut waiting).now_or_never().is_none());
        let second = queue.memory_for(cost(40)).now_or_never();
        assert!(second.is_some_and(|memory| memory.is_ok()), "a request does not wait behind it");
        drop((ahead, first, waiting));
        assert!(queue.spare_memory(cost(50)).now_or_never().is_some());
    }
}
