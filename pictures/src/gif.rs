//! GIF: a header, then blocks of sub-blocks up to the trailer.

use super::size::Size;
use super::{Malformed, take};

const EXTENSION: u8 = 0x21;
const FRAME: u8 = 0x2c;
const TRAILER: u8 = 0x3b;
const GRAPHIC_CONTROL: u8 = 0xf9;
const APPLICATION: u8 = 0xff;

/// Adds the canvas and every frame, because some decoders enlarge the canvas for a frame that exceeds it.
pub(super) fn read(picture: &[u8], clean: &mut Vec<u8>, size: &mut Size) -> Result<(), Malformed> {
    let number = |bytes: &[u8]| u64::from(bytes[0]) | u64::from(bytes[1]) << 8;
    let mut rest = picture;
    let header = take(&mut rest, 13)?;
    size.add(number(&header[6..8]), number(&header[8..10]));
    take(&mut rest, color_table(header[10]))?;
    clean.extend(&picture[..picture.len() - rest.len()]);
    let mut frames = 0;
    // Browsers play a file that is cut off after a frame, so it is accepted and gets a trailer.
    while let Some((&kind, tail)) = rest.split_first() {
        let start = rest;
        rest = tail;
        let is_needed = match kind {
            TRAILER => break,
            FRAME => {
                let frame = take(&mut rest, 9)?;
                let (left, top) = (number(&frame[..2]), number(&frame[2..4]));
                size.add(left + number(&frame[4..6]), top + number(&frame[6..8]));
                take(&mut rest, color_table(frame[8]) + 1)?;
                frames += 1;
                size.add_frames(frames);
                true
            }
            EXTENSION => is_harmless(take(&mut rest, 1)?[0], rest),
            _ => return Err(Malformed),
        };
        skip_sub_blocks(&mut rest)?;
        if is_needed {
            clean.extend(&start[..start.len() - rest.len()]);
        }
    }
    clean.push(TRAILER);
    if frames == 0 { Err(Malformed) } else { Ok(()) }
}

/// The size of the color table that a packed field announces.
fn color_table(packed: u8) -> usize {
    if packed & 0x80 == 0 { 0 } else { 3 << ((packed & 7) + 1) }
}

/// Delays, transparency and the loop count. Comments, texts and XMP are not.
fn is_harmless(label: u8, content: &[u8]) -> bool {
    let looping = |name: &[u8]| name == b"\x0bNETSCAPE2.0" || name == b"\x0bANIMEXTS1.0";
    label == GRAPHIC_CONTROL || label == APPLICATION && content.get(..12).is_some_and(looping)
}

fn skip_sub_blocks(rest: &mut &[u8]) -> Result<(), Malformed> {
    loop {
        let size = usize::from(take(rest, 1)?[0]);
        if size == 0 {
            return Ok(());
        }
        take(rest, size)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Format;

    fn clean(picture: &[u8]) -> Result<Vec<u8>, Malformed> {
        Format::Gif.without_metadata(picture)
    }

    const HEADER: &[u8] = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff";
    const LOOP: &[u8] = b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0";
    const FRAME_BYTES: &[u8] = b"\x21\xf9\x04\0\0\0\0\0\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0";

    #[test]
    fn comments_other_applications_and_trailing_bytes_are_removed() {
        let secrets = [&b"\x21\xfe\x03GPS\0"[..], b"\x21\xff\x0bXMP DataXMP\x03GPS\0"].concat();
        let dirty = [HEADER, LOOP, &secrets, FRAME_BYTES, &[TRAILER], b"<script>"].concat();
        assert_eq!(clean(&dirty).unwrap(), [HEADER, LOOP, FRAME_BYTES, &[TRAILER]].concat());
    }

    #[test]
    fn a_script_after_the_magic_bytes_is_rejected() {
        assert_eq!(clean(b"GIF89a/*........*/=alert(1)//"), Err(Malformed));
        assert_eq!(clean(&[HEADER, &[TRAILER]].concat()), Err(Malformed));
    }
}
