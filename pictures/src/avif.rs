//! AVIF: nested boxes (length, type, content). Items are addressed by absolute position, so nothing may move:
//! metadata is overwritten with zeros in place.

use std::collections::HashSet;
use std::ops::Range;

use super::size::Size;
use super::{Malformed, big_endian, take};

/// Items that make up the image. Every other kind (`Exif`, `mime` for XMP, …) is blanked.
const PICTURE_ITEMS: [&[u8]; 5] = [b"av01", b"grid", b"iovl", b"iden", b"tmap"];
/// Sequences nest five boxes. Without a limit, a file of nested boxes would overflow the stack.
const MAX_DEPTH: usize = 8;

struct Part {
    kind: [u8; 4],
    content: Range<usize>,
}

/// What is known of a file after its boxes were read.
struct File<'a> {
    picture: &'a [u8],
    size: &'a mut Size,
    /// Metadata.
    blanks: Vec<Range<usize>>,
    foreign_items: HashSet<u64>,
    /// The id of an item, and where a part of it is.
    extents: Vec<(u64, Extent)>,
    /// The content of the `idat` box.
    item_data: Option<Range<usize>>,
}

struct Extent {
    /// 0: in the file, 1: in the `idat` box; others are not supported.
    method: u64,
    is_elsewhere: bool,
    start: u64,
    length: u64,
}

/// Whether an `ftyp` box at the start names AVIF as the major or a compatible brand.
pub(super) fn brands_say_avif(start: &[u8]) -> bool {
    let length = usize::try_from(big_endian(&start[..4])).unwrap_or(0).min(start.len());
    let brands = start.get(8..length).unwrap_or_default();
    brands
        .chunks_exact(4)
        .enumerate()
        .any(|(index, brand)| index != 1 && (brand == b"avif" || brand == b"avis"))
}

pub(super) fn read(picture: &[u8], clean: &mut Vec<u8>, size: &mut Size) -> Result<(), Malformed> {
    clean.extend(picture);
    let (blanks, extents, item_data) = (Vec::new(), Vec::new(), None);
    let mut file = File { picture, size, blanks, foreign_items: HashSet::new(), extents, item_data };
    let parts = parts(picture, 0..picture.len())?;
    for part in &parts {
        match &part.kind {
            b"ftyp" | b"mdat" => (),
            // A version and flags precede the inner boxes.
            b"meta" => file.read(part.content.start + 4..part.content.end, MAX_DEPTH)?,
            b"moov" => file.read(part.content.clone(), MAX_DEPTH)?,
            _ => file.blanks.push(part.content.clone()),
        }
    }
    let has_pixels = parts.iter().any(|part| &part.kind == b"mdat");
    if !has_pixels || parts.first().is_none_or(|part| &part.kind != b"ftyp") {
        return Err(Malformed);
    }
    let blanks = file.blanks()?;
    // Otherwise, many ranges that overlap would take long.
    if blanks.iter().map(Range::len).sum::<usize>() > picture.len() {
        return Err(Malformed);
    }
    for blank in blanks {
        clean.get_mut(blank).ok_or(Malformed)?.fill(0);
    }
    Ok(())
}

fn parts(picture: &[u8], within: Range<usize>) -> Result<Vec<Part>, Malformed> {
    let (mut at, mut found) = (within.start, Vec::new());
    while at < within.end {
        let mut rest = picture.get(at..within.end).ok_or(Malformed)?;
        let available = rest.len();
        let short = big_endian(take(&mut rest, 4)?);
        let kind = take(&mut rest, 4)?.try_into().map_err(|_| Malformed)?;
        let length = match short {
            0 => available,
            1 => usize::try_from(big_endian(take(&mut rest, 8)?)).map_err(|_| Malformed)?,
            length => usize::try_from(length).map_err(|_| Malformed)?,
        };
        let header = available - rest.len();
        if length < header || length > available {
            return Err(Malformed);
        }
        found.push(Part { kind, content: at + header..at + length });
        at += length;
    }
    Ok(found)
}

impl File<'_> {
    /// Reads the boxes of an image or a sequence.
    fn read(&mut self, within: Range<usize>, depth: usize) -> Result<(), Malformed> {
        let depth = depth.checked_sub(1).ok_or(Malformed)?;
        for Part { kind, content: range } in parts(self.picture, within)? {
            let content = self.picture.get(range.clone()).ok_or(Malformed)?;
            match &kind {
                b"trak" | b"mdia" | b"minf" | b"stbl" | b"edts" | b"dinf" | b"iprp" | b"ipco" => {
                    self.read(range, depth)?;
                }
                b"stsd" => self.read(range.start + 8..range.end, depth)?,
                b"udta" | b"meta" | b"uuid" | b"free" | b"skip" | b"xml " | b"bxml" => {
                    self.blanks.push(range);
                }
                b"iinf" => self.read_items(range)?,
                b"iloc" => self.read_locations(content)?,
                b"idat" => self.item_data = Some(range),
                b"ispe" => self.add_sides(content.get(4..12)),
                // Numbers with 16 bits before the point and 16 after it.
                b"tkhd" => {
                    let sides =
                        content.last_chunk::<8>().map(|sides| [sides[0], sides[1], sides[4], sides[5]]);
                    self.add_sides(sides.as_ref().map(<[u8; 4]>::as_slice));
                }
                b"av01" => self.add_sides(content.get(24..28)),
                b"stsz" | b"stz2" => self.size.add_frames(content.get(8..12).map_or(0, big_endian)),
                _ => (),
            }
        }
        Ok(())
    }

    /// Width and height, in half of the bytes each.
    fn add_sides(&mut self, sides: Option<&[u8]>) {
        if let Some((width, height)) = sides.map(|sides| sides.split_at(sides.len() / 2)) {
            self.size.add(big_endian(width), big_endian(height));
        }
    }

    /// Finds the items that are not part of the image.
    fn read_items(&mut self, within: Range<usize>) -> Result<(), Malformed> {
        let version = *self.picture.get(within.start).ok_or(Malformed)?;
        let header = if version == 0 { 6 } else { 8 };
        for part in parts(self.picture, within.start + header..within.end)? {
            let mut entry = self.picture.get(part.content).ok_or(Malformed)?;
            let id_size = match take(&mut entry, 4)?[0] {
                2 => 2,
                3 => 4,
                _ => return Err(Malformed),
            };
            let id = big_endian(take(&mut entry, id_size)?);
            take(&mut entry, 2)?;
            if !PICTURE_ITEMS.contains(&take(&mut entry, 4)?) {
                self.foreign_items.insert(id);
            }
        }
        Ok(())
    }

    fn read_locations(&mut self, mut table: &[u8]) -> Result<(), Malformed> {
        let version = take(&mut table, 4)?[0];
        let sizes = take(&mut table, 2)?;
        let size = |nibble: u8| usize::from(nibble & 15);
        let (offset_size, length_size, base_size) =
            (size(sizes[0] >> 4), size(sizes[0]), size(sizes[1] >> 4));
        let index_size = if version == 0 { 0 } else { size(sizes[1]) };
        let id_size = if version < 2 { 2 } else { 4 };
        let mut number = |size: usize| take(&mut table, size).map(big_endian);
        for _ in 0..number(id_size)? {
            let item = number(id_size)?;
            let method = if version == 0 { 0 } else { number(2)? & 15 };
            let (is_elsewhere, base, count) = (number(2)? != 0, number(base_size)?, number(2)?);
            // Extents without fields take no bytes of the file, so their number would not be limited.
            if count > 1 && index_size + offset_size + length_size == 0 {
                return Err(Malformed);
            }
            for _ in 0..count {
                number(index_size)?;
                let start = base.checked_add(number(offset_size)?).ok_or(Malformed)?;
                let length = number(length_size)?;
                self.extents.push((item, Extent { method, is_elsewhere, start, length }));
            }
        }
        Ok(())
    }

    /// The ranges of metadata in boxes and items.
    fn blanks(self) -> Result<Vec<Range<usize>>, Malformed> {
        let mut blanks = self.blanks;
        for (_, extent) in self.extents.iter().filter(|(item, _)| self.foreign_items.contains(item)) {
            blanks.push(extent.range(self.item_data.as_ref()).ok_or(Malformed)?);
        }
        Ok(blanks)
    }
}

impl Extent {
    fn range(&self, item_data: Option<&Range<usize>>) -> Option<Range<usize>> {
        let origin = match self.method {
            0 => 0,
            1 => item_data?.start,
            _ => return None,
        };
        // A length of zero means "to the end of the file", which metadata never uses.
        if self.is_elsewhere || self.length == 0 {
            return None;
        }
        let start = usize::try_from(self.start).ok()?.checked_add(origin)?;
        Some(start..start.checked_add(usize::try_from(self.length).ok()?)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Format;

    fn clean(picture: &[u8]) -> Result<Vec<u8>, Malformed> {
        Format::Avif.without_metadata(picture)
    }

    fn boxed(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
        [&u32::try_from(content.len() + 8).unwrap().to_be_bytes()[..], kind, content].concat()
    }

    fn item(id: u8, kind: &[u8; 4]) -> Vec<u8> {
        boxed(b"infe", &[&[2, 0, 0, 0, 0, id, 0, 0][..], kind, b"\0"].concat())
    }

    /// Two items, image and EXIF, one after the other in `mdat`.
    fn picture(data: &[u8; 16], last: &[u8]) -> Vec<u8> {
        let ftyp = boxed(b"ftyp", b"avif\0\0\0\0mif1avif");
        let build = |start: u8| {
            let infos =
                boxed(b"iinf", &[&[0, 0, 0, 0, 0, 2][..], &item(1, b"av01"), &item(2, b"Exif")].concat());
            let location = |id: u8, offset: u8| [0, id, 0, 0, 0, 1, 0, 0, 0, offset, 0, 0, 0, 8];
            let locations =
                [&[0, 0, 0, 0, 0x44, 0, 0, 2][..], &location(1, start), &location(2, start + 8)].concat();
            let meta = boxed(b"meta", &[&[0; 4][..], &infos, &boxed(b"iloc", &locations)].concat());
            [ftyp.clone(), meta, boxed(b"mdat", data), last.to_vec()].concat()
        };
        let start = build(0).len() - 16 - last.len();
        build(u8::try_from(start).unwrap())
    }

    #[test]
    fn exif_is_blanked_in_place() {
        let dirty = picture(b"pixels!!GPS 48.1", &boxed(b"uuid", b"GPS again"));
        let expected = picture(b"pixels!!\0\0\0\0\0\0\0\0", &boxed(b"uuid", &[0; 9]));
        assert_eq!(clean(&dirty).unwrap(), expected);
    }

    #[test]
    fn bytes_outside_boxes_are_rejected() {
        assert_eq!(clean(&picture(b"pixels!!GPS 48.1", b"<script>alert(1)</script>")), Err(Malformed));
        assert_eq!(clean(&boxed(b"ftyp", b"avif\0\0\0\0")), Err(Malformed));
    }

    #[test]
    fn deeply_nested_boxes_are_rejected() {
        let nested = |depth: u32| {
            let mut boxes = Vec::new();
            for left in (1..=depth).rev() {
                boxes.extend((8 * left).to_be_bytes());
                boxes.extend(b"trak");
            }
            picture(b"pixels!!GPS 48.1", &boxed(b"moov", &boxes))
        };
        assert!(clean(&nested(4)).is_ok());
        assert_eq!(clean(&nested(500_000)), Err(Malformed));
        let _ = Format::Avif.size(&nested(500_000));
    }

    #[test]
    fn the_cost_grows_with_the_file_only() {
        let began = std::time::Instant::now();
        // Empty extents.
        let entries = [0, 1, 0, 0, 0xff, 0xff].repeat(10_000);
        let empty_extents = [&[0, 0, 0, 0, 0, 0, 0x27, 0x10][..], &entries].concat();
        let many = with_items(20_000, &empty_extents);
        assert_eq!(clean(&many), Err(Malformed));
        let _ = Format::Avif.size(&many);
        // Many items, each of which spans the whole file.
        let entries: Vec<u8> = (0..20_000_u16)
            .flat_map(|id| [&id.to_be_bytes()[..], &[0, 0, 0, 1, 0, 0, 0, 0, 0, 0x05, 0, 0]].concat())
            .collect();
        let overlapping = [&[0, 0, 0, 0, 0x44, 0, 0x4e, 0x20][..], &entries].concat();
        let many = with_items(20_000, &overlapping);
        let _ = Format::Avif.size(&many);
        let _ = clean(&many);
        assert!(began.elapsed() < std::time::Duration::from_secs(2), "{:?}", began.elapsed());
    }

    /// Every other item is metadata.
    fn with_items(count: u16, locations: &[u8]) -> Vec<u8> {
        let items: Vec<u8> = (0..count)
            .flat_map(|id| {
                let kind: &[u8] = if id % 2 == 0 { b"av01" } else { b"Exif" };
                boxed(b"infe", &[&[2, 0, 0, 0][..], &id.to_be_bytes(), &[0, 0], kind, b"\0"].concat())
            })
            .collect();
        let infos = boxed(b"iinf", &[&[0, 0, 0, 0][..], &count.to_be_bytes(), &items].concat());
        let meta = boxed(b"meta", &[&[0; 4][..], &infos, &boxed(b"iloc", locations)].concat());
        [boxed(b"ftyp", b"avif\0\0\0\0mif1avif"), meta, boxed(b"mdat", b"pixels")].concat()
    }

    #[test]
    fn the_minor_version_is_not_a_brand() {
        assert!(brands_say_avif(&boxed(b"ftyp", b"mif1\0\0\0\0avif")));
        assert!(!brands_say_avif(&boxed(b"ftyp", b"heicavifmif1heic")));
    }
}
