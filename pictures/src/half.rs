//! Reads images that are too large to decode at half their size, while they are decoded.

use std::io::Read;

use image::metadata::Orientation;
use image::{DynamicImage, ImageError, ImageResult};
use jpeg_decoder::{CodingProcess, PixelFormat};

use crate::color::from_raw;
use crate::{Format, fault_of};

/// With the orientation and the ICC profile.
type Picture = (DynamicImage, Orientation, Option<Vec<u8>>);

/// `None` for images that can't be read in parts: progressive JPEG and other formats.
pub(crate) fn decoded(source: &[u8], format: Format) -> ImageResult<Option<Picture>> {
    format.size(source).ok_or_else(missing)?.checked().map_err(fault_of)?;
    if format == Format::Jpeg { jpeg(source) } else { Ok(None) }
}

/// Computes half as many samples from each block.
fn jpeg(source: &[u8]) -> ImageResult<Option<Picture>> {
    // The end marker may be missing.
    let mut decoder = jpeg_decoder::Decoder::new(source.chain(&[0xff_u8, 0xd9][..]));
    decoder.read_info().map_err(fault_of)?;
    let Some(info) = decoder.info().filter(|info| info.coding_process == CodingProcess::DctSequential) else {
        return Ok(None);
    };
    let (width, height) = decoder.scale(info.width.div_ceil(2), info.height.div_ceil(2)).map_err(fault_of)?;
    let channels = match info.pixel_format {
        PixelFormat::L8 => 1,
        PixelFormat::RGB24 => 3,
        PixelFormat::L16 | PixelFormat::CMYK32 => return Ok(None),
    };
    let pixels = decoder.decode().map_err(fault_of)?;
    let picture = from_raw(width.into(), height.into(), channels, pixels).ok_or_else(missing)?;
    let orientation = decoder.exif_data().and_then(Orientation::from_exif_chunk);
    Ok(Some((picture, orientation.unwrap_or(Orientation::NoTransforms), decoder.icc_profile())))
}

fn missing() -> ImageError {
    fault_of("pixels are missing")
}
