//! Reads images that are too large to decode at half their size, while they are decoded.

use std::io::{Cursor, Read};

use image::metadata::Orientation;
use image::{DynamicImage, GrayAlphaImage, GrayImage, ImageResult, RgbImage, RgbaImage};
use jpeg_decoder::{CodingProcess, PixelFormat};
use png::Transformations;

use crate::transform::{Opened, fault_of};
use crate::{Format, png as chunks, size};

/// `None` for images that can't be read in parts: progressive JPEG, interlaced PNG and other formats.
pub(crate) fn opened(source: &[u8], format: Format) -> ImageResult<Option<Opened>> {
    if format.size(source).is_none_or(|size| size.checked().is_err()) {
        return Ok(None);
    }
    match format {
        Format::Jpeg => jpeg(source),
        Format::Png => png(source),
        _ => Ok(None),
    }
}

/// Computes half as many samples from each block.
fn jpeg(source: &[u8]) -> ImageResult<Option<Opened>> {
    // The end marker may be missing.
    let mut decoder = jpeg_decoder::Decoder::new(source.chain(&[0xff_u8, 0xd9][..]));
    decoder.read_info().map_err(fault_of)?;
    let Some(info) = decoder.info().filter(|info| info.coding_process == CodingProcess::DctSequential) else {
        return Ok(None);
    };
    let (width, height) = decoder.scale(info.width.div_ceil(2), info.height.div_ceil(2)).map_err(fault_of)?;
    let gray = match info.pixel_format {
        PixelFormat::L8 => true,
        PixelFormat::RGB24 => false,
        PixelFormat::L16 | PixelFormat::CMYK32 => return Ok(None),
    };
    let pixels = decoder.decode().map_err(fault_of)?;
    let picture = from_raw(width.into(), height.into(), if gray { 1 } else { 3 }, pixels)?;
    let orientation = decoder.exif_data().and_then(Orientation::from_exif_chunk);
    Ok(Some(Opened::new(picture, orientation.unwrap_or(Orientation::NoTransforms), decoder.icc_profile())))
}

/// Averages two rows at a time.
fn png(source: &[u8]) -> ImageResult<Option<Opened>> {
    let mut decoder = png::Decoder::new(Cursor::new(source));
    decoder.set_transformations(Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(fault_of)?;
    let info = reader.info();
    if info.interlaced || info.animation_control.is_some() {
        return Ok(None);
    }
    let (width, height) = (info.width / 2, info.height / 2);
    let profile = info.icc_profile.as_ref().map(|profile| profile.to_vec());
    let channels = reader.output_color_type().0.samples();
    let mut pixels = Vec::with_capacity(width as usize * height as usize * channels);
    let mut upper = Vec::new();
    for _ in 0..height {
        upper.clear();
        upper.extend_from_slice(row(&mut reader)?);
        let lower = row(&mut reader)?;
        for (above, below) in upper.chunks_exact(2 * channels).zip(lower.chunks_exact(2 * channels)) {
            average([above, below], channels, &mut pixels);
        }
    }
    let orientation = chunks::orientation(source).and_then(Orientation::from_exif);
    let picture = from_raw(width, height, channels, pixels)?;
    Ok(Some(Opened::new(picture, orientation.unwrap_or(Orientation::NoTransforms), profile)))
}

fn row<'a>(reader: &'a mut png::Reader<Cursor<&[u8]>>) -> ImageResult<&'a [u8]> {
    let row = reader.next_row().map_err(fault_of)?.ok_or_else(|| fault_of("rows are missing"))?;
    // The row's lifetime is the reader's.
    Ok(row.data())
}

/// The average of two pixels in each of two rows. Transparent pixels do not count towards colors.
fn average(pairs: [&[u8]; 2], channels: usize, pixels: &mut Vec<u8>) {
    let four = || pairs.iter().flat_map(move |pair| pair.chunks_exact(channels));
    let has_alpha = channels % 2 == 0;
    let alpha = |pixel: &[u8]| if has_alpha { u32::from(pixel[channels - 1]) } else { 255 };
    let opacity: u32 = four().map(alpha).sum();
    for channel in 0..channels - usize::from(has_alpha) {
        let sum: u32 = four().map(|pixel| u32::from(pixel[channel]) * alpha(pixel)).sum();
        pixels.push(u8::try_from((sum + opacity / 2).checked_div(opacity).unwrap_or(0)).unwrap_or(u8::MAX));
    }
    if has_alpha {
        pixels.push(u8::try_from((opacity + 2) / 4).unwrap_or(u8::MAX));
    }
}

fn from_raw(width: u32, height: u32, channels: usize, pixels: Vec<u8>) -> ImageResult<DynamicImage> {
    let picture = match channels {
        1 => GrayImage::from_raw(width, height, pixels).map(DynamicImage::from),
        2 => GrayAlphaImage::from_raw(width, height, pixels).map(DynamicImage::from),
        3 => RgbImage::from_raw(width, height, pixels).map(DynamicImage::from),
        _ => RgbaImage::from_raw(width, height, pixels).map(DynamicImage::from),
    };
    picture.ok_or_else(|| fault_of("pixels are missing"))
}
