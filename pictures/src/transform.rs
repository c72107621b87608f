//! Decodes, rotates, resizes and encodes an image. Blocks and needs much memory: callers run few at a time.

use std::io::Cursor;

use fast_image_resize::images::TypedImage;
use fast_image_resize::pixels::{U8x3, U8x4};
use fast_image_resize::{FilterType, PixelTrait, ResizeAlg, ResizeOptions, Resizer};
use image::codecs::avif::AvifEncoder;
use image::codecs::gif::GifEncoder;
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::error::{LimitError, LimitErrorKind};
use image::metadata::Orientation;
use image::{DynamicImage, ExtendedColorType, ImageDecoder, ImageError, ImageReader, ImageResult, Limits};
use moxcms::ColorProfile;

use crate::color::to_srgb;
use crate::geometry::Plan;
pub use crate::geometry::{Bounds, MAX_SIDE, Resize};
pub use crate::gravity::{Anchor, Gravity, Offset};
use crate::half::Picture;
use crate::size::TooLarge;
use crate::{Format, fault_of, half, png, size};

/// A 24-megapixel camera's image. Larger ones are read at half their size.
pub const MAX_PIXELS: u64 = 25_000_000;
const MAX_DECODED_BYTES: u64 = 4 * MAX_PIXELS;
/// The fastest speed that still compresses better than WebP.
const AVIF_SPEED: u8 = 10;
const GIF_SPEED: i32 = 10;

/// The channels of a PNG with 16 bits per channel, by the color type in its header.
fn deep_channels(format: Format, head: &[u8]) -> Option<u64> {
    match (format, head.get(24..26)?) {
        (Format::Png, [16, 0]) => Some(1),
        (Format::Png, [16, 4]) => Some(2),
        (Format::Png, [16, 2]) => Some(3),
        (Format::Png, [16, _]) => Some(4),
        _ => None,
    }
}

/// The memory for decoding an image that begins with `head`, besides its file and the result.
pub fn memory(format: Format, head: &[u8]) -> u64 {
    let pixels = format.size(head).map_or(MAX_PIXELS, |size| size.pixels());
    // A larger image is decoded at half its size.
    let decoded = if pixels > MAX_PIXELS { pixels / 4 } else { pixels };
    // 16 bits per channel are converted to eight.
    decoded * if deep_channels(format, head).is_some() { 12 } else { 8 }
}

/// Checks that an image can be resized in the memory for it, or is always sent unchanged.
///
/// # Errors
/// When it has too many pixels for its format.
pub fn check_decodable(format: Format, picture: &[u8]) -> Result<(), TooLarge> {
    let size = format.size(picture).unwrap_or_default();
    // As `checked` does.
    let bytes = 2 * deep_channels(format, picture).unwrap_or_default() * size.pixels();
    let is_allowed = format == Format::Avif
        || size.pixels() <= MAX_PIXELS && bytes <= MAX_DECODED_BYTES
        || format == Format::Jpeg && half::can_decode(picture);
    if is_allowed { Ok(()) } else { Err(TooLarge::Undecodable(size)) }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Target {
    pub bounds: Bounds,
    /// From 1 to 100, for formats with lossy compression.
    pub quality: u8,
    pub format: Format,
}

/// One result for each target, in their order. `None` for animations, for AVIF, which is not decoded
/// (docs/decisions/027-avif-sources.md), and for images that are too large to decode: an image in its original size is better
/// than none.
///
/// # Errors
/// When the source is broken or can't be encoded.
pub fn transform(source: &[u8], format: Format, targets: &[Target]) -> ImageResult<Option<Vec<Vec<u8>>>> {
    let decoded = match whole(source, format) {
        Err(ImageError::Limits(_)) => half::decoded(source, format),
        decoded => decoded,
    };
    let Some((picture, orientation, profile)) = decoded? else { return Ok(None) };
    // Ignores a profile that is broken.
    let profile = profile.and_then(|profile| ColorProfile::new_from_slice(&profile).ok());
    let mut picture = to_srgb(picture, profile.as_ref());
    picture.apply_orientation(orientation);
    let all = targets.iter().map(|target| encoded(&scaled(&mut picture, target.bounds)?, *target));
    all.collect::<ImageResult<_>>().map(Some)
}

/// `None` for animations and for AVIF.
fn whole(source: &[u8], format: Format) -> ImageResult<Option<Picture>> {
    let is_animated = format.size(source).is_some_and(|size| size.frames > 1)
        || format == Format::Webp && crate::webp::is_animated(source);
    if format == Format::Avif || is_animated {
        return Ok(None);
    }
    let mut reader = ImageReader::with_format(Cursor::new(source), format.of_library());
    reader.limits(limits());
    let mut decoder = reader.into_decoder()?;
    // Before anything is allocated for it.
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > MAX_PIXELS || decoder.total_bytes() > MAX_DECODED_BYTES {
        return Err(ImageError::Limits(LimitError::from_kind(LimitErrorKind::InsufficientMemory)));
    }
    let orientation = match format {
        // Also after the pixels.
        Format::Png => png::orientation(source).and_then(Orientation::from_exif),
        _ => decoder.orientation().ok(),
    };
    let profile = decoder.icc_profile().ok().flatten();
    let picture = DynamicImage::from_decoder(decoder)?;
    Ok(Some((picture, orientation.unwrap_or(Orientation::NoTransforms), profile)))
}

fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.max_image_width = Some(size::MAX_SIDE);
    limits.max_image_height = Some(size::MAX_SIDE);
    limits.max_alloc = Some(2 * MAX_DECODED_BYTES);
    limits
}

fn scaled(picture: &mut DynamicImage, bounds: Bounds) -> ImageResult<DynamicImage> {
    let plan = Plan::new((picture.width(), picture.height()), bounds);
    let mut target = DynamicImage::new(plan.width, plan.height, picture.color());
    match (picture, &mut target) {
        (DynamicImage::ImageRgba8(source), DynamicImage::ImageRgba8(target)) => {
            scale::<U8x4>(source.dimensions(), source, target, &plan)?;
        }
        (DynamicImage::ImageRgb8(source), DynamicImage::ImageRgb8(target)) => {
            scale::<U8x3>(source.dimensions(), source, target, &plan)?;
        }
        _ => return Err(fault_of("not eight bits a channel")),
    }
    Ok(target)
}

/// The library's function for any image is compiled for every pixel format, which takes a minute. It also compiles
/// each of its loops for every type of view, so the source has the type of the library's intermediate images,
/// which can be written to. It is only read.
fn scale<P: PixelTrait>(
    (width, height): (u32, u32),
    source: &mut [u8],
    target: &mut [u8],
    plan: &Plan,
) -> ImageResult<()> {
    let source = TypedImage::<P>::from_buffer(width, height, source).map_err(fault_of)?;
    let mut target = TypedImage::<P>::from_buffer(plan.width, plan.height, target).map_err(fault_of)?;
    let (left, top, width, height) = plan.crop;
    let options = ResizeOptions::new()
        .resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3))
        .crop(left, top, width, height);
    Resizer::new().resize_typed(&source, &mut target, &options).map_err(fault_of)
}

fn encoded(picture: &DynamicImage, target: Target) -> ImageResult<Vec<u8>> {
    debug_assert!(picture.width() <= MAX_SIDE && picture.height() <= MAX_SIDE);
    let mut bytes = Vec::new();
    match target.format {
        Format::Jpeg => {
            picture.write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, target.quality))?;
        }
        Format::Png => picture.write_with_encoder(PngEncoder::new(&mut bytes))?,
        Format::Gif => {
            let (pixels, width, height) = (picture.to_rgba8(), picture.width(), picture.height());
            let mut encoder = GifEncoder::new_with_speed(&mut bytes, GIF_SPEED);
            encoder.encode(&pixels, width, height, ExtendedColorType::Rgba8)?;
        }
        Format::Avif => {
            let encoder = AvifEncoder::new_with_speed_quality(&mut bytes, AVIF_SPEED, target.quality);
            picture.write_with_encoder(encoder.with_num_threads(Some(1)))?;
        }
        Format::Webp => bytes = webp(picture, target.quality)?,
    }
    Ok(bytes)
}

fn webp(picture: &DynamicImage, quality: u8) -> ImageResult<Vec<u8>> {
    let (width, height) = (picture.width(), picture.height());
    let encoder = match picture {
        DynamicImage::ImageRgba8(pixels) => webp::Encoder::from_rgba(pixels, width, height),
        pixels => webp::Encoder::from_rgb(pixels.as_bytes(), width, height),
    };
    let encoded = encoder.encode_simple(false, quality.into());
    encoded.map(|bytes| bytes.to_vec()).map_err(|fault| fault_of(format!("{fault:?}")))
}
