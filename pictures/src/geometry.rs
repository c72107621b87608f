//! Which part of an image is used, and at what size. Images are never enlarged.

use serde::Deserialize;

use crate::gravity::Anchor;

/// Longest side of a result.
pub const MAX_SIDE: u32 = 2000;

/// How an image fills a box whose two sides are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Resize {
    /// Fills the box; the rest is cropped.
    #[default]
    Cover,
    /// Fits into the box.
    Contain,
    /// Stretches to the box.
    Fill,
}

/// The requested box. A missing side follows from the aspect ratio.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Bounds {
    pub width: Option<u32>,
    pub height: Option<u32>,
    pub resize: Resize,
    /// Which part `Cover` keeps.
    pub anchor: Anchor,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Plan {
    /// Left, top, width and height of the part that is used.
    pub crop: (f64, f64, f64, f64),
    pub width: u32,
    pub height: u32,
}

impl Plan {
    pub fn new(source: (u32, u32), bounds: Bounds) -> Self {
        let (width, height) = (f64::from(source.0), f64::from(source.1));
        let side = |length: Option<u32>| length.map(|length| f64::from(length.min(MAX_SIDE)));
        let ((target, other), crop) = match (side(bounds.width), side(bounds.height)) {
            (Some(target), Some(other)) if bounds.resize != Resize::Contain => {
                let shrink = (width / target).min(height / other).min(1.0);
                let target = (target * shrink, other * shrink);
                let is_cropped = bounds.resize == Resize::Cover;
                (target, is_cropped.then(|| cover((width, height), target, bounds.anchor)))
            }
            (target, other) => {
                let limit = f64::from(MAX_SIDE);
                let (target, other) = (target.unwrap_or(limit), other.unwrap_or(limit));
                let scale = (target / width).min(other / height).min(1.0);
                ((width * scale, height * scale), None)
            }
        };
        Self { crop: crop.unwrap_or((0.0, 0.0, width, height)), width: pixels(target), height: pixels(other) }
    }
}

/// The largest part with the target's aspect ratio.
fn cover((width, height): (f64, f64), (target, other): (f64, f64), anchor: Anchor) -> (f64, f64, f64, f64) {
    let scale = (target / width).max(other / height);
    let (taken, tall) = ((target / scale).min(width), (other / scale).min(height));
    let (left, top) = anchor.start((width, height), (taken, tall), scale);
    (left, top, taken, tall)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and MAX_SIDE")]
fn pixels(length: f64) -> u32 {
    length.round().max(1.0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(source: (u32, u32), width: Option<u32>, height: Option<u32>, resize: Resize) -> Plan {
        Plan::new(source, Bounds { width, height, resize, ..Bounds::default() })
    }

    fn size(plan: Plan) -> (u32, u32) {
        (plan.width, plan.height)
    }

    #[test]
    fn one_side_keeps_the_aspect_ratio() {
        assert_eq!(size(plan((1200, 800), Some(300), None, Resize::Cover)), (300, 200));
        assert_eq!(size(plan((1200, 800), None, Some(200), Resize::Fill)), (300, 200));
        assert_eq!(size(plan((3000, 1), Some(10), None, Resize::Cover)), (10, 1));
    }

    #[test]
    fn cover_crops_contain_fits_and_fill_stretches() {
        let covered = plan((1200, 800), Some(200), Some(200), Resize::Cover);
        assert_eq!((size(covered), covered.crop), ((200, 200), (200.0, 0.0, 800.0, 800.0)));
        let contained = plan((1200, 800), Some(200), Some(200), Resize::Contain);
        assert_eq!((size(contained), contained.crop), ((200, 133), (0.0, 0.0, 1200.0, 800.0)));
        let filled = plan((1200, 800), Some(200), Some(200), Resize::Fill);
        assert_eq!((size(filled), filled.crop), ((200, 200), (0.0, 0.0, 1200.0, 800.0)));
    }

    #[test]
    fn images_are_never_enlarged_or_larger_than_the_limit() {
        assert_eq!(size(plan((100, 50), Some(400), None, Resize::Cover)), (100, 50));
        assert_eq!(size(plan((100, 50), Some(400), Some(400), Resize::Contain)), (100, 50));
        assert_eq!(size(plan((100, 50), Some(400), Some(400), Resize::Cover)), (50, 50));
        assert_eq!(size(plan((9000, 4500), None, None, Resize::Cover)), (2000, 1000));
        assert_eq!(size(plan((9000, 4500), Some(u32::MAX), None, Resize::Cover)), (2000, 1000));
    }
}
