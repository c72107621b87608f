//! WebP: a RIFF container of chunks (type, little-endian length, content, padding to even).

use super::{Malformed, exif, take};

const HAS_EXIF: u8 = 0x08;
const HAS_XMP: u8 = 0x04;

pub(super) fn clean(picture: &[u8]) -> Result<Vec<u8>, Malformed> {
    let mut rest = picture;
    let header = take(&mut rest, 12)?;
    // Bytes behind the container's own end are dropped.
    let body = length(&header[4..8])?.checked_sub(4).ok_or(Malformed)?;
    rest = take(&mut rest, body)?;
    let mut kept = header.to_vec();
    let (mut pixels, mut features, mut turned) = (false, None, None);
    while !rest.is_empty() {
        let start = rest;
        let kind = take(&mut rest, 4)?;
        let size = length(take(&mut rest, 4)?)?;
        let content = take(&mut rest, size)?;
        // Some writers forget the padding of the last chunk.
        rest = rest.get(size % 2..).unwrap_or_default();
        match kind {
            b"VP8X" => features = Some(kept.len() + 8),
            b"EXIF" => turned = exif::orientation(content.strip_prefix(b"Exif\0\0").unwrap_or(content)),
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
        if let Some(turned) = turned {
            *flags |= HAS_EXIF;
            kept.extend(b"EXIF\x1a\0\0\0");
            kept.extend(exif::orientation_only(turned));
        }
    }
    let size = u32::try_from(kept.len() - 8).map_err(|_| Malformed)?;
    kept[4..8].copy_from_slice(&size.to_le_bytes());
    Ok(kept)
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
    fn exif_but_its_orientation_xmp_and_trailing_bytes_go() {
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
    fn a_container_without_pixels_or_cut_short_is_refused() {
        assert_eq!(clean(&riff(&[chunk(b"EXIF", b"x")])), Err(Malformed));
        let whole = riff(&[chunk(b"VP8 ", b"pixels")]);
        assert_eq!(clean(&whole[..whole.len() - 2]), Err(Malformed));
    }
}
