//! Returns freed memory to the operating system.

use std::cell::Cell;
use std::time::{Duration, Instant};

use tokio::runtime::{Builder, Runtime};

/// libmimalloc-sys has no name for `mi_option_purge_delay`.
const PURGE_DELAY: libmimalloc_sys::mi_option_t = 15;
/// How often a thread checks for memory to return.
const INTERVAL: Duration = Duration::from_secs(1);

thread_local! {
    static COLLECTED: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// A runtime for a service. mimalloc returns freed pages after a delay, and keeps blocks that another thread
/// freed until their owner allocates or collects again. After a burst of requests neither may ever happen, so
/// pages are returned immediately and idle threads collect.
///
/// # Errors
/// Fails when the system provides no threads.
pub fn runtime() -> std::io::Result<Runtime> {
    // A huge page of 2 MiB stays allocated even if little of it is in use, which doubles the memory of an idle process.
    // mimalloc is built not to request any (`no_thp`), but some kernels give them to every process. Child processes
    // inherit the setting. A failure, as on old kernels, is ignored.
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::disable_transparent_huge_pages(true);
    // SAFETY: It takes no pointers, and it may be called at any time.
    unsafe { libmimalloc_sys::mi_option_set(PURGE_DELAY, 0) };
    Builder::new_multi_thread().enable_all().on_thread_park(collect).build()
}

fn collect() {
    if COLLECTED.get().is_some_and(|collected| collected.elapsed() < INTERVAL) {
        return;
    }
    COLLECTED.set(Some(Instant::now()));
    // SAFETY: It takes no pointers, and it may be called at any time.
    unsafe { libmimalloc_sys::mi_collect(false) };
}
