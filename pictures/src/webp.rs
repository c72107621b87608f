//! WebP: a RIFF container of chunks (type, little-endian length, content, padding to even).

use super::size::Size;
use super::{Malformed, exif, take};

const HAS_EXIF: u8 = 0x08;
const HAS_XMP: u8 = 0x04;
const NEEDED: [&[u8; 4]; 7] = [b"VP8X", b"VP8 ", b"VP8L", b"ANMF", b"ALPH", b"ANIM", b"ICCP"];

struct Chunk<'a> {
    kind: &'a [u8],
    length: usize,
    /// Shorter than `length` if the file was cut off.
    content: &'a [u8],
}

/// Adds the canvas, every frame and the streams in them. Drops bytes after the container's end.
pub(super) fn read(picture: &[u8], clean: &mut Vec<u8>, size: &mut Size) -> Result<(), Malformed> {
    let mut rest = picture;
    clean.extend(take(&mut rest, 12)?);
    let length = length(&picture[4..8])?.checked_sub(4).ok_or(Malformed)?;
    rest = &rest[..length.min(rest.len())];
    let (mut has_pixels, mut features, mut orientation, mut frames) = (false, None, None, 0);
    while !rest.is_empty() {
        let chunk = next_chunk(&mut rest)?;
        match chunk.kind {
            b"VP8X" => features = Some(clean.len() + 8),
            b"EXIF" => {
                let tiff = chunk.content.strip_prefix(b"Exif\0\0").unwrap_or(chunk.content);
                orientation = exif::orientation(tiff);
            }
            b"ANMF" => {
                frames += 1;
                size.add_frames(frames);
                // A frame that can't be parsed does not hide the others, which a decoder may show.
                let _ = frame(chunk.content, size);
            }
            _ => (),
        }
        let _ = stream(&chunk, size);
        if chunk.content.len() < chunk.length {
            return Err(Malformed);
        }
        has_pixels |= matches!(chunk.kind, b"VP8 " | b"VP8L" | b"ANMF");
        if NEEDED.iter().any(|needed| needed.as_slice() == chunk.kind) {
            write_chunk(clean, chunk.kind, chunk.content)?;
        }
    }
    if let Some(flags) = features.and_then(|at| clean.get_mut(at)) {
        *flags &= !(HAS_EXIF | HAS_XMP);
        if let Some(orientation) = orientation {
            *flags |= HAS_EXIF;
            write_chunk(clean, b"EXIF", &exif::orientation_only(orientation))?;
        }
    }
    let length = u32::try_from(clean.len() - 8).map_err(|_| Malformed)?;
    clean[4..8].copy_from_slice(&length.to_le_bytes());
    if has_pixels { Ok(()) } else { Err(Malformed) }
}

fn next_chunk<'a>(rest: &mut &'a [u8]) -> Result<Chunk<'a>, Malformed> {
    let (kind, length) = (take(rest, 4)?, length(take(rest, 4)?)?);
    let content = &rest[..length.min(rest.len())];
    // Some encoders omit the padding of the last chunk.
    *rest = rest.get(length.next_multiple_of(2)..).unwrap_or_default();
    Ok(Chunk { kind, length, content })
}

fn write_chunk(clean: &mut Vec<u8>, kind: &[u8], content: &[u8]) -> Result<(), Malformed> {
    clean.extend(kind);
    clean.extend(u32::try_from(content.len()).map_err(|_| Malformed)?.to_le_bytes());
    clean.extend(content);
    clean.resize(clean.len().next_multiple_of(2), 0);
    Ok(())
}

/// Frames contain no frames. Following them would overflow the stack.
fn frame(content: &[u8], size: &mut Size) -> Result<(), Malformed> {
    let number = |at| little_endian(content, at, 3);
    size.add(2 * number(0)? + number(6)? + 1, 2 * number(3)? + number(9)? + 1);
    let mut rest = content.get(16..).ok_or(Malformed)?;
    while !rest.is_empty() {
        let _ = stream(&next_chunk(&mut rest)?, size);
    }
    Ok(())
}

/// Adds the size that a chunk declares at its start.
fn stream(chunk: &Chunk<'_>, size: &mut Size) -> Result<(), Malformed> {
    let number = |at, count| little_endian(chunk.content, at, count);
    match chunk.kind {
        b"VP8X" => size.add(number(4, 3)? + 1, number(7, 3)? + 1),
        b"VP8 " => size.add(number(6, 2)? & 0x3fff, number(8, 2)? & 0x3fff),
        b"VP8L" => {
            let sides = number(1, 4)?;
            size.add((sides & 0x3fff) + 1, (sides >> 14 & 0x3fff) + 1);
        }
        _ => (),
    }
    Ok(())
}

fn length(bytes: &[u8]) -> Result<usize, Malformed> {
    usize::try_from(little_endian(bytes, 0, 4)?).map_err(|_| Malformed)
}

fn little_endian(content: &[u8], at: usize, count: usize) -> Result<u64, Malformed> {
    let bytes = content.get(at..at + count).ok_or(Malformed)?;
    Ok(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Format;

    fn clean(picture: &[u8]) -> Result<Vec<u8>, Malformed> {
        Format::Webp.without_metadata(picture)
    }

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
        let size = Format::Webp.size(&riff(&[nested])).unwrap();
        assert_eq!((size.width, size.height, size.frames), (1, 1, 1));
    }

    #[test]
    fn a_container_without_pixels_or_truncated_is_rejected() {
        assert_eq!(clean(&riff(&[chunk(b"EXIF", b"x")])), Err(Malformed));
        let whole = riff(&[chunk(b"VP8 ", b"pixels")]);
        assert_eq!(clean(&whole[..whole.len() - 2]), Err(Malformed));
    }
}
