//! Reads images that are too large to decode at half their size, while they are decoded.

use std::io::{Chain, Read};

use image::metadata::Orientation;
use image::{DynamicImage, ImageResult};
use jpeg_decoder::{CodingProcess, PixelFormat};

use crate::color::from_raw;
use crate::{Format, fault_of};

/// With the orientation and the ICC profile.
pub(crate) type Picture = (DynamicImage, Orientation, Option<Vec<u8>>);

/// Computes half as many samples from each block. `None` for images that can't be read in parts: progressive JPEG and other
/// formats.
pub(crate) fn decoded(source: &[u8], format: Format) -> ImageResult<Option<Picture>> {
    if format != Format::Jpeg || format.size(source).is_none_or(|size| size.checked().is_err()) {
        return Ok(None);
    }
    let Some((mut decoder, channels)) = opened(source)? else { return Ok(None) };
    let missing = || fault_of("pixels are missing");
    let info = decoder.info().ok_or_else(missing)?;
    let (width, height) = decoder.scale(info.width.div_ceil(2), info.height.div_ceil(2)).map_err(fault_of)?;
    let pixels = decoder.decode().map_err(fault_of)?;
    let picture = from_raw(width.into(), height.into(), channels, pixels).ok_or_else(missing)?;
    let orientation = decoder.exif_data().and_then(Orientation::from_exif_chunk);
    Ok(Some((picture, orientation.unwrap_or(Orientation::NoTransforms), decoder.icc_profile())))
}

/// Whether [`decoded`] reads a JPEG.
pub(crate) fn can_decode(source: &[u8]) -> bool {
    opened(source).is_ok_and(|opened| opened.is_some())
}

type Decoder<'a> = jpeg_decoder::Decoder<Chain<&'a [u8], &'static [u8]>>;

/// The decoder, with the number of channels.
fn opened(source: &[u8]) -> ImageResult<Option<(Decoder<'_>, usize)>> {
    // The end marker may be missing.
    let mut decoder = jpeg_decoder::Decoder::new(source.chain(&[0xff_u8, 0xd9][..]));
    decoder.read_info().map_err(fault_of)?;
    let info = decoder.info().filter(|info| info.coding_process == CodingProcess::DctSequential);
    Ok(match info.map(|info| info.pixel_format) {
        Some(PixelFormat::L8) => Some((decoder, 1)),
        Some(PixelFormat::RGB24) => Some((decoder, 3)),
        Some(PixelFormat::L16 | PixelFormat::CMYK32) | None => None,
    })
}
