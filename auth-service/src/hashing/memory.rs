//! The memory of one thread's hashes, on huge pages where the system has them.
//!
//! A hash jumps to and fro in 19 MiB. On pages of 4 KiB that is more pages than the processor keeps addresses of, and
//! some 5 % of the hash's time go into looking them up (`cargo xtask bench auth` prints both rates).

use argon2::Block;

#[derive(Default)]
pub struct Memory(Vec<Block>);

impl Memory {
    /// So many blocks, with whatever the last hash left in them: argon2 reads none that it has not written.
    /// Kept between hashes: to get and clear so much each time costs a tenth of the hash.
    pub fn blocks(&mut self, number: usize) -> &mut [Block] {
        if self.0.len() != number {
            // The old one first: never both at once.
            self.0 = Vec::new();
            self.0.reserve_exact(number);
            // Before they are touched: pages are given at the first touch.
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

    /// Refused by a system without huge pages; then the hash is as quick as it was.
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
    fn there_are_as_many_blocks_as_asked_for() {
        let mut memory = Memory::default();
        for number in [8, 19 * 1024, 64, 19 * 1024, 0, 8] {
            assert_eq!(memory.blocks(number).len(), number);
        }
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_system_is_asked_for_huge_pages() {
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

    /// As in `7f0e1c000000-7f0e1d400000`.
    #[cfg(target_os = "linux")]
    fn range(text: &str) -> Option<std::ops::Range<usize>> {
        let (start, end) = text.split_once('-')?;
        Some(usize::from_str_radix(start, 16).ok()?..usize::from_str_radix(end, 16).ok()?)
    }
}
