//! AVIF: nested boxes (length, type, content). Items are addressed by absolute position, so nothing may move:
//! metadata is overwritten with zeros in place.

mod extents;
mod sizes;

use std::collections::HashSet;
use std::ops::Range;

pub(super) use sizes::sizes;

use super::{Malformed, big_endian, take};
use extents::extents;

/// Items that make up the image. Every other kind (`Exif`, `mime` for XMP, …) is blanked.
const PICTURE_ITEMS: [&[u8]; 5] = [b"av01", b"grid", b"iovl", b"iden", b"tmap"];
/// Boxes of a sequence that contain only other boxes.
const CONTAINERS: [&[u8]; 6] = [b"trak", b"mdia", b"minf", b"stbl", b"edts", b"dinf"];
/// Sequences nest four containers. Without a limit, a file of nested boxes would overflow the stack.
const MAX_DEPTH: usize = 8;

struct Part {
    kind: [u8; 4],
    content: Range<usize>,
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

pub(super) fn clean(mut picture: Vec<u8>) -> Result<Vec<u8>, Malformed> {
    let mut blanks = Vec::new();
    let mut pixels = false;
    let parts = parts(&picture, 0..picture.len())?;
    for part in &parts {
        match &part.kind {
            b"ftyp" => (),
            b"mdat" => pixels = true,
            b"meta" => blanks.extend(meta(&picture, part.content.clone())?),
            b"moov" => sequence(&picture, part.content.clone(), MAX_DEPTH, &mut blanks)?,
            _ => blanks.push(part.content.clone()),
        }
    }
    if !pixels || parts.first().is_none_or(|part| &part.kind != b"ftyp") {
        return Err(Malformed);
    }
    for blank in merged(blanks) {
        picture.get_mut(blank).ok_or(Malformed)?.fill(0);
    }
    Ok(picture)
}

/// Joins overlapping ranges, so that no byte is overwritten twice.
fn merged(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_unstable_by_key(|range| range.start);
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match merged.last_mut().filter(|last| range.start <= last.end) {
            Some(last) => last.end = last.end.max(range.end),
            None => merged.push(range),
        }
    }
    merged
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

/// Collects the metadata boxes of an image sequence.
fn sequence(
    picture: &[u8],
    within: Range<usize>,
    depth: usize,
    blanks: &mut Vec<Range<usize>>,
) -> Result<(), Malformed> {
    let depth = depth.checked_sub(1).ok_or(Malformed)?;
    for part in parts(picture, within)? {
        if CONTAINERS.contains(&part.kind.as_slice()) {
            sequence(picture, part.content, depth, blanks)?;
        } else if matches!(&part.kind, b"udta" | b"meta" | b"uuid" | b"free" | b"skip") {
            blanks.push(part.content);
        }
    }
    Ok(())
}

/// Returns the ranges of items that are not part of the image.
fn meta(picture: &[u8], within: Range<usize>) -> Result<Vec<Range<usize>>, Malformed> {
    // A version and flags precede the inner boxes.
    let parts = parts(picture, within.start + 4..within.end)?;
    let content =
        |kind: &[u8; 4]| parts.iter().find(|part| &part.kind == kind).map(|part| part.content.clone());
    let foreign = foreign_items(picture, content(b"iinf").ok_or(Malformed)?)?;
    let mut blanks = Vec::new();
    if !foreign.is_empty() {
        let table = picture.get(content(b"iloc").ok_or(Malformed)?).ok_or(Malformed)?;
        let data = content(b"idat");
        for (_, extent) in extents(table)?.into_iter().filter(|(item, _)| foreign.contains(item)) {
            blanks.push(extent.range(data.as_ref()).ok_or(Malformed)?);
        }
    }
    let strange =
        |part: &&Part| matches!(&part.kind, b"uuid" | b"udta" | b"free" | b"skip" | b"xml " | b"bxml");
    blanks.extend(parts.iter().filter(strange).map(|part| part.content.clone()));
    Ok(blanks)
}

fn foreign_items(picture: &[u8], within: Range<usize>) -> Result<HashSet<u64>, Malformed> {
    let items = items(picture, within)?.into_iter();
    Ok(items.filter(|(kind, _)| !PICTURE_ITEMS.contains(&kind.as_slice())).map(|(_, id)| id).collect())
}

/// The kind and id of each item.
fn items(picture: &[u8], within: Range<usize>) -> Result<Vec<([u8; 4], u64)>, Malformed> {
    let version = *picture.get(within.start).ok_or(Malformed)?;
    let header = if version == 0 { 6 } else { 8 };
    let mut items = Vec::new();
    for part in parts(picture, within.start + header..within.end)? {
        let mut entry = picture.get(part.content).ok_or(Malformed)?;
        let id_size = match take(&mut entry, 4)?[0] {
            2 => 2,
            3 => 4,
            _ => return Err(Malformed),
        };
        let id = big_endian(take(&mut entry, id_size)?);
        take(&mut entry, 2)?;
        items.push((take(&mut entry, 4)?.try_into().map_err(|_| Malformed)?, id));
    }
    Ok(items)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::size::Size;

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
        assert_eq!(clean(dirty).unwrap(), expected);
    }

    #[test]
    fn bytes_outside_boxes_are_rejected() {
        assert_eq!(clean(picture(b"pixels!!GPS 48.1", b"<script>alert(1)</script>")), Err(Malformed));
        assert_eq!(clean(boxed(b"ftyp", b"avif\0\0\0\0")), Err(Malformed));
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
        assert!(clean(nested(4)).is_ok());
        assert_eq!(clean(nested(500_000)), Err(Malformed));
        let mut size = Size::default();
        let _ = sizes(&nested(500_000), &mut size);
    }

    #[test]
    fn the_cost_grows_with_the_file_only() {
        let began = std::time::Instant::now();
        let mut size = Size::default();
        // Empty extents.
        let entries = [0, 1, 0, 0, 0xff, 0xff].repeat(10_000);
        let empty_extents = [&[0, 0, 0, 0, 0, 0, 0x27, 0x10][..], &entries].concat();
        let many = with_items(20_000, &empty_extents);
        assert_eq!(clean(many.clone()), Err(Malformed));
        let _ = sizes(&many, &mut size);
        // Many items, each of which spans the whole file.
        let entries: Vec<u8> = (0..20_000_u16)
            .flat_map(|id| [&id.to_be_bytes()[..], &[0, 0, 0, 1, 0, 0, 0, 0, 0, 0x05, 0, 0]].concat())
            .collect();
        let overlapping = [&[0, 0, 0, 0, 0x44, 0, 0x4e, 0x20][..], &entries].concat();
        let many = with_items(20_000, &overlapping);
        let _ = sizes(&many, &mut size);
        let _ = clean(many);
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
