//! Pictures that take as long to decode and encode as photos: smooth areas, edges and noise.

use anyhow::Context;
use image::{ExtendedColorType, ImageEncoder, codecs::jpeg::JpegEncoder};

const QUALITY: u8 = 85;

/// A JPEG of this size.
///
/// # Errors
/// When it can't be encoded.
pub fn jpeg(width: u32, height: u32, seed: u32) -> anyhow::Result<Vec<u8>> {
    let mut state = seed | 1;
    let mut noise = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state % 17
    };
    let mut pixels = Vec::with_capacity((width * height * 3) as usize);
    for row in 0..height {
        for column in 0..width {
            let wave = ((column + seed * 37) * 255 / width + row * 255 / height) / 2;
            let edge = if (column / 97 + row / 61 + seed).is_multiple_of(5) { 60 } else { 0 };
            for shift in [0, 31, 90] {
                pixels.push(u8::try_from((wave + edge + shift + noise()) % 256)?);
            }
        }
    }
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, QUALITY)
        .write_image(&pixels, width, height, ExtendedColorType::Rgb8)
        .context("a JPEG")?;
    Ok(bytes)
}
