//! GIF: read and written by a library, without decompressing the frames. Comments, texts and XMP are dropped.

use gif::{DecodeOptions, DecodingError, Encoder, MemoryLimit};

use super::Malformed;
use super::size::Size;

/// Adds the canvas and every frame, because some decoders enlarge the canvas for a frame that exceeds it.
pub(super) fn read(picture: &[u8], clean: &mut Vec<u8>, size: &mut Size) -> Result<(), Malformed> {
    let mut options = DecodeOptions::new();
    options.skip_frame_decoding(true);
    // Nothing is decompressed.
    options.set_memory_limit(MemoryLimit::Unlimited);
    let mut decoder = options.read_info(picture).map_err(|_| Malformed)?;
    let (width, height) = (decoder.width(), decoder.height());
    size.add(width.into(), height.into());
    let palette = decoder.global_palette().unwrap_or_default();
    let mut encoder = Encoder::new(clean, width, height, palette).map_err(|_| Malformed)?;
    let mut frames = 0;
    // Browsers play a file that is cut off after a frame, so it is accepted and gets an end.
    loop {
        let frame = match decoder.read_next_frame() {
            Ok(Some(frame)) => frame.clone(),
            Ok(None) | Err(DecodingError::UnexpectedEof) => break,
            Err(_) => return Err(Malformed),
        };
        let side = |offset: u16, length: u16| u64::from(offset) + u64::from(length);
        size.add(side(frame.left, frame.width), side(frame.top, frame.height));
        frames += 1;
        size.add_frames(frames);
        if frames == 1 {
            encoder.set_repeat(decoder.repeat()).map_err(|_| Malformed)?;
        }
        encoder.write_lzw_pre_encoded_frame(&frame).map_err(|_| Malformed)?;
    }
    drop(encoder);
    if frames == 0 { Err(Malformed) } else { Ok(()) }
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
    const TRAILER: &[u8] = b";";

    #[test]
    fn comments_other_applications_and_trailing_bytes_are_removed() {
        let secrets = [&b"\x21\xfe\x03GPS\0"[..], b"\x21\xff\x0bXMP DataXMP\x03GPS\0"].concat();
        let dirty =
            [HEADER, LOOP, &secrets, FRAME_BYTES, &secrets, FRAME_BYTES, TRAILER, b"<script>"].concat();
        let pure = [HEADER, LOOP, FRAME_BYTES, FRAME_BYTES, TRAILER].concat();
        assert_eq!(clean(&dirty).unwrap(), pure);
    }

    #[test]
    fn a_script_after_the_magic_bytes_is_rejected() {
        assert_eq!(clean(b"GIF89a/*........*/=alert(1)//"), Err(Malformed));
        assert_eq!(clean(&[HEADER, TRAILER].concat()), Err(Malformed));
        assert_eq!(clean(&[HEADER, FRAME_BYTES, b"<script>"].concat()), Err(Malformed));
    }

    #[test]
    fn a_file_that_is_cut_off_after_a_frame_gets_an_end() {
        let whole = [HEADER, FRAME_BYTES, TRAILER].concat();
        for rest in [&[][..], &FRAME_BYTES[..20]] {
            assert_eq!(clean(&[HEADER, FRAME_BYTES, rest].concat()).as_ref(), Ok(&whole));
        }
    }
}
