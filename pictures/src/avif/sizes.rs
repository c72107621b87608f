//! The sizes declared in an AVIF file: by properties, grids, overlays, tracks and the streams in them.

use std::collections::HashMap;
use std::ops::Range;

use super::extents::extents;
use super::{CONTAINERS, MAX_DEPTH, av1, parts};
use crate::size::Size;
use crate::{Malformed, big_endian, take};

/// Enough for a sequence header, which comes first.
const STREAM_START: usize = 256;

/// Continues after a box that can't be parsed, because a decoder may do so, too.
pub(crate) fn sizes(picture: &[u8], size: &mut Size) -> Result<(), Malformed> {
    for part in parts(picture, 0..picture.len())? {
        let _ = match &part.kind {
            b"meta" => meta(picture, part.content, size),
            b"moov" => track(picture, part.content, MAX_DEPTH, size),
            _ => Ok(()),
        };
    }
    Ok(())
}

fn meta(picture: &[u8], within: Range<usize>, size: &mut Size) -> Result<(), Malformed> {
    let inner = parts(picture, within.start + 4..within.end)?;
    let content =
        |kind: &[u8; 4]| inner.iter().find(|part| &part.kind == kind).map(|part| part.content.clone());
    for part in inner.iter().filter(|part| &part.kind == b"iprp") {
        let _ = properties(picture, part.content.clone(), size);
    }
    let (Some(infos), Some(locations)) = (content(b"iinf"), content(b"iloc")) else { return Ok(()) };
    let data = content(b"idat");
    let mut located: HashMap<u64, Vec<Range<usize>>> = HashMap::new();
    for (item, extent) in extents(picture.get(locations).ok_or(Malformed)?)? {
        located.entry(item).or_default().extend(extent.range(data.as_ref()));
    }
    for (kind, id) in super::items(picture, infos)? {
        let start = start_of(picture, located.get(&id).map_or(&[], Vec::as_slice));
        match &kind {
            b"av01" => av1::sizes(&start, size),
            // After version, flags, rows and columns.
            b"grid" => derived(&start, 4, size),
            // After version, flags and the background color.
            b"iovl" => derived(&start, 10, size),
            _ => (),
        }
    }
    Ok(())
}

/// The first bytes of an item. Many items can have the same extents, so only a few are read for each.
fn start_of(picture: &[u8], extents: &[Range<usize>]) -> Vec<u8> {
    let first = extents.iter().take(STREAM_START);
    let bytes = first.filter_map(|extent| picture.get(extent.clone())).flatten();
    bytes.copied().take(STREAM_START).collect()
}

fn properties(picture: &[u8], within: Range<usize>, size: &mut Size) -> Result<(), Malformed> {
    for container in parts(picture, within)?.into_iter().filter(|part| &part.kind == b"ipco") {
        for property in parts(picture, container.content)? {
            let _ = named_by(picture, &property.kind, property.content, size);
        }
    }
    Ok(())
}

/// The size of a derived image, which is composed of others.
fn derived(data: &[u8], at: usize, size: &mut Size) {
    let bytes = if data.get(1).is_some_and(|flags| flags & 1 == 1) { 4 } else { 2 };
    if let Some(fields) = data.get(at..at + 2 * bytes) {
        size.add(big_endian(&fields[..bytes]), big_endian(&fields[bytes..]));
    }
}

/// Reads boxes that declare a size.
fn named_by(picture: &[u8], kind: &[u8; 4], content: Range<usize>, size: &mut Size) -> Result<(), Malformed> {
    let mut content = picture.get(content).ok_or(Malformed)?;
    match kind {
        b"ispe" => {
            take(&mut content, 4)?;
            size.add(big_endian(take(&mut content, 4)?), big_endian(take(&mut content, 4)?));
        }
        b"av1C" => {
            take(&mut content, 4)?;
            av1::sizes(content, size);
        }
        _ => (),
    }
    Ok(())
}

fn track(picture: &[u8], within: Range<usize>, depth: usize, size: &mut Size) -> Result<(), Malformed> {
    let depth = depth.checked_sub(1).ok_or(Malformed)?;
    for part in parts(picture, within)? {
        let _ = if CONTAINERS.contains(&part.kind.as_slice()) {
            track(picture, part.content, depth, size)
        } else {
            track_box(picture, &part.kind, part.content, size)
        };
    }
    Ok(())
}

fn track_box(picture: &[u8], kind: &[u8; 4], within: Range<usize>, size: &mut Size) -> Result<(), Malformed> {
    let mut content = picture.get(within.clone()).ok_or(Malformed)?;
    match kind {
        b"tkhd" => {
            // The last eight bytes are width and height as 16.16 fixed-point numbers.
            let at = content.len().checked_sub(8).ok_or(Malformed)?;
            let mut sides = &content[at..];
            size.add(big_endian(take(&mut sides, 2)?), big_endian(&sides[2..4]));
        }
        b"stsd" => {
            for entry in parts(picture, within.start + 8..within.end)? {
                let _ = sample_entry(picture, entry.content, size);
            }
        }
        b"stsz" | b"stz2" => {
            take(&mut content, 8)?;
            size.add_frames(big_endian(take(&mut content, 4)?));
        }
        b"stco" | b"co64" => {
            take(&mut content, 4)?;
            let bytes = if kind == b"stco" { 4 } else { 8 };
            for _ in 0..big_endian(take(&mut content, 4)?) {
                let start = usize::try_from(big_endian(take(&mut content, bytes)?)).unwrap_or(usize::MAX);
                let chunk = picture.get(start..).unwrap_or_default();
                av1::sizes(&chunk[..chunk.len().min(STREAM_START)], size);
            }
        }
        _ => (),
    }
    Ok(())
}

/// Reads the common header of visual sample entries, then the boxes after it.
fn sample_entry(picture: &[u8], within: Range<usize>, size: &mut Size) -> Result<(), Malformed> {
    const HEADER: usize = 78;
    let content = picture.get(within.clone()).ok_or(Malformed)?;
    let Some(header) = content.get(..HEADER) else { return Ok(()) };
    size.add(big_endian(&header[24..26]), big_endian(&header[26..28]));
    for part in parts(picture, within.start + HEADER..within.end)? {
        let _ = named_by(picture, &part.kind, part.content, size);
    }
    Ok(())
}
