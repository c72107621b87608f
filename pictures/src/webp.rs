//! WebP: a RIFF container of chunks (type, little-endian length, content, padding to even).

use super::size::Size;
use super::{Malformed, exif, take};

const HAS_EXIF: u8 = 0x08;
const HAS_XMP: u8 = 0x04;
const IS_ANIMATED: u8 = 0x02;
const NEEDED: [&[u8; 4]; 7] = [b"VP8X", b"VP8 ", b"VP8L", b"ANMF", b"ALPH", b"ANIM", b"ICCP"];

/// Whether decoders read frames, even if there is only one.
pub(super) fn is_animated(picture: &[u8]) -> bool {
    picture.get(12..16) == Some(b"VP8X") && picture.get(20).is_some_and(|flags| flags & IS_ANIMATED != 0)
}

/// Adds the canvas, every frame and the streams in them. Drops bytes after the container's end.
pub(super) fn read(picture: &[u8], clean: &mut Vec<u8>, size: &mut Size) -> Result<(), Malformed> {
    let mut rest = picture;
    clean.extend(take(&mut rest, 12)?);
    let length = little_endian(&picture[4..8]).checked_sub(4).ok_or(Malformed)?;
    rest = &rest[..rest.len().min(usize::try_from(length).unwrap_or(usize::MAX))];
    let (mut has_pixels, mut features, mut orientation, mut frames) = (false, None, None, 0);
    let mut is_consistent = true;
    while !rest.is_empty() {
        let (kind, content, is_whole) = next_chunk(&mut rest)?;
        match kind {
            b"VP8X" => features = Some(clean.len() + 8),
            b"EXIF" => orientation = exif::orientation(content.strip_prefix(b"Exif\0\0").unwrap_or(content)),
            b"ANMF" => {
                frames += 1;
                size.add_frames(frames);
                is_consistent &= measure_frame(content, size);
            }
            _ => (),
        }
        measure(kind, content, size);
        if !is_whole {
            return Err(Malformed);
        }
        has_pixels |= matches!(kind, b"VP8 " | b"VP8L" | b"ANMF");
        if NEEDED.iter().any(|needed| needed.as_slice() == kind) {
            write_chunk(clean, kind, content)?;
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
    // One that is too large is refused as such.
    let is_sound = is_consistent || size.checked().is_err();
    if has_pixels && is_sound { Ok(()) } else { Err(Malformed) }
}

/// The kind and the content of a chunk, and whether the content is complete.
fn next_chunk<'a>(rest: &mut &'a [u8]) -> Result<(&'a [u8], &'a [u8], bool), Malformed> {
    let (kind, length) = (take(rest, 4)?, little_endian(take(rest, 4)?));
    let length = usize::try_from(length).map_err(|_| Malformed)?;
    let content = &rest[..length.min(rest.len())];
    // Some encoders omit the padding of the last chunk.
    *rest = rest.get(length.next_multiple_of(2)..).unwrap_or_default();
    Ok((kind, content, content.len() == length))
}

fn write_chunk(clean: &mut Vec<u8>, kind: &[u8], content: &[u8]) -> Result<(), Malformed> {
    clean.extend(kind);
    clean.extend(u32::try_from(content.len()).map_err(|_| Malformed)?.to_le_bytes());
    clean.extend(content);
    clean.resize(clean.len().next_multiple_of(2), 0);
    Ok(())
}

/// Adds a frame and the streams in it. Returns whether they have the same size. Decoders allocate for either.
fn measure_frame(content: &[u8], size: &mut Size) -> bool {
    let Some(mut rest) = content.get(16..) else { return false };
    let number = |at: usize| little_endian(&content[at..at + 3]);
    let (width, height) = (number(6) + 1, number(9) + 1);
    size.add(2 * number(0) + width, 2 * number(3) + height);
    let mut is_consistent = true;
    while let Ok((kind, content, _)) = next_chunk(&mut rest) {
        let mut stream = Size::default();
        measure(kind, content, &mut stream);
        let sides = (stream.width.into(), stream.height.into());
        size.add(sides.0, sides.1);
        is_consistent &= sides == (0, 0) || sides == (width, height);
    }
    is_consistent
}

/// Adds the size that a chunk declares at its start. Frames contain no frames.
fn measure(kind: &[u8], content: &[u8], size: &mut Size) {
    match (kind, content) {
        (b"VP8X", [_, _, _, _, a, b, c, d, e, f, ..]) => {
            size.add(little_endian(&[*a, *b, *c]) + 1, little_endian(&[*d, *e, *f]) + 1);
        }
        (b"VP8 ", [_, _, _, _, _, _, a, b, c, d, ..]) => {
            size.add(little_endian(&[*a, *b & 0x3f]), little_endian(&[*c, *d & 0x3f]));
        }
        (b"VP8L", [_, sides @ ..]) if sides.len() >= 4 => {
            let sides = little_endian(&sides[..4]);
            size.add((sides & 0x3fff) + 1, (sides >> 14 & 0x3fff) + 1);
        }
        _ => (),
    }
}

fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Format;
    use crate::transform::{Bounds, Target, transform};

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
    fn a_stream_that_is_larger_than_its_frame_is_measured_and_rejected() {
        let canvas = chunk(b"VP8X", &[IS_ANIMATED, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        let frame = |stream: &[u8]| chunk(b"ANMF", &[&[0; 16][..], stream].concat());
        let large = chunk(b"VP8 ", &[0, 0, 0, 0x9d, 0x01, 0x2a, 0xff, 0x3f, 0xff, 0x3f]);
        let bomb = riff(&[canvas.clone(), frame(&large)]);
        let size = Format::Webp.size(&bomb).unwrap();
        assert_eq!((size.width, size.height, size.frames), (0x3fff, 0x3fff, 1));
        assert!(size.checked().is_err());
        let larger = chunk(b"VP8 ", &[0, 0, 0, 0x9d, 0x01, 0x2a, 0xff, 0, 0xff, 0]);
        assert_eq!(clean(&riff(&[canvas.clone(), frame(&larger)])), Err(Malformed));
        let all = [Target { bounds: Bounds::default(), quality: 80, format: Format::Webp }];
        assert!(transform(&bomb, Format::Webp, &all).unwrap().is_none());
        let small = riff(&[canvas, frame(&chunk(b"VP8 ", &[0, 0, 0, 0x9d, 0x01, 0x2a, 1, 0, 1, 0]))]);
        assert_eq!(clean(&small).unwrap(), small);
    }

    #[test]
    fn a_container_without_pixels_or_truncated_is_rejected() {
        assert_eq!(clean(&riff(&[chunk(b"EXIF", b"x")])), Err(Malformed));
        let whole = riff(&[chunk(b"VP8 ", b"pixels")]);
        assert_eq!(clean(&whole[..whole.len() - 2]), Err(Malformed));
    }
}
