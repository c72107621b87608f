//! Small pictures in every format, uploaded intact or damaged.

use anyhow::Context;
use image::codecs::png::PngEncoder;
use image::{Rgb, RgbImage};
use pictures::Format;
use pictures::transform::{Bounds, Target, transform};

use super::dice::Dice;

#[derive(Debug, Clone)]
pub struct Picture {
    pub name: &'static str,
    pub mime_type: &'static str,
    pub bytes: Vec<u8>,
}

const FORMATS: [(&str, Format); 5] = [
    ("a.png", Format::Png),
    ("a.jpg", Format::Jpeg),
    ("a.gif", Format::Gif),
    ("a.webp", Format::Webp),
    ("a.avif", Format::Avif),
];

/// # Errors
/// When one can't be encoded.
pub fn all() -> anyhow::Result<Vec<Picture>> {
    let picture = RgbImage::from_fn(24, 16, |x, y| Rgb([(x * 10) as u8, (y * 15) as u8, 90]));
    let mut png = Vec::new();
    picture.write_with_encoder(PngEncoder::new(&mut png))?;
    FORMATS
        .into_iter()
        .map(|(name, format)| {
            let target = Target { bounds: Bounds::default(), quality: 80, format };
            let results = transform(&png, Format::Png, &[target])?.unwrap_or_default();
            let bytes = results.into_iter().next().context("a still picture")?;
            Ok(Picture { name, mime_type: format.mime_type(), bytes })
        })
        .collect()
}

/// Intact in half of all cases. Otherwise truncated, with changed bytes, with wrong lengths, or not a picture at all.
pub fn mutated(dice: &mut Dice, picture: &Picture) -> Vec<u8> {
    let mut bytes = picture.bytes.clone();
    match dice.below(12) {
        0 => bytes.truncate(dice.below(bytes.len())),
        1 => {
            for _ in 0..dice.between(1, 8) {
                let at = dice.below(bytes.len());
                bytes[at] = dice.byte();
            }
        }
        2 => {
            // Lengths are near the beginning.
            let at = dice.between(8, 60).min(bytes.len().saturating_sub(4));
            bytes[at..at + 4].copy_from_slice(&[0xff, 0xff, 0xff, dice.byte()]);
        }
        3 => {
            let at = dice.below(bytes.len());
            let piece = bytes[at..].to_vec();
            bytes.extend_from_slice(&piece);
        }
        4 => bytes = (0..dice.below(600)).map(|_| dice.byte()).collect(),
        5 => bytes = dice.pick(&[b"<svg onload=alert(1)>".to_vec(), b"<html>".to_vec(), Vec::new()]).clone(),
        _ => {}
    }
    bytes
}
