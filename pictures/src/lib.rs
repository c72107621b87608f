//! Images: detects the format by the bytes, reads the declared size, strips metadata, and resizes.
//!
//! We parse most containers ourselves, because sensitive data is found where container libraries don't look: a
//! second image with its own position, comments between scans, bytes after the end. `img-parts` copies all of these. Each parser
//! copies only parts known to be harmless and drops the rest. Containers it can't parse are rejected.

mod avif;
mod color;
mod exif;
mod geometry;
mod gif;
mod gravity;
mod half;
mod jpeg;
mod png;
pub mod size;
pub mod transform;
mod webp;

use image::error::{EncodingError, ImageFormatHint};
use image::{ImageError, ImageFormat};
use size::Size;

/// The number of bytes that [`Format::sniff`] needs.
pub const SNIFF_BYTES: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Jpeg,
    Png,
    Webp,
    Gif,
    Avif,
}

const ALL: [Format; 5] = [Format::Jpeg, Format::Png, Format::Webp, Format::Gif, Format::Avif];

pub(crate) fn fault_of(fault: impl ToString) -> ImageError {
    ImageError::Encoding(EncodingError::new(ImageFormatHint::Unknown, fault.to_string()))
}

/// Starts like an image but can't be parsed to its end.
#[derive(Debug, PartialEq, Eq)]
pub struct Malformed;

impl Format {
    /// Detects the format by the first bytes, regardless of the name and the declared type.
    pub fn sniff(start: &[u8]) -> Option<Self> {
        if start.get(4..8) == Some(b"ftyp") {
            return avif::brands_say_avif(start).then_some(Self::Avif);
        }
        let known = image::guess_format(start).ok()?;
        ALL.into_iter().find(|format| format.of_library() == known)
    }

    pub(crate) fn of_library(self) -> ImageFormat {
        match self {
            Self::Jpeg => ImageFormat::Jpeg,
            Self::Png => ImageFormat::Png,
            Self::Webp => ImageFormat::WebP,
            Self::Gif => ImageFormat::Gif,
            Self::Avif => ImageFormat::Avif,
        }
    }

    pub fn mime_type(self) -> &'static str {
        self.of_library().to_mime_type()
    }

    /// Whether browsers show this type as an image and nothing else.
    pub fn covers(mime_type: &str) -> bool {
        ALL.iter().any(|format| format.mime_type() == mime_type)
    }

    /// Removes EXIF (except the orientation), XMP, IPTC, comments, embedded previews and trailing bytes.
    /// Color profiles stay, because colors would change without them.
    ///
    /// # Errors
    /// Fails when the container is malformed.
    pub fn without_metadata(self, picture: &[u8]) -> Result<Vec<u8>, Malformed> {
        let mut clean = Vec::with_capacity(picture.len());
        self.read(picture, &mut clean, &mut Size::default())?;
        Ok(clean)
    }

    /// The size that an image, or the beginning of one, declares. `None` when it declares none.
    pub fn size(self, picture: &[u8]) -> Option<Size> {
        let mut size = Size::default();
        // If parsing stops early, the sizes read so far count.
        let _ = self.read(picture, &mut Vec::new(), &mut size);
        Some(size).filter(|size| size.pixels() > 0)
    }

    /// Copies the image without its metadata, and adds the sizes it declares.
    fn read(self, picture: &[u8], clean: &mut Vec<u8>, size: &mut Size) -> Result<(), Malformed> {
        match self {
            Self::Jpeg => jpeg::read(picture, clean, size),
            Self::Png => png::read(picture, clean, size),
            Self::Webp => webp::read(picture, clean, size),
            Self::Gif => gif::read(picture, clean, size),
            Self::Avif => avif::read(picture, clean, size),
        }
    }
}

/// Takes the next `count` bytes off the front.
fn take<'a>(rest: &mut &'a [u8], count: usize) -> Result<&'a [u8], Malformed> {
    let (head, tail) = rest.split_at_checked(count).ok_or(Malformed)?;
    *rest = tail;
    Ok(head)
}

/// Reads a big-endian number of one to eight bytes.
fn big_endian(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn text_formats_are_not_images() {
        for text in [
            "<svg xmlns='http://www.w3.org/2000/svg'>",
            "<?xml version='1.0'?><svg>",
            "<!doctype html>",
            "GIF9",
            "",
            "RIFF0000WAVE",
        ] {
            assert_eq!(Format::sniff(text.as_bytes()), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn broken_pictures_never_panic(format in 0..5_usize, tail in proptest::collection::vec(any::<u8>(), 0..300)) {
            let (format, head): (_, &[u8]) = [
                (Format::Jpeg, &[0xff, 0xd8, 0xff, 0xe1][..]),
                (Format::Png, b"\x89PNG\r\n\x1a\n"),
                (Format::Webp, b"RIFF\x20\0\0\0WEBP"),
                (Format::Gif, b"GIF89a"),
                (Format::Avif, b"\0\0\0\x18ftypavif\0\0\0\0mif1avif\0\0\0\x40meta\0\0\0\0"),
            ][format];
            let picture = [head, &tail].concat();
            let _ = format.size(&picture);
            let _ = format.without_metadata(&picture);
        }
    }
}
