//! Reuses the memory of decoded images.

use image::DynamicImage;

/// The pixels of the previous image, whose memory the next image of similar size reuses. The kernel zeroes each page of new
/// memory, which is a fifth of the time to render a large JPEG.
#[derive(Debug, Default)]
pub struct Pixels(Vec<u8>);

impl Pixels {
    /// Returns a block of this length. Does not reuse one of more than twice the length, because callers limit memory by the
    /// size of the image.
    pub(crate) fn into_block(mut self, length: usize) -> Vec<u8> {
        if !(length..=2 * length).contains(&self.0.capacity()) {
            return vec![0; length];
        }
        self.0.resize(length, 0);
        self.0
    }

    /// Keeps the memory of this image for the next one.
    pub(crate) fn keep(&mut self, picture: DynamicImage) {
        self.0 = picture.into_bytes();
    }
}

#[cfg(test)]
mod tests {
    use image::codecs::jpeg::JpegEncoder;
    use image::codecs::png::PngEncoder;
    use image::{Rgb, RgbImage, RgbaImage};

    use super::*;
    use crate::Format;
    use crate::transform::{Bounds, Target, transform};

    fn jpeg(width: u32, height: u32, color: Rgb<u8>) -> Vec<u8> {
        let mut bytes = Vec::new();
        RgbImage::from_pixel(width, height, color).write_with_encoder(JpegEncoder::new(&mut bytes)).unwrap();
        bytes
    }

    #[test]
    fn an_image_contains_no_pixels_of_the_previous_one() {
        let bounds = Bounds { width: Some(10), ..Bounds::default() };
        let target = Target { bounds, quality: 80, format: Format::Png };
        let mut pixels = Pixels::default();
        for (width, height) in [(60, 40), (50, 40), (70, 70), (20, 20)] {
            let color = Rgb([200, u8::try_from(width).unwrap(), u8::try_from(height).unwrap()]);
            let source = jpeg(width, height, color);
            let fresh = transform(&source, Format::Jpeg, target, &mut Pixels::default()).unwrap();
            assert_eq!(transform(&source, Format::Jpeg, target, &mut pixels).unwrap(), fresh);
        }
    }

    #[test]
    fn only_the_block_of_the_last_image_is_kept() {
        let bounds = Bounds { width: Some(10), ..Bounds::default() };
        let target = Target { bounds, quality: 80, format: Format::Png };
        let mut pixels = Pixels::default();
        transform(&jpeg(60, 40, Rgb([1, 2, 3])), Format::Jpeg, target, &mut pixels).unwrap();
        assert_eq!(pixels.0.capacity(), 60 * 40 * 3);
        let mut transparent = Vec::new();
        RgbaImage::new(20, 20).write_with_encoder(PngEncoder::new(&mut transparent)).unwrap();
        transform(&transparent, Format::Png, target, &mut pixels).unwrap();
        assert_eq!(pixels.0.capacity(), 20 * 20 * 4);
    }

    #[test]
    fn a_block_is_reused_for_images_of_similar_size() {
        let block = |capacity| Pixels(Vec::with_capacity(capacity));
        assert_eq!(block(100).into_block(100), [0; 100]);
        for (capacity, length, kept) in
            [(100, 100, true), (100, 50, true), (100, 49, false), (100, 101, false)]
        {
            assert_eq!(
                block(capacity).into_block(length).capacity() == capacity,
                kept,
                "{length} of {capacity}"
            );
        }
    }
}
