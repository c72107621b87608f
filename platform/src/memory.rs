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

/// Unmaps the program's code and constants. They stay in the system's page cache, and what is used again is mapped again.
/// Half of them are only needed while the program starts.
pub fn release_code() {
    #[cfg(target_os = "linux")]
    for (start, length) in read_only_mappings() {
        let start = std::ptr::with_exposed_provenance_mut(start);
        // SAFETY: The mapping can't be written and has no relocations, so every page is read from the file again.
        let _ = unsafe { rustix::mm::madvise(start, length, rustix::mm::Advice::LinuxDontNeed) };
    }
}

/// The addresses and lengths of this program's code and constants. Others, which are relocated when the program starts,
/// are part of the writable segment at the end of the file.
#[cfg(target_os = "linux")]
fn read_only_mappings() -> Vec<(usize, usize)> {
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let mappings: Vec<_> = maps.lines().filter_map(Mapping::parse).collect();
    let own = (release_code as *const ()).addr();
    let Some(code) = mappings.iter().find(|mapping| (mapping.start..mapping.end).contains(&own)) else {
        return Vec::new();
    };
    let is_read_only = |mapping: &&Mapping<'_>| {
        let is_first = mapping.permissions == "r--p" && mapping.offset.bytes().all(|digit| digit == b'0');
        mapping.file == code.file && (is_first || mapping.permissions == "r-xp")
    };
    mappings.iter().filter(is_read_only).map(|mapping| (mapping.start, mapping.end - mapping.start)).collect()
}

/// A line of `/proc/self/maps`.
#[cfg(target_os = "linux")]
struct Mapping<'a> {
    start: usize,
    end: usize,
    permissions: &'a str,
    offset: &'a str,
    /// Device and inode.
    file: (&'a str, &'a str),
}

#[cfg(target_os = "linux")]
impl<'a> Mapping<'a> {
    fn parse(line: &'a str) -> Option<Self> {
        let mut fields = line.split_ascii_whitespace();
        let (start, end) = fields.next()?.split_once('-')?;
        let mut next = || fields.next();
        let (permissions, offset, file) = (next()?, next()?, (next()?, next()?));
        let address = |text| usize::from_str_radix(text, 16).ok();
        Some(Self { start: address(start)?, end: address(end)?, permissions, offset, file })
    }
}

/// mimalloc asks for huge pages of 2 MiB, which stay whole although little of them is in use: they double the memory of an
/// idle process. Child processes inherit this. It fails on old kernels, which changes nothing.
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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn released_code_still_runs() {
        let mappings = read_only_mappings();
        let own = (read_only_mappings as *const ()).addr();
        assert!(mappings.iter().any(|(start, length)| (*start..start + length).contains(&own)));
        release_code();
        assert_eq!(read_only_mappings(), mappings);
    }
}
