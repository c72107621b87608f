//! The memory for large images, which the storage service reserves before it reads one
//! (`storage-service/src/render/queue.rs`).
#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a panic is how a test fails")]

use std::fs;

use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::{ExtendedColorType, ImageEncoder};
use moxcms::ColorProfile;
use pictures::Format;
use pictures::transform::{Bounds, Target, memory, transform};

fn resident(field: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap();
    line.trim_matches(|letter: char| !letter.is_ascii_digit()).parse::<u64>().unwrap() * 1024
}

/// In another color space.
fn save(mut encoder: impl ImageEncoder, width: u32, height: u32, color: ExtendedColorType) {
    let row = usize::try_from(width).unwrap() * usize::from(color.bits_per_pixel()) / 8;
    let samples: Vec<u8> =
        (0..row * height as usize).map(|at| (at / 3 % 128 + at / row % 64) as u8).collect();
    let gray = color.channel_count() < 3;
    let profile = if gray { ColorProfile::new_gray_with_gamma(1.0) } else { ColorProfile::new_display_p3() };
    encoder.set_icc_profile(profile.encode().unwrap()).unwrap();
    encoder.write_image(&samples, width, height, color).unwrap();
}

#[test]
fn no_image_takes_more_memory_than_is_reserved() {
    use ExtendedColorType::{La16, Rgb8, Rgb16, Rgba8, Rgba16};
    for (format, color, width, height) in [
        (Format::Jpeg, Rgb8, 2_550, 2_500),
        (Format::Png, Rgba8, 2_500, 2_500),
        (Format::Png, Rgb16, 2_000, 2_000),
        (Format::Png, Rgba16, 1_750, 1_750),
        (Format::Png, La16, 2_500, 2_500),
    ] {
        let mut file = Vec::new();
        match format {
            Format::Jpeg => save(JpegEncoder::new(&mut file), width, height, color),
            _ => save(PngEncoder::new(&mut file), width, height, color),
        }
        let target = Target {
            bounds: Bounds { width: Some(320), ..Bounds::default() },
            quality: 80,
            format: Format::Webp,
        };
        // Twelve bytes per pixel of the result are reserved, too.
        let reserved = memory(format, &file) + 4_000_000;
        // Resets the peak.
        fs::write("/proc/self/clear_refs", "5").unwrap();
        let before = resident("VmRSS:");
        let resized = transform(&file, format, &[target]).unwrap();
        let took = resident("VmHWM:").saturating_sub(before);
        assert!(resized.is_some_and(|resized| !resized[0].is_empty()));
        assert!(took <= reserved, "{format:?} {color:?}: {took} bytes");
    }
}
