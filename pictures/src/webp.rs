//! WebP: a RIFF container of chunks (type, little-endian length, content, padding to even).

use super::size::Size;
use super::{Malformed, exif, take};

const HAS_EXIF: u8 = 0x08;
const HAS_XMP: u8 = 0x04;

pub(super) fn clean(picture: &[u8]) -> Result<Vec<u8>, Malformed> {
    let mut rest = picture;
    let header = take(&mut rest, 12)?;
    // Bytes after the container's end are dropped.
    let body = length(&header[4..8])?.checked_sub(4).ok_or(Malformed)?;
    rest = take(&mut rest, body)?;
    let mut kept = header.to_vec();
    let (mut pixels, mut features, mut orientation) = (false, None, None);
    while !rest.is_empty() {
        let start = rest;
        let kind = take(&mut rest, 4)?;
        let size = length(take(&mut rest, 4)?)?;
        let content = take(&mut rest, size)?;
        // Some encoders omit the padding of the last chunk.
        rest = rest.get(size % 2..).unwrap_or_default();
        match kind {
            b"VP8X" => features = Some(kept.len() + 8),
            b"EXIF" => orientation = exif::orientation(content.strip_prefix(b"Exif\0\0").unwrap_or(content)),
            b"VP8 " | b"VP8L" | b"ANMF" => pixels = true,
            b"ALPH" | b"ANIM" | b"ICCP" => (),
            _ => continue,
        }
        if kind != b"EXIF" {
            kept.extend(&start[..start.len() - rest.len()]);
            if kept.len() % 2 == 1 {
                kept.push(0);
            }
        }
    }
    if !pixels {
        return Err(Malformed);
    }
    if let Some(flags) = features.and_then(|at| kept.get_mut(at)) {
        *flags &= !(HAS_EXIF | HAS_XMP);
        if let Some(orientation) = orientation {
            *flags |= HAS_EXIF;
            kept.extend(b"EXIF\x1a\0\0\0");
            kept.extend(exif::orientation_only(orientation));
        }
    }
    let size = u32::try_from(kept.len() - 8).map_err(|_| Malformed)?;
    kept[4..8].copy_from_slice(&size.to_le_bytes());
    Ok(kept)
}

/// Adds the canvas, every frame and the streams in them.
pub(super) fn sizes(picture: &[u8], size: &mut Size) -> Result<(), Malformed> {
    let mut frames = 0;
    let end = chunks(picture.get(12..).ok_or(Malformed)?, Some(&mut frames), size);
    size.add_frames(frames);
    end
}

/// `frames` is counted at the top level. Frames contain no frames; following them would overflow the stack.
fn chunks(mut rest: &[u8], mut frames: Option<&mut u64>, size: &mut Size) -> Result<(), Malformed> {
    while !rest.is_empty() {
        let kind = take(&mut rest, 4)?;
        let length = length(take(&mut rest, 4)?)?;
        // A truncated chunk still declares its size at its start.
        let content = &rest[..length.min(rest.len())];
        // Continues after a chunk that can't be parsed, because a decoder may do so, too.
        let _ = match (kind, &mut frames) {
            (b"ANMF", Some(frames)) => {
                **frames += 1;
                frame(content, size)
            }
            _ => picture_chunk(kind, content, size),
        };
        take(&mut rest, length)?;
        rest = rest.get(length % 2..).unwrap_or_default();
    }
    Ok(())
}

fn frame(content: &[u8], size: &mut Size) -> Result<(), Malformed> {
    let (left, top) = (2 * little_endian(content, 0, 3)?, 2 * little_endian(content, 3, 3)?);
    size.add(left + one_more(content, 6)?, top + one_more(content, 9)?);
    chunks(content.get(16..).ok_or(Malformed)?, None, size)
}

fn picture_chunk(kind: &[u8], content: &[u8], size: &mut Size) -> Result<(), Malformed> {
    match kind {
        b"VP8X" => size.add(one_more(content, 4)?, one_more(content, 7)?),
        b"VP8 " => {
            size.add(little_endian(content, 6, 2)? & 0x3fff, little_endian(content, 8, 2)? & 0x3fff);
        }
        b"VP8L" => {
            let sides = little_endian(content, 1, 4)?;
            size.add((sides & 0x3fff) + 1, (sides >> 14 & 0x3fff) + 1);
        }
        _ => (),
    }
    Ok(())
}

/// Sides are stored minus one.
fn one_more(content: &[u8], at: usize) -> Result<u64, Malformed> {
    Ok(little_endian(content, at, 3)? + 1)
}

fn little_endian(content: &[u8], at: usize, count: usize) -> Result<u64, Malformed> {
    let bytes = content.get(at..at + count).ok_or(Malformed)?;
    Ok(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

fn length(bytes: &[u8]) -> Result<usize, Malformed> {
    let bytes: [u8; 4] = bytes.try_into().map_err(|_| Malformed)?;
    usize::try_from(u32::from_le_bytes(bytes)).map_err(|_| Malformed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
        let mut chunk = [&kind[..], &u32::try_from(content.len()).unwrap().to_le_bytes(), content].concat();
        chunk.resize(chunk.len().next_multiple_of(2), 0);
        chunk
    }

    fn riff(chunks: &[Vec<u8>]) -> Vec<u8> {
        let body = chunks.concat();
        [b"RIFF", &u32::try_from(body.len() + 4).unwrap().to_le_bytes()[..], b"WEBP", &body].concat()
    }

    #[test]
    fn metadata_except_the_orientation_is_removed() {
        let exif = [&exif::orientation_only(8)[..], b"GPS"].concat();
        let features = |flags| chunk(b"VP8X", &[flags, 0, 0, 0, 1, 0, 0, 1, 0, 0]);
        let pixels = chunk(b"VP8L", b"odd");
        let mut dirty = riff(&[
            features(0x3c),
            pixels.clone(),
            chunk(b"EXIF", &exif),
            chunk(b"XMP ", b"GPS"),
            chunk(b"GPS ", b"GPS"),
        ]);
        dirty.extend(b"<script>");
        let expected = riff(&[features(0x38), pixels, chunk(b"EXIF", &exif::orientation_only(8))]);
        assert_eq!(clean(&dirty).unwrap(), expected);
    }

    #[test]
    fn frames_in_frames_are_not_followed() {
        let mut nested = Vec::new();
        for left in (1..=200_000_u32).rev() {
            nested.extend(b"ANMF");
            nested.extend((24 * left - 8).to_le_bytes());
            nested.extend([0; 16]);
        }
        let mut size = Size::default();
        sizes(&riff(&[nested]), &mut size).unwrap();
        assert_eq!((size.width, size.height, size.frames), (1, 1, 1));
    }

    #[test]
    fn a_container_without_pixels_or_truncated_is_rejected() {
        assert_eq!(clean(&riff(&[chunk(b"EXIF", b"x")])), Err(Malformed));
        let whole = riff(&[chunk(b"VP8 ", b"pixels")]);
        assert_eq!(clean(&whole[..whole.len() - 2]), Err(Malformed));
    }
}
