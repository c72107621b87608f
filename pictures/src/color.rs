//! Converts colors to sRGB, because encoded images carry no profile.

use image::{DynamicImage, GrayImage, RgbImage, RgbaImage};
use moxcms::{ColorProfile, DataColorSpace, Layout, TransformExecutor, TransformOptions};

const PART_PIXELS: usize = 4096;

/// The image in sRGB, with eight bits per channel: the encoders' input format. Gray becomes RGB. Ignores a profile for other
/// channels than the image has.
pub(crate) fn to_srgb(picture: DynamicImage, profile: Option<&ColorProfile>) -> DynamicImage {
    let converted = profile.and_then(|profile| converted(&picture, profile));
    let picture = converted.unwrap_or(picture);
    if picture.color().has_alpha() {
        DynamicImage::ImageRgba8(picture.into_rgba8())
    } else {
        DynamicImage::ImageRgb8(picture.into_rgb8())
    }
}

fn converted(picture: &DynamicImage, profile: &ColorProfile) -> Option<DynamicImage> {
    let color = picture.color();
    let wanted = if color.has_color() { DataColorSpace::Rgb } else { DataColorSpace::Gray };
    if profile.color_space != wanted {
        return None;
    }
    let (from, to) = match color.channel_count() {
        1 => (Layout::Gray, Layout::Rgb),
        2 => (Layout::GrayAlpha, Layout::Rgba),
        3 => (Layout::Rgb, Layout::Rgb),
        _ => (Layout::Rgba, Layout::Rgba),
    };
    let (srgb, options, channels) =
        (ColorProfile::new_srgb(), TransformOptions::default(), (from.channels(), to.channels()));
    let pixels = if let Some(source) = picture.as_flat_samples_u16() {
        let transform = profile.create_transform_16bit(from, &srgb, to, options).ok()?;
        let eight_bits = |sample: u16| u8::try_from((u32::from(sample) + 128) / 257).unwrap_or(u8::MAX);
        mapped(&*transform, source.samples, channels, eight_bits)?
    } else {
        let transform = profile.create_transform_8bit(from, &srgb, to, options).ok()?;
        mapped(&*transform, picture.as_bytes(), channels, |sample| sample)?
    };
    from_raw(picture.width(), picture.height(), to.channels(), pixels)
}

/// Converts a part at a time, so that 16 bits per channel need no memory for the whole image.
fn mapped<T: Copy + Default>(
    transform: &dyn TransformExecutor<T>,
    source: &[T],
    (from, to): (usize, usize),
    eight_bits: impl Fn(T) -> u8,
) -> Option<Vec<u8>> {
    let mut target = Vec::with_capacity(source.len() / from * to);
    let mut buffer = vec![T::default(); PART_PIXELS * to];
    for part in source.chunks(PART_PIXELS * from) {
        let converted = &mut buffer[..part.len() / from * to];
        transform.transform(part, converted).ok()?;
        target.extend(converted.iter().map(|sample| eight_bits(*sample)));
    }
    Some(target)
}

/// `None` when pixels are missing.
pub(crate) fn from_raw(width: u32, height: u32, channels: usize, pixels: Vec<u8>) -> Option<DynamicImage> {
    match channels {
        1 => GrayImage::from_raw(width, height, pixels).map(DynamicImage::from),
        3 => RgbImage::from_raw(width, height, pixels).map(DynamicImage::from),
        _ => RgbaImage::from_raw(width, height, pixels).map(DynamicImage::from),
    }
}
