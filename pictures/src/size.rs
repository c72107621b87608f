//! Limits the declared size of an image. A file of a few kilobytes can declare more pixels than any browser
//! has memory for, and decoders allocate before they find out. The largest size in any header counts.

pub const MAX_SIDE: u32 = 16_384;
const MEGA: u64 = 1_000_000;
const MAX_PIXELS: u64 = 100 * MEGA;
/// Across all frames of an animation; each frame counts as large as the canvas.
const MAX_PIXELS_OF_ALL_FRAMES: u64 = 200 * MEGA;

/// The largest values declared in one file.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub width: u32,
    pub height: u32,
    pub frames: u64,
}

#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum TooLarge {
    #[error(
        "The image is {} x {} pixels; at most {MAX_SIDE} pixels a side and {} megapixels are allowed",
        .0.width, .0.height, MAX_PIXELS / MEGA
    )]
    Picture(Size),
    #[error(
        "The animation has {} frames of {} x {} pixels; at most {} megapixels over all frames are allowed",
        .0.frames, .0.width, .0.height, MAX_PIXELS_OF_ALL_FRAMES / MEGA
    )]
    Animation(Size),
    #[error(
        "The image is {} x {} pixels; at most 25 megapixels are allowed (12 with 16 bits per channel), and {} in a JPEG \
         that is neither progressive nor CMYK",
        .0.width, .0.height, MAX_PIXELS / MEGA
    )]
    Undecodable(Size),
}

impl Size {
    /// Records the size that a header declares.
    pub(super) fn add(&mut self, width: u64, height: u64) {
        let side = |length: u64| u32::try_from(length).unwrap_or(u32::MAX);
        self.width = self.width.max(side(width));
        self.height = self.height.max(side(height));
    }

    pub(super) fn add_frames(&mut self, frames: u64) {
        self.frames = self.frames.max(frames);
    }

    pub fn pixels(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    /// # Errors
    /// Fails when a decoder would need too much memory.
    pub fn checked(self) -> Result<Self, TooLarge> {
        if self.width.max(self.height) > MAX_SIDE || self.pixels() > MAX_PIXELS {
            return Err(TooLarge::Picture(self));
        }
        if self.frames > 1 && self.pixels().saturating_mul(self.frames) > MAX_PIXELS_OF_ALL_FRAMES {
            return Err(TooLarge::Animation(self));
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(width: u32, height: u32, frames: u64) -> Size {
        Size { width, height, frames }
    }

    #[test]
    fn sizes_up_to_the_limits_are_allowed() {
        for allowed in [size(16_384, 6_000, 1), size(10_000, 10_000, 1), size(1_000, 1_000, 200)] {
            assert_eq!(allowed.checked(), Ok(allowed));
        }
        for refused in [size(16_385, 1, 1), size(1, 16_385, 0), size(10_001, 10_000, 1)] {
            assert_eq!(refused.checked(), Err(TooLarge::Picture(refused)));
        }
        let long = size(1_000, 1_000, 201);
        assert_eq!(long.checked(), Err(TooLarge::Animation(long)));
        assert!(size(u32::MAX, u32::MAX, u64::MAX).checked().is_err());
    }

    #[test]
    fn the_message_states_the_limit_and_the_actual_size() {
        assert_eq!(
            size(12_000, 12_000, 1).checked().unwrap_err().to_string(),
            "The image is 12000 x 12000 pixels; at most 16384 pixels a side and 100 megapixels are allowed"
        );
        assert_eq!(
            size(5_000, 5_000, 9).checked().unwrap_err().to_string(),
            "The animation has 9 frames of 5000 x 5000 pixels; at most 200 megapixels over all frames are allowed"
        );
    }
}
