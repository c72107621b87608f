//! Converts colors to sRGB, because encoded images carry no profile.

use image::{DynamicImage, ImageBuffer};
use moxcms::{ColorProfile, DataColorSpace, Layout, TransformExecutor, TransformOptions};

/// With eight bits per channel: the encoders' input format, at half the memory of 16. Gray becomes RGB.
pub(crate) fn eight_bits(picture: DynamicImage) -> DynamicImage {
    if picture.color().has_alpha() {
        DynamicImage::ImageRgba8(picture.into_rgba8())
    } else {
        DynamicImage::ImageRgb8(picture.into_rgb8())
    }
}

/// Ignores a profile for other channels than the image has.
pub(crate) fn to_srgb(picture: DynamicImage, profile: Option<&ColorProfile>) -> DynamicImage {
    let converted = profile.and_then(|profile| converted(&picture, profile));
    converted.unwrap_or(picture)
}

fn converted(picture: &DynamicImage, profile: &ColorProfile) -> Option<DynamicImage> {
    let (width, height, color) = (picture.width(), picture.height(), picture.color());
    let channels = usize::from(color.channel_count());
    let wanted = if color.has_color() { DataColorSpace::Rgb } else { DataColorSpace::Gray };
    if profile.color_space != wanted {
        return None;
    }
    let (from, to) = match channels {
        1 => (Layout::Gray, Layout::Rgb),
        2 => (Layout::GrayAlpha, Layout::Rgba),
        3 => (Layout::Rgb, Layout::Rgb),
        _ => (Layout::Rgba, Layout::Rgba),
    };
    let (srgb, options) = (ColorProfile::new_srgb(), TransformOptions::default());
    Some(match (picture.as_flat_samples_u16(), color.has_alpha()) {
        (Some(source), alpha) => {
            let transform = profile.create_transform_16bit(from, &srgb, to, options).ok()?;
            let pixels = mapped(&*transform, source.samples, channels, alpha)?;
            if alpha {
                DynamicImage::ImageRgba16(ImageBuffer::from_raw(width, height, pixels)?)
            } else {
                DynamicImage::ImageRgb16(ImageBuffer::from_raw(width, height, pixels)?)
            }
        }
        (None, alpha) => {
            let transform = profile.create_transform_8bit(from, &srgb, to, options).ok()?;
            let pixels = mapped(&*transform, picture.as_bytes(), channels, alpha)?;
            if alpha {
                DynamicImage::ImageRgba8(ImageBuffer::from_raw(width, height, pixels)?)
            } else {
                DynamicImage::ImageRgb8(ImageBuffer::from_raw(width, height, pixels)?)
            }
        }
    })
}

fn mapped<T: Copy + Default>(
    transform: &dyn TransformExecutor<T>,
    source: &[T],
    channels: usize,
    alpha: bool,
) -> Option<Vec<T>> {
    let mut target = vec![T::default(); source.len() / channels * if alpha { 4 } else { 3 }];
    transform.transform(source, &mut target).ok()?;
    Some(target)
}
