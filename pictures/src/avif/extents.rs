//! Where the bytes of items are.

use std::ops::Range;

use crate::{Malformed, big_endian, take};

/// A part of an item.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    /// 0: in the file, 1: in the `idat` box; others are not supported.
    method: u64,
    is_elsewhere: bool,
    base: u64,
    offset: u64,
    length: u64,
}

/// Parses an `iloc` box. Returns each extent with the id of its item.
pub(super) fn extents(mut table: &[u8]) -> Result<Vec<(u64, Extent)>, Malformed> {
    let version = take(&mut table, 4)?[0];
    let sizes = take(&mut table, 2)?;
    let size = |nibble: u8| usize::from(nibble & 15);
    let (offset_size, length_size, base_size) = (size(sizes[0] >> 4), size(sizes[0]), size(sizes[1] >> 4));
    let index_size = if version == 0 { 0 } else { size(sizes[1]) };
    let id_size = if version < 2 { 2 } else { 4 };
    let mut extents = Vec::new();
    for _ in 0..big_endian(take(&mut table, id_size)?) {
        let item = big_endian(take(&mut table, id_size)?);
        let method = if version == 0 { 0 } else { big_endian(take(&mut table, 2)?) & 15 };
        let is_elsewhere = big_endian(take(&mut table, 2)?) != 0;
        let base = big_endian(take(&mut table, base_size)?);
        let count = big_endian(take(&mut table, 2)?);
        // Extents without fields take no bytes of the file, so their number would not be limited.
        if count > 1 && index_size + offset_size + length_size == 0 {
            return Err(Malformed);
        }
        for _ in 0..count {
            take(&mut table, index_size)?;
            let offset = big_endian(take(&mut table, offset_size)?);
            let length = big_endian(take(&mut table, length_size)?);
            extents.push((item, Extent { method, is_elsewhere, base, offset, length }));
        }
    }
    Ok(extents)
}

impl Extent {
    /// `data` is the content of the `idat` box.
    pub(super) fn range(self, data: Option<&Range<usize>>) -> Option<Range<usize>> {
        let origin = match (self.method, data) {
            (0, _) => 0,
            (1, Some(data)) => data.start,
            _ => return None,
        };
        // A length of zero means "to the end of the file", which metadata never uses.
        if self.is_elsewhere || self.length == 0 {
            return None;
        }
        let start = usize::try_from(self.base.checked_add(self.offset)?).ok()?.checked_add(origin)?;
        Some(start..start.checked_add(usize::try_from(self.length).ok()?)?)
    }
}
