//! PNG: a signature and chunks (length, type, content, checksum).

use super::size::Size;
use super::{Malformed, big_endian, exif, take};

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Chunks for decoding, animation and colors. Text, time and EXIF, except for the orientation, are dropped.
const NEEDED: [&[u8; 4]; 20] = [
    b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"cHRM", b"gAMA", b"iCCP", b"sBIT", b"sRGB", b"cICP",
    b"mDCV", b"cLLI", b"bKGD", b"hIST", b"pHYs", b"sPLT", b"acTL", b"fcTL", b"fdAT",
];

/// Adds the canvas, every frame, and the declared or actual number of frames.
pub(super) fn read(picture: &[u8], clean: &mut Vec<u8>, size: &mut Size) -> Result<(), Malformed> {
    let mut rest = picture.strip_prefix(SIGNATURE).ok_or(Malformed)?;
    clean.extend(SIGNATURE);
    let (mut has_pixels, mut frames) = (false, 0);
    loop {
        let start = rest;
        let (kind, content) = next_chunk(&mut rest)?;
        let number = |at: usize| content.get(at..at + 4).map(big_endian).ok_or(Malformed);
        let is_first = clean.len() == SIGNATURE.len();
        match kind {
            b"IHDR" => size.add(number(0)?, number(4)?),
            _ if is_first => return Err(Malformed),
            b"acTL" => size.add_frames(number(0)?),
            b"fcTL" => {
                size.add(number(4)?, number(8)?);
                frames += 1;
                size.add_frames(frames);
            }
            b"IDAT" => has_pixels = true,
            _ => (),
        }
        if NEEDED.iter().any(|needed| needed.as_slice() == kind) {
            clean.extend(&start[..start.len() - rest.len()]);
        }
        if let Some(orientation) = orientation(picture).filter(|_| is_first) {
            let content = [&b"eXIf"[..], &exif::orientation_only(orientation)].concat();
            clean.extend([&b"\0\0\0\x1a"[..], &content, &crc32fast::hash(&content).to_be_bytes()].concat());
        }
        if kind == b"IEND" {
            return if has_pixels { Ok(()) } else { Err(Malformed) };
        }
    }
}

fn next_chunk<'a>(rest: &mut &'a [u8]) -> Result<(&'a [u8], &'a [u8]), Malformed> {
    let length = usize::try_from(big_endian(take(rest, 4)?)).map_err(|_| Malformed)?;
    let (kind, content) = (take(rest, 4)?, take(rest, length)?);
    take(rest, 4)?;
    Ok((kind, content))
}

/// The orientation in the EXIF chunk, which may also follow the pixels.
pub(super) fn orientation(picture: &[u8]) -> Option<u8> {
    let mut rest = picture.strip_prefix(SIGNATURE)?;
    let mut chunks = std::iter::from_fn(|| next_chunk(&mut rest).ok().filter(|(kind, _)| *kind != b"IEND"));
    chunks.find(|(kind, _)| *kind == b"eXIf").and_then(|(_, content)| exif::orientation(content))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Format;

    fn clean(picture: &[u8]) -> Result<Vec<u8>, Malformed> {
        Format::Png.without_metadata(picture)
    }

    fn chunk(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
        let length = u32::try_from(content.len()).unwrap().to_be_bytes();
        [&length[..], kind, content, b"CRC!"].concat()
    }

    #[test]
    fn text_time_exif_and_trailing_bytes_are_removed() {
        let (head, pixels, end) = (chunk(b"IHDR", &[0; 13]), chunk(b"IDAT", b"pixels"), chunk(b"IEND", b""));
        let secrets =
            [chunk(b"tEXt", b"GPS"), chunk(b"iTXt", b"GPS"), chunk(b"eXIf", b"GPS"), chunk(b"tIME", b"GPS")]
                .concat();
        let dirty =
            [SIGNATURE, &head, &secrets, &chunk(b"gAMA", b"1234"), &pixels, &end, b"<script>"].concat();
        let expected = [SIGNATURE, &head, &chunk(b"gAMA", b"1234"), &pixels, &end].concat();
        assert_eq!(clean(&dirty).unwrap(), expected);
    }

    #[test]
    fn the_orientation_is_kept_and_precedes_the_pixels() {
        let (head, pixels, end) = (chunk(b"IHDR", &[0; 13]), chunk(b"IDAT", b"pixels"), chunk(b"IEND", b""));
        let exif = chunk(b"eXIf", &[&exif::orientation_only(6)[..], b"GPS"].concat());
        let orientation = chunk(b"eXIf", &exif::orientation_only(6));
        let orientation =
            [&orientation[..orientation.len() - 4], &crc32fast::hash(&orientation[4..34]).to_be_bytes()]
                .concat();
        let expected = [SIGNATURE, &head, &orientation, &pixels, &end].concat();
        for dirty in [[&head, &exif, &pixels, &end], [&head, &pixels, &exif, &end]] {
            let dirty = [SIGNATURE.to_vec(), dirty.map(Vec::as_slice).concat()].concat();
            assert_eq!(clean(&dirty).unwrap(), expected);
        }
    }

    #[test]
    fn an_image_without_pixels_or_end_is_rejected() {
        let head = [SIGNATURE, &chunk(b"IHDR", &[0; 13])[..]].concat();
        assert_eq!(clean(&head), Err(Malformed));
        assert_eq!(clean(&[head, chunk(b"IEND", b"")].concat()), Err(Malformed));
        assert_eq!(clean(&[SIGNATURE, b"<script>alert(1)</script>"].concat()), Err(Malformed));
    }
}
