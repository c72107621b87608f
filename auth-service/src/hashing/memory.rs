//! The memory for one thread's hashes, on huge pages where the system has them.
//!
//! A hash accesses 19 MiB at random. With 4 KiB pages that exceeds the TLB, and about 5 % of the hash's time
//! goes into page-table walks (`cargo xtask bench auth` prints both rates).

use argon2::Block;

#[derive(Default)]
pub struct Memory(Vec<Block>);

impl Memory {
    #[cfg(test)]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns this many blocks, with the contents the last hash left: argon2 never reads a block it has not
    /// written. The blocks are reused, because allocating and clearing them costs a tenth of a hash.
    pub fn blocks(&mut self, number: usize) -> &mut [Block] {
        if self.0.len() != number {
            // Frees the old blocks first, so that both never exist at once.
            self.0 = Vec::new();
            self.0.reserve_exact(number);
            // Must happen before the first access, when the kernel assigns the pages.
            system::ask_for_huge_pages(self.0.spare_capacity_mut());
            self.0.resize(number, Block::default());
        }
        &mut self.0
    }
}

#[cfg(target_os = "linux")]
mod system {
    use std::mem::{MaybeUninit, size_of_val};

    use argon2::Block;
    use rustix::mm::{Advice, madvise};
    use rustix::param::page_size;

    /// Systems without huge pages ignore the request, and the hash runs at its usual speed.
    pub fn ask_for_huge_pages(blocks: &mut [MaybeUninit<Block>]) {
        let start = blocks.as_mut_ptr().cast::<u8>();
        let before = start.align_offset(page_size());
        let Some(rest) = size_of_val(blocks).checked_sub(before) else { return };
        let whole_pages = rest - rest % page_size();
        // SAFETY: the pages lie within `blocks`, which nobody else holds, and this advice changes no content.
        let _ = unsafe { madvise(start.add(before).cast(), whole_pages, Advice::LinuxHugepage) };
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    pub const fn ask_for_huge_pages(_: &mut [std::mem::MaybeUninit<argon2::Block>]) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn returns_the_requested_number_of_blocks() {
        let mut memory = Memory::default();
        for number in [8, 19 * 1024, 64, 19 * 1024, 0, 8] {
            assert_eq!(memory.blocks(number).len(), number);
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn huge_pages_are_requested() {
        if !std::path::Path::new("/sys/kernel/mm/transparent_hugepage").exists() {
            return;
        }
        let mut memory = Memory::default();
        let blocks = memory.blocks(19 * 1024);
        let middle = blocks[blocks.len() / 2..].as_ptr().addr();

        let smaps = std::fs::read_to_string("/proc/self/smaps").unwrap();
        let mut flags = None;
        let mut is_ours = false;
        for line in smaps.lines() {
            if let Some(range) = line.split(' ').next().and_then(range) {
                is_ours = range.contains(&middle);
            } else if is_ours && let Some(listed) = line.strip_prefix("VmFlags:") {
                flags = Some(listed.to_owned());
            }
        }
        let flags = flags.expect("the flags of our memory");
        assert!(flags.split_whitespace().any(|flag| flag == "hg"), "{flags}");
    }

    /// Parses a range such as `7f0e1c000000-7f0e1d400000`.
    #[cfg(target_os = "linux")]
    fn range(text: &str) -> Option<std::ops::Range<usize>> {
        let (start, end) = text.split_once('-')?;
        Some(usize::from_str_radix(start, 16).ok()?..usize::from_str_radix(end, 16).ok()?)
    }
}
