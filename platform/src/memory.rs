//! Returns freed memory to the operating system.

use std::cell::Cell;
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Runtime};

/// libmimalloc-sys has no name for `mi_option_purge_delay`.
const PURGE_DELAY: libmimalloc_sys::mi_option_t = 15;
/// How often a thread looks for memory to return.
const INTERVAL: Duration = Duration::from_secs(1);

thread_local! {
    static COLLECTED: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// A runtime for a service. mimalloc returns freed pages after a delay, and keeps blocks that another thread
/// freed until their owner allocates or collects again. After a burst of requests neither may ever happen, so
/// pages are returned at once and idle threads collect.
///
/// # Errors
/// Fails when the system provides no threads.
pub fn runtime() -> std::io::Result<Runtime> {
    #[cfg(target_os = "linux")]
    disable_huge_pages();
    // SAFETY: It takes no pointers, and it may be called at any time.
    unsafe { libmimalloc_sys::mi_option_set(PURGE_DELAY, 0) };
    Builder::new_multi_thread().enable_all().on_thread_park(collect).build()
}

/// Huge pages of 2 MiB stay whole although little of them is in use: they double the memory of an idle process. mimalloc is
/// built so that it does not ask for any (`no_thp`), but some kernels give them to everybody. Child processes inherit this.
/// It fails on old kernels, which changes nothing.
#[cfg(target_os = "linux")]
fn disable_huge_pages() {
    let _ = rustix::thread::disable_transparent_huge_pages(true);
}

fn collect() {
    if COLLECTED.get().is_some_and(|collected| collected.elapsed() < INTERVAL) {
        return;
    }
    COLLECTED.set(Some(Instant::now()));
    // SAFETY: It takes no pointers, and it may be called at any time.
    unsafe { libmimalloc_sys::mi_collect(false) };
}
