//! Decodes, rotates, resizes and encodes an image. Blocks and needs much memory: only `Renderer` calls it,
//! for a few images at a time.

use std::io::Cursor;

use fast_image_resize::{FilterType, ResizeAlg, ResizeOptions, Resizer};
use image::codecs::avif::AvifEncoder;
use image::codecs::gif::{GifDecoder, GifEncoder};
use image::codecs::jpeg::{JpegDecoder, JpegEncoder};
use image::codecs::png::{PngDecoder, PngEncoder};
use image::codecs::webp::WebPDecoder;
use image::metadata::Orientation;
use image::{AnimationDecoder, DynamicImage, ImageDecoder, ImageError, ImageResult, Limits};

use super::geometry::{MAX_SIDE, Plan};
use super::options::{Output, RenderOptions};
use crate::domain::image::Format;
use crate::error::{ApiError, Result};

/// A 24-megapixel camera's image. A file of a few kilobytes can declare far more.
pub const MAX_PIXELS: u64 = 25_000_000;
const MAX_DECODED_BYTES: u64 = 4 * MAX_PIXELS;
/// Longest side of a source image.
const MAX_SOURCE_SIDE: u32 = 16_384;
/// The fastest speed that still compresses better than WebP.
const AVIF_SPEED: u8 = 10;
const GIF_SPEED: i32 = 10;

/// # Errors
/// Fails when it is not an image.
pub fn format(source: &[u8]) -> Result<Format> {
    Format::sniff(source)
        .ok_or_else(|| ApiError::InvalidRequest("The requested resource isn't an image".to_owned()))
}

/// `None` for animations and for AVIF, which has no decoder without a C toolchain: an image in its original
/// size is better than none.
pub fn transform(source: &[u8], options: &RenderOptions) -> Result<Option<Vec<u8>>> {
    let format = format(source)?;
    resized(source, format, options)
        .map_err(|fault| ApiError::InvalidRequest(format!("The image can't be transformed: {fault}")))
}

fn resized(source: &[u8], format: Format, options: &RenderOptions) -> ImageResult<Option<Vec<u8>>> {
    let bytes = Cursor::new(source);
    let picture = match format {
        Format::Avif => return Ok(None),
        Format::Jpeg => upright(JpegDecoder::new(bytes)?, options)?,
        Format::Png => {
            let decoder = PngDecoder::with_limits(bytes, limits())?;
            if decoder.is_apng()? {
                return Ok(None);
            }
            upright(decoder, options)?
        }
        Format::Webp => {
            let decoder = WebPDecoder::new(bytes)?;
            if decoder.has_animation() {
                return Ok(None);
            }
            upright(decoder, options)?
        }
        Format::Gif => {
            let decoder = GifDecoder::new(bytes.clone())?;
            checked(&decoder)?;
            if moves(decoder)? {
                return Ok(None);
            }
            upright(GifDecoder::new(bytes)?, options)?
        }
    };
    encoded(&picture, format, options).map(Some)
}

fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SOURCE_SIDE);
    limits.max_image_height = Some(MAX_SOURCE_SIDE);
    limits.max_alloc = Some(2 * MAX_DECODED_BYTES);
    limits
}

/// Must pass before anything of that size is allocated.
fn checked(decoder: &impl ImageDecoder) -> ImageResult<()> {
    let (width, height) = decoder.dimensions();
    limits().check_dimensions(width, height)?;
    if u64::from(width) * u64::from(height) > MAX_PIXELS || decoder.total_bytes() > MAX_DECODED_BYTES {
        return Err(ImageError::Limits(image::error::LimitError::from_kind(
            image::error::LimitErrorKind::InsufficientMemory,
        )));
    }
    Ok(())
}

/// Whether a GIF has a second frame.
fn moves(decoder: GifDecoder<Cursor<&[u8]>>) -> ImageResult<bool> {
    Ok(decoder.into_frames().take(2).collect::<ImageResult<Vec<_>>>()?.len() > 1)
}

/// Resizes before rotating, because fewer pixels are left to rotate.
fn upright(mut decoder: impl ImageDecoder, options: &RenderOptions) -> ImageResult<DynamicImage> {
    checked(&decoder)?;
    decoder.set_limits(limits())?;
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let lies = matches!(
        orientation,
        Orientation::Rotate90
            | Orientation::Rotate270
            | Orientation::Rotate90FlipH
            | Orientation::Rotate270FlipH
    );
    let options = if lies {
        RenderOptions { width: options.height, height: options.width, ..*options }
    } else {
        *options
    };
    let source = eight_bits(DynamicImage::from_decoder(decoder)?);
    let plan = Plan::of((source.width(), source.height()), &options);
    let mut picture = if (plan.width, plan.height) == (source.width(), source.height()) {
        source
    } else {
        let mut target = DynamicImage::new(plan.width, plan.height, source.color());
        let (left, top, width, height) = plan.crop;
        let options = ResizeOptions::new()
            .resize_alg(ResizeAlg::Convolution(FilterType::Lanczos3))
            .crop(left, top, width, height);
        Resizer::new().resize(&source, &mut target, &options).map_err(resize_fault)?;
        target
    };
    picture.apply_orientation(orientation);
    Ok(picture)
}

/// The encoders' input format, at half the memory of 16-bit channels.
fn eight_bits(picture: DynamicImage) -> DynamicImage {
    if picture.color().has_alpha() {
        DynamicImage::ImageRgba8(picture.into_rgba8())
    } else {
        DynamicImage::ImageRgb8(picture.into_rgb8())
    }
}

fn encoded(picture: &DynamicImage, source: Format, options: &RenderOptions) -> ImageResult<Vec<u8>> {
    debug_assert!(picture.width() <= MAX_SIDE && picture.height() <= MAX_SIDE);
    let format = match options.output {
        Output::Origin => source,
        Output::Avif => Format::Avif,
        Output::Webp => Format::Webp,
    };
    let mut bytes = Vec::new();
    match format {
        Format::Jpeg => {
            picture.write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, options.quality))?;
        }
        Format::Png => picture.write_with_encoder(PngEncoder::new(&mut bytes))?,
        Format::Gif => {
            let pixels = picture.to_rgba8();
            let color = image::ExtendedColorType::Rgba8;
            GifEncoder::new_with_speed(&mut bytes, GIF_SPEED).encode(
                &pixels,
                picture.width(),
                picture.height(),
                color,
            )?;
        }
        Format::Avif => {
            let encoder = AvifEncoder::new_with_speed_quality(&mut bytes, AVIF_SPEED, options.quality);
            picture.write_with_encoder(encoder.with_num_threads(Some(1)))?;
        }
        Format::Webp => bytes = webp(picture, options.quality)?,
    }
    Ok(bytes)
}

fn webp(picture: &DynamicImage, quality: u8) -> ImageResult<Vec<u8>> {
    let (width, height) = (picture.width(), picture.height());
    let encoder = match picture {
        DynamicImage::ImageRgba8(pixels) => webp::Encoder::from_rgba(pixels, width, height),
        other => {
            let pixels = other.to_rgb8();
            return webp_bytes(&webp::Encoder::from_rgb(&pixels, width, height), quality);
        }
    };
    webp_bytes(&encoder, quality)
}

fn webp_bytes(encoder: &webp::Encoder<'_>, quality: u8) -> ImageResult<Vec<u8>> {
    match encoder.encode_simple(false, quality.into()) {
        Ok(bytes) => Ok(bytes.to_vec()),
        Err(fault) => Err(fault_of(format!("{fault:?}"))),
    }
}

fn resize_fault(fault: fast_image_resize::ResizeError) -> ImageError {
    fault_of(fault.to_string())
}

fn fault_of(text: String) -> ImageError {
    use image::error::{EncodingError, ImageFormatHint};
    ImageError::Encoding(EncodingError::new(ImageFormatHint::Unknown, text))
}
