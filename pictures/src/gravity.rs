//! Which part of an image is kept when the rest is cropped, in the words of Supabase's renderer.

use std::fmt;

use serde::Deserialize;

/// An edge, a corner, or one of the constants below, as its place among the names.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub struct Gravity(usize);

const NAMES: [&str; 11] = ["ce", "sm", "fp", "no", "so", "ea", "we", "noea", "nowe", "soea", "sowe"];

impl Gravity {
    pub const CENTER: Self = Self(0);
    /// The most interesting part. Nothing is detected here: the center is kept.
    pub const SMART: Self = Self(1);
    /// The offsets are the part's center, from 0 to 1.
    pub const FOCAL_POINT: Self = Self(2);

    pub fn name(self) -> &'static str {
        NAMES[self.0]
    }
}

impl TryFrom<String> for Gravity {
    type Error = &'static str;

    fn try_from(name: String) -> Result<Self, Self::Error> {
        NAMES.into_iter().position(|known| known == name).map(Self).ok_or("unknown gravity")
    }
}

/// A distance in pixels of the result, or below 1, as a part of the image. Has four decimals, so that a variant's
/// name stays short.
#[derive(Debug, Clone, Copy, PartialEq, Default, Deserialize)]
#[serde(try_from = "f64")]
pub struct Offset(f64);

impl TryFrom<f64> for Offset {
    type Error = &'static str;

    fn try_from(number: f64) -> Result<Self, Self::Error> {
        if !number.is_finite() || number.abs() > 16_384.0 {
            return Err("an offset must be a number of pixels or a part of the image");
        }
        // The sum is never -0.
        Ok(Self((number * 10_000.0).round() / 10_000.0 + 0.0))
    }
}

impl Offset {
    pub fn is_part(self) -> bool {
        (0.0..=1.0).contains(&self.0)
    }
}

impl fmt::Display for Offset {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anchor {
    pub gravity: Gravity,
    pub x: Offset,
    pub y: Offset,
}

impl Default for Anchor {
    fn default() -> Self {
        Self { gravity: Gravity::CENTER, x: Offset::default(), y: Offset::default() }
    }
}

impl Anchor {
    /// Left and top of the part of a size that is kept.
    pub(crate) fn start(self, image: (f64, f64), part: (f64, f64), scale: f64) -> (f64, f64) {
        let name = self.gravity.name();
        let start = |Offset(number), length: f64, part: f64, is_at_start: bool, is_at_end: bool| {
            let rest = length - part;
            let offset = if f64::abs(number) < 1.0 { number * length } else { number / scale };
            let start = match self.gravity {
                Gravity::FOCAL_POINT => number * length - part / 2.0,
                Gravity::SMART => rest / 2.0,
                _ if is_at_start => offset,
                _ if is_at_end => rest - offset,
                _ => rest / 2.0 + offset,
            };
            start.min(rest).max(0.0)
        };
        let left = start(self.x, image.0, part.0, name.ends_with("we"), name.ends_with("ea"));
        (left, start(self.y, image.1, part.1, name.starts_with("no"), name.starts_with("so")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn anchor(gravity: &str, x: f64, y: f64) -> Anchor {
        let gravity = gravity.to_owned().try_into().unwrap();
        Anchor { gravity, x: Offset::try_from(x).unwrap(), y: Offset::try_from(y).unwrap() }
    }

    #[test]
    fn the_kept_part_lies_at_the_edge_or_the_focal_point() {
        let start = |anchor: Anchor| anchor.start((400.0, 200.0), (200.0, 200.0), 0.5);
        for (anchor, left) in [
            (Anchor::default(), 100.0),
            (anchor("sm", 50.0, 0.0), 100.0),
            (anchor("we", 0.0, 0.0), 0.0),
            (anchor("soea", 0.0, 0.0), 200.0),
            // Ten pixels of the result are twenty of the source.
            (anchor("we", 10.0, 0.0), 20.0),
            (anchor("ea", 0.25, 0.0), 100.0),
            (anchor("we", -10.0, 0.0), 0.0),
            (anchor("fp", 0.3, 1.0), 20.0),
            (anchor("fp", 0.0, 0.0), 0.0),
            (anchor("fp", 1.0, 0.5), 200.0),
        ] {
            assert_eq!(start(anchor), (left, 0.0), "{anchor:?}");
        }
    }

    #[test]
    fn offsets_are_short_and_bounded() {
        let text = |number: f64| Offset::try_from(number).map(|offset| offset.to_string());
        assert_eq!(text(0.0), Ok("0".to_owned()));
        assert_eq!(text(0.123_456_789), Ok("0.1235".to_owned()));
        assert_eq!(text(-12.5), Ok("-12.5".to_owned()));
        assert_eq!(text(-1e-300), Ok("0".to_owned()));
        for number in [f64::NAN, f64::INFINITY, 16_385.0] {
            assert!(text(number).is_err(), "{number}");
        }
    }
}
