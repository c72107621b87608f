//! The sizes declared in an AVIF file: by properties of its images and by its tracks.

use std::ops::Range;

use super::{CONTAINERS, MAX_DEPTH, Part, parts};
use crate::size::Size;
use crate::{Malformed, big_endian, take};

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

/// Each image has its size among the properties, also one that is composed of others.
fn meta(picture: &[u8], within: Range<usize>, size: &mut Size) -> Result<(), Malformed> {
    let is = |kind: &'static [u8; 4]| move |part: &Part| &part.kind == kind;
    for properties in parts(picture, within.start + 4..within.end)?.into_iter().filter(is(b"iprp")) {
        for container in parts(picture, properties.content)?.into_iter().filter(is(b"ipco")) {
            for property in parts(picture, container.content)?.into_iter().filter(is(b"ispe")) {
                let mut sides = picture.get(property.content).unwrap_or_default();
                if take(&mut sides, 4).is_ok() && sides.len() >= 8 {
                    size.add(big_endian(&sides[..4]), big_endian(&sides[4..8]));
                }
            }
        }
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
        _ => (),
    }
    Ok(())
}

/// Reads the common header of visual sample entries.
fn sample_entry(picture: &[u8], within: Range<usize>, size: &mut Size) -> Result<(), Malformed> {
    let sides = picture.get(within).ok_or(Malformed)?.get(24..28).ok_or(Malformed)?;
    size.add(big_endian(&sides[..2]), big_endian(&sides[2..]));
    Ok(())
}
