//! JPEG: marker segments, then compressed scans that end at the next marker.

use super::size::Size;
use super::{Malformed, big_endian, exif, take};

const START: u8 = 0xd8;
const END: u8 = 0xd9;
const SCAN: u8 = 0xda;
const JFIF: u8 = 0xe0;
const EXIF: u8 = 0xe1;
const PROFILE: u8 = 0xe2;
const ADOBE: u8 = 0xee;

/// Copies what decoding needs, up to the end marker: cameras append more images after it. Adds the size of every frame.
pub(super) fn read(picture: &[u8], clean: &mut Vec<u8>, size: &mut Size) -> Result<(), Malformed> {
    let mut rest = picture;
    if take(&mut rest, 2)? != [0xff, START] {
        return Err(Malformed);
    }
    clean.extend([0xff, START]);
    let (mut has_frame, mut has_scan) = (false, false);
    // Ends where decoders end: at the end marker, or at whatever follows the last scan without one.
    while let Some((marker, content)) = next_segment(&mut rest) {
        let number = |at: usize| content.get(at..at + 2).map(big_endian).ok_or(Malformed);
        if is_frame(marker) {
            has_frame = true;
            size.add(number(3)?, number(1)?);
        }
        if is_needed(marker, content) {
            write_segment(clean, marker, content)?;
        } else if let (EXIF, Some(tiff)) = (marker, content.strip_prefix(b"Exif\0\0"))
            && let Some(orientation) = exif::orientation(tiff)
        {
            write_segment(clean, EXIF, &[b"Exif\0\0", &exif::orientation_only(orientation)[..]].concat())?;
        }
        if marker == SCAN {
            // Compressed data ends at a marker that is neither a stuffed zero nor a restart.
            let ends = |pair: &[u8]| pair[0] == 0xff && !matches!(pair[1], 0 | 0xd0..=0xd7 | 0xff);
            let length = rest.windows(2).position(ends).unwrap_or(rest.len());
            clean.extend(take(&mut rest, length)?);
            has_scan = true;
        }
    }
    if !has_frame || !has_scan {
        return Err(Malformed);
    }
    // A truncated image still shows its upper part, so it is accepted and gets an end marker.
    clean.extend([0xff, END]);
    Ok(())
}

/// The next marker with a length, and its content. Like decoders, skips bytes that belong to no marker. `None` at the end of the
/// image, or where the file was cut off.
fn next_segment<'a>(rest: &mut &'a [u8]) -> Option<(u8, &'a [u8])> {
    loop {
        let start = rest.windows(2).position(|pair| pair[0] == 0xff && !matches!(pair[1], 0 | 0xff))?;
        let marker = rest[start + 1];
        *rest = &rest[start + 2..];
        match marker {
            START | END => return None,
            // They have no length.
            0x01 | 0xd0..=0xd7 => (),
            _ => {
                let length = usize::try_from(big_endian(rest.get(..2)?)).ok()?;
                return Some((marker, take(rest, length).ok()?.get(2..)?));
            }
        }
    }
}

fn write_segment(clean: &mut Vec<u8>, marker: u8, content: &[u8]) -> Result<(), Malformed> {
    clean.extend([0xff, marker]);
    clean.extend(u16::try_from(content.len() + 2).map_err(|_| Malformed)?.to_be_bytes());
    clean.extend(content);
    Ok(())
}

fn is_frame(marker: u8) -> bool {
    matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc)
}

/// Tables, frames and scans, and the application segments that affect colors. No browser supports line counts that follow a
/// frame (DNL) and hierarchical images (DHP).
fn is_needed(marker: u8, content: &[u8]) -> bool {
    match marker {
        0xc0..=0xcf | 0xda | 0xdb | 0xdd => true,
        JFIF => content.starts_with(b"JFIF\0"),
        PROFILE => content.starts_with(b"ICC_PROFILE\0"),
        ADOBE => content.starts_with(b"Adobe"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Format;

    fn clean(picture: &[u8]) -> Result<Vec<u8>, Malformed> {
        Format::Jpeg.without_metadata(picture)
    }

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

    /// As decoders read it.
    #[test]
    fn an_image_without_end_marker_or_with_foreign_bytes_is_accepted() {
        let whole = picture(b"", b"", b"");
        let cut = &whole[..whole.len() - 2];
        for trailer in [&b""[..], b"\xff\xd8 a second picture", b"\xff\xe1\xff\xff cut off"] {
            assert_eq!(clean(&[cut, trailer].concat()).as_ref(), Ok(&whole));
        }
        assert_eq!(clean(&picture(b"foreign", b"", b"foreign")), Ok(whole));
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
