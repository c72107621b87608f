//! The sizes that the boxes of an AVIF file declare.

use std::ops::Range;

use super::parts;
use crate::size::Size;
use crate::{Malformed, big_endian, take};

/// Images and sequences nest at most five containers.
const MAX_DEPTH: usize = 8;

pub(crate) fn sizes(picture: &[u8], size: &mut Size) -> Result<(), Malformed> {
    walk(picture, 0..picture.len(), MAX_DEPTH, size)
}

/// Continues after a box that can't be parsed, because a decoder may do so, too.
fn walk(picture: &[u8], within: Range<usize>, depth: usize, size: &mut Size) -> Result<(), Malformed> {
    let depth = depth.checked_sub(1).ok_or(Malformed)?;
    for part in parts(picture, within)? {
        let Range { start, end } = part.content;
        let _ = match &part.kind {
            b"moov" | b"trak" | b"mdia" | b"minf" | b"stbl" | b"iprp" | b"ipco" => {
                walk(picture, start..end, depth, size)
            }
            // A version and flags precede the inner boxes.
            b"meta" => walk(picture, start + 4..end, depth, size),
            kind => declared(kind, &picture[start..end], size),
        };
    }
    Ok(())
}

fn declared(kind: &[u8; 4], mut content: &[u8], size: &mut Size) -> Result<(), Malformed> {
    match kind {
        b"ispe" => {
            take(&mut content, 4)?;
            size.add(big_endian(take(&mut content, 4)?), big_endian(take(&mut content, 4)?));
        }
        b"tkhd" => {
            // The last eight bytes are width and height as 16.16 fixed-point numbers.
            let at = content.len().checked_sub(8).ok_or(Malformed)?;
            let mut sides = &content[at..];
            size.add(big_endian(take(&mut sides, 2)?), big_endian(&sides[2..4]));
        }
        b"stsz" | b"stz2" => {
            take(&mut content, 8)?;
            size.add_frames(big_endian(take(&mut content, 4)?));
        }
        _ => (),
    }
    Ok(())
}
