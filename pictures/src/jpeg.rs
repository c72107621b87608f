//! JPEG: marker segments, then compressed scans that end at the next marker.

use super::size::Size;
use super::{Malformed, big_endian, exif, take};

const START: u8 = 0xd8;
const END: u8 = 0xd9;
const SCAN: u8 = 0xda;
const LINES: u8 = 0xdc;
const HIERARCHY: u8 = 0xde;
const JFIF: u8 = 0xe0;
const EXIF: u8 = 0xe1;
const PROFILE: u8 = 0xe2;
const ADOBE: u8 = 0xee;

/// Copies what decoding needs, up to the end marker: cameras append more images after it.
pub(super) fn clean(picture: &[u8]) -> Result<Vec<u8>, Malformed> {
    let mut rest = picture;
    if take(&mut rest, 2)? != [0xff, START] {
        return Err(Malformed);
    }
    let mut kept = Vec::with_capacity(picture.len());
    kept.extend([0xff, START]);
    let (mut frame, mut scans) = (false, 0);
    while let Some(marker) = next_marker(&mut rest)? {
        if marker == END {
            break;
        }
        let length =
            rest.get(..2).map(big_endian).and_then(|length| usize::try_from(length).ok()).ok_or(Malformed)?;
        let segment = take(&mut rest, length)?;
        let content = segment.get(2..).ok_or(Malformed)?;
        frame |= is_frame(marker);
        if wanted(marker, content) {
            kept.extend([0xff, marker]);
            kept.extend(segment);
        } else if let Some(orientation) = orientation(marker, content) {
            kept.extend([0xff, EXIF, 0, 34]);
            kept.extend(b"Exif\0\0");
            kept.extend(exif::orientation_only(orientation));
        }
        if marker == SCAN {
            let length = scan_length(rest);
            kept.extend(take(&mut rest, length)?);
            scans += 1;
        }
    }
    if !frame || scans == 0 {
        return Err(Malformed);
    }
    // A truncated image still shows its upper part, so it is accepted and gets an end marker.
    kept.extend([0xff, END]);
    Ok(kept)
}

/// Adds the size of every frame and of a hierarchical image (DHP), and line counts that follow a frame (DNL).
pub(super) fn sizes(picture: &[u8], size: &mut Size) -> Result<(), Malformed> {
    let mut rest = picture;
    take(&mut rest, 2)?;
    while let Some(marker) = next_marker(&mut rest)? {
        if marker == END {
            break;
        }
        let length = rest.get(..2).map(big_endian).ok_or(Malformed)?;
        let start = rest;
        if is_frame(marker) || marker == HIERARCHY {
            let sides = start.get(3..7).ok_or(Malformed)?;
            size.add(big_endian(&sides[2..]), big_endian(&sides[..2]));
        } else if marker == LINES {
            size.add(0, big_endian(start.get(2..4).ok_or(Malformed)?));
        }
        take(&mut rest, usize::try_from(length).map_err(|_| Malformed)?)?;
        if marker == SCAN {
            let length = scan_length(rest);
            take(&mut rest, length)?;
        }
    }
    Ok(())
}

/// The next marker's code; `None` at the end of the file.
fn next_marker(rest: &mut &[u8]) -> Result<Option<u8>, Malformed> {
    let Some((&0xff, mut tail)) = rest.split_first() else {
        return if rest.is_empty() { Ok(None) } else { Err(Malformed) };
    };
    while let Some((&letter, after)) = tail.split_first() {
        tail = after;
        if letter != 0xff {
            *rest = tail;
            return Ok(Some(letter));
        }
    }
    *rest = tail;
    Ok(None)
}

fn is_frame(marker: u8) -> bool {
    matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc)
}

/// Keeps tables, frames and scans, and the application segments that affect colors.
fn wanted(marker: u8, content: &[u8]) -> bool {
    match marker {
        0xc0..=0xcf | 0xda..=0xdf => true,
        JFIF => content.starts_with(b"JFIF\0"),
        PROFILE => content.starts_with(b"ICC_PROFILE\0"),
        ADOBE => content.starts_with(b"Adobe"),
        _ => false,
    }
}

fn orientation(marker: u8, content: &[u8]) -> Option<u8> {
    if marker != EXIF {
        return None;
    }
    exif::orientation(content.strip_prefix(b"Exif\0\0")?)
}

/// Compressed data ends at a marker that is neither a stuffed zero nor a restart.
fn scan_length(rest: &[u8]) -> usize {
    let ends = |pair: &[u8]| pair[0] == 0xff && !matches!(pair[1], 0 | 0xd0..=0xd7 | 0xff);
    rest.windows(2).position(ends).unwrap_or(rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(marker: u8, content: &[u8]) -> Vec<u8> {
        let length = u16::try_from(content.len() + 2).unwrap().to_be_bytes();
        [&[0xff, marker], &length[..], content].concat()
    }

    fn picture(extra: &[u8], between: &[u8], trailer: &[u8]) -> Vec<u8> {
        let frame = segment(0xc0, &[8, 0, 1, 0, 1, 1, 1, 0x11, 0]);
        let scan = [segment(SCAN, &[1, 1, 0, 0, 63, 0]), vec![1, 0xff, 0, 2, 0xff, 0xd0, 3]].concat();
        [&[0xff, START][..], extra, &frame, &scan, between, &scan, &[0xff, END], trailer].concat()
    }

    #[test]
    fn metadata_is_removed_at_any_position() {
        let exif = segment(EXIF, &[b"Exif\0\0", &exif::orientation_only(6)[..], b"GPS 48.1N 11.5E"].concat());
        let secrets = [
            exif,
            segment(EXIF, b"http://ns.adobe.com/xap/1.0/\0GPS"),
            segment(0xed, b"Photoshop GPS"),
            segment(0xfe, b"GPS"),
        ];
        let dirty = picture(
            &secrets.concat(),
            &segment(0xfe, b"GPS between scans"),
            b"\xff\xd8 a second picture with GPS",
        );
        let clean = clean(&dirty).unwrap();
        assert!(!clean.windows(3).any(|window| window == b"GPS"));
        let orientation = [b"\xff\xe1\0\x22Exif\0\0", &exif::orientation_only(6)[..]].concat();
        assert_eq!(clean, picture(&orientation, b"", b""), "only the orientation is left");
    }

    #[test]
    fn color_segments_are_kept() {
        let colors = [
            segment(JFIF, b"JFIF\0\x01\x02"),
            segment(PROFILE, b"ICC_PROFILE\0\x01\x01x"),
            segment(ADOBE, b"Adobe\0d"),
        ]
        .concat();
        let picture = picture(&colors, b"", b"");
        assert_eq!(clean(&picture).unwrap(), picture);
    }

    #[test]
    fn a_script_after_the_magic_bytes_is_rejected() {
        assert_eq!(clean(b"\xff\xd8\xff<script>alert(1)</script>"), Err(Malformed));
        assert_eq!(clean(b"\xff\xd8\xff\xd9"), Err(Malformed));
    }
}
