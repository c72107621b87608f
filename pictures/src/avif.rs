//! AVIF: nested boxes (length, type, content). Items are addressed by absolute position, so nothing may move:
//! metadata is overwritten with zeros in place.

mod av1;
mod sizes;

use std::ops::Range;

pub(super) use sizes::sizes;

use super::{Malformed, big_endian, take};

/// Items that make up the image. Every other kind (`Exif`, `mime` for XMP, …) is blanked.
const PICTURE_ITEMS: [&[u8]; 5] = [b"av01", b"grid", b"iovl", b"iden", b"tmap"];
/// Boxes of a sequence that contain only other boxes.
const CONTAINERS: [&[u8]; 6] = [b"trak", b"mdia", b"minf", b"stbl", b"edts", b"dinf"];

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
            b"moov" => sequence(&picture, part.content.clone(), &mut blanks)?,
            _ => blanks.push(part.content.clone()),
        }
    }
    if !pixels || parts.first().is_none_or(|part| &part.kind != b"ftyp") {
        return Err(Malformed);
    }
    for blank in blanks {
        picture.get_mut(blank).ok_or(Malformed)?.fill(0);
    }
    Ok(picture)
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
fn sequence(picture: &[u8], within: Range<usize>, blanks: &mut Vec<Range<usize>>) -> Result<(), Malformed> {
    for part in parts(picture, within)? {
        if CONTAINERS.contains(&part.kind.as_slice()) {
            sequence(picture, part.content, blanks)?;
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
        let locations = picture.get(content(b"iloc").ok_or(Malformed)?).ok_or(Malformed)?;
        blanks = extents_of(&foreign, locations, content(b"idat"))?;
    }
    let strange =
        |part: &&Part| matches!(&part.kind, b"uuid" | b"udta" | b"free" | b"skip" | b"xml " | b"bxml");
    blanks.extend(parts.iter().filter(strange).map(|part| part.content.clone()));
    Ok(blanks)
}

fn foreign_items(picture: &[u8], within: Range<usize>) -> Result<Vec<u64>, Malformed> {
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

fn extents_of(
    items: &[u64],
    mut table: &[u8],
    data: Option<Range<usize>>,
) -> Result<Vec<Range<usize>>, Malformed> {
    let version = take(&mut table, 4)?[0];
    let sizes = take(&mut table, 2)?;
    let size = |nibble: u8| usize::from(nibble & 15);
    let (offset_size, length_size, base_size) = (size(sizes[0] >> 4), size(sizes[0]), size(sizes[1] >> 4));
    let index_size = if version == 0 { 0 } else { size(sizes[1]) };
    let id_size = if version < 2 { 2 } else { 4 };
    let mut extents = Vec::new();
    for _ in 0..big_endian(take(&mut table, id_size)?) {
        let id = big_endian(take(&mut table, id_size)?);
        let method = if version == 0 { 0 } else { big_endian(take(&mut table, 2)?) & 15 };
        let elsewhere = big_endian(take(&mut table, 2)?) != 0;
        let base = big_endian(take(&mut table, base_size)?);
        for _ in 0..big_endian(take(&mut table, 2)?) {
            take(&mut table, index_size)?;
            let offset = big_endian(take(&mut table, offset_size)?);
            let length = big_endian(take(&mut table, length_size)?);
            if !items.contains(&id) {
                continue;
            }
            let origin = match (method, &data) {
                (0, _) => 0,
                (1, Some(data)) => data.start,
                _ => return Err(Malformed),
            };
            // A length of zero means "to the end of the file", which metadata never uses.
            if elsewhere || length == 0 {
                return Err(Malformed);
            }
            extents.push(span(origin, base, offset, length).ok_or(Malformed)?);
        }
    }
    Ok(extents)
}

fn span(origin: usize, base: u64, offset: u64, length: u64) -> Option<Range<usize>> {
    let start = usize::try_from(base.checked_add(offset)?).ok()?.checked_add(origin)?;
    Some(start..start.checked_add(usize::try_from(length).ok()?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn the_minor_version_is_not_a_brand() {
        assert!(brands_say_avif(&boxed(b"ftyp", b"mif1\0\0\0\0avif")));
        assert!(!brands_say_avif(&boxed(b"ftyp", b"heicavifmif1heic")));
    }
}
