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

struct Part<'a> {
    kind: &'a [u8],
    depth: usize,
    content: Range<usize>,
}

/// Whether an `ftyp` box at the start names AVIF as the major or a compatible brand.
pub(super) fn brands_say_avif(start: &[u8]) -> bool {
    let length = usize::try_from(big_endian(&start[..4])).unwrap_or(0).min(start.len());
    let mut brands = start.get(8..length).unwrap_or_default().chunks_exact(4).enumerate();
    brands.any(|(index, brand)| index != 1 && (brand == b"avif" || brand == b"avis"))
}

pub(super) fn read(picture: &[u8], clean: &mut Vec<u8>, size: &mut Size) -> Result<(), Malformed> {
    let mut parts = Vec::new();
    let outcome = collect(picture, 0..picture.len(), 0, &mut parts);
    for part in &parts {
        measure(part.kind, &picture[part.content.clone()], size);
    }
    outcome?;
    let has_pixels = parts.iter().any(|part| part.depth == 0 && part.kind == b"mdat");
    if !has_pixels || parts.first().is_none_or(|part| part.kind != b"ftyp") {
        return Err(Malformed);
    }
    let of_kind = |kind: &'static [u8]| parts.iter().filter(move |part| part.kind == kind);
    let mut foreign_items = HashSet::new();
    for part in of_kind(b"infe") {
        foreign_items.extend(foreign_item(&picture[part.content.clone()])?);
    }
    let is_metadata = |part: &&Part<'_>| match part.kind {
        b"udta" | b"uuid" | b"free" | b"skip" | b"xml " | b"bxml" => true,
        b"meta" => part.depth > 0,
        kind => part.depth == 0 && !matches!(kind, b"ftyp" | b"mdat" | b"moov"),
    };
    let mut blanks: Vec<_> = parts.iter().filter(is_metadata).map(|part| part.content.clone()).collect();
    for part in of_kind(b"iloc") {
        locate(&picture[part.content.clone()], &foreign_items, picture.len(), &mut blanks)?;
    }
    // Otherwise, many ranges that overlap would take long.
    if blanks.iter().map(Range::len).fold(0, usize::saturating_add) > picture.len() {
        return Err(Malformed);
    }
    clean.extend(picture);
    for blank in blanks {
        clean.get_mut(blank).ok_or(Malformed)?.fill(0);
    }
    Ok(())
}

/// Finds all boxes, each before those in it.
fn collect<'a>(
    picture: &'a [u8],
    within: Range<usize>,
    depth: usize,
    found: &mut Vec<Part<'a>>,
) -> Result<(), Malformed> {
    let mut at = within.start;
    while at < within.end {
        let mut rest = picture.get(at..within.end).ok_or(Malformed)?;
        let available = rest.len();
        let short = big_endian(take(&mut rest, 4)?);
        let kind = take(&mut rest, 4)?;
        let length = match short {
            0 => available as u64,
            1 => big_endian(take(&mut rest, 8)?),
            length => length,
        };
        let (header, length) = (available - rest.len(), usize::try_from(length).map_err(|_| Malformed)?);
        if length < header || length > available {
            return Err(Malformed);
        }
        let content = at + header..at + length;
        // What precedes the inner boxes.
        let skipped = match kind {
            b"moov" | b"trak" | b"mdia" | b"minf" | b"stbl" | b"edts" | b"dinf" | b"iprp" | b"ipco" => {
                Some(0)
            }
            b"meta" if depth == 0 => Some(4),
            b"iinf" => Some(if picture.get(content.start) == Some(&0) { 6 } else { 8 }),
            b"stsd" => Some(8),
            _ => None,
        };
        found.push(Part { kind, depth, content: content.clone() });
        match skipped {
            Some(_) if depth == MAX_DEPTH => return Err(Malformed),
            Some(skipped) => collect(picture, content.start + skipped..content.end, depth + 1, found)?,
            None => {}
        }
        at += length;
    }
    Ok(())
}

/// Adds the sizes and numbers of frames that a box declares.
fn measure(kind: &[u8], content: &[u8], size: &mut Size) {
    let number = |range: Range<usize>| content.get(range).map_or(0, big_endian);
    match kind {
        b"ispe" => size.add(number(4..8), number(8..12)),
        b"av01" => size.add(number(24..26), number(26..28)),
        // The last two numbers, with 16 bits before the point and 16 after it.
        b"tkhd" => {
            let sides = content.last_chunk::<8>().map_or(0, |sides| u64::from_be_bytes(*sides));
            size.add(sides >> 48, sides >> 16 & 0xffff);
        }
        b"stsz" | b"stz2" => size.add_frames(number(8..12)),
        _ => {}
    }
}

/// The id of an item that is not part of the image.
fn foreign_item(mut entry: &[u8]) -> Result<Option<u64>, Malformed> {
    let id_size = match take(&mut entry, 4)?[0] {
        2 => 2,
        3 => 4,
        _ => return Err(Malformed),
    };
    let id = big_endian(take(&mut entry, id_size)?);
    take(&mut entry, 2)?;
    let is_foreign = !PICTURE_ITEMS.contains(&take(&mut entry, 4)?);
    Ok(is_foreign.then_some(id))
}

/// Adds where the parts of these items are, according to a table of locations.
fn locate(
    mut table: &[u8],
    items: &HashSet<u64>,
    file_length: usize,
    found: &mut Vec<Range<usize>>,
) -> Result<(), Malformed> {
    let version = take(&mut table, 4)?[0];
    let sizes = take(&mut table, 2)?;
    let index_size = if version == 0 { 0 } else { sizes[1] & 15 };
    let [offset_size, length_size, base_size, index_size] =
        [sizes[0] >> 4, sizes[0] & 15, sizes[1] >> 4, index_size].map(usize::from);
    let id_size = if version < 2 { 2 } else { 4 };
    let mut number = |size: usize| take(&mut table, size).map(big_endian);
    for _ in 0..number(id_size)? {
        let item = number(id_size)?;
        let method = if version == 0 { 0 } else { number(2)? & 15 };
        let (source, base, count) = (number(2)?, number(base_size)?, number(2)?);
        // Extents without fields take no bytes of the file, so their number would not be limited.
        if count > 1 && index_size + offset_size + length_size == 0 {
            return Err(Malformed);
        }
        for _ in 0..count {
            number(index_size)?;
            let (offset, length) = (number(offset_size)?, number(length_size)?);
            if !items.contains(&item) {
                continue;
            }
            let start = base.checked_add(offset).and_then(|start| usize::try_from(start).ok());
            let start = start.ok_or(Malformed)?;
            let end = usize::try_from(length).ok().and_then(|length| start.checked_add(length));
            // Nobody stores metadata relative to another box (method), in another file (source), or up to the end (length).
            if (method, source) != (0, 0) || length == 0 {
                return Err(Malformed);
            }
            found.push(start..end.filter(|end| *end <= file_length).ok_or(Malformed)?);
        }
    }
    Ok(())
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

    #[test]
    fn items_outside_the_file_are_rejected() {
        let extent = [0_u64.to_be_bytes(), (1_u64 << 63).to_be_bytes()].concat();
        let item = [&[0, 1, 0, 0, 0, 2][..], &extent, &extent].concat();
        let locations = [&[0, 0, 0, 0, 0x88, 0, 0, 1][..], &item].concat();
        assert_eq!(clean(&with_items(2, &locations)), Err(Malformed));
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
