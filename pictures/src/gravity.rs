//! Which part of an image is kept when the rest is cropped, in the words of Supabase's renderer.

use std::fmt;

use serde::Deserialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub enum Gravity {
    #[default]
    #[serde(rename = "ce")]
    Center,
    #[serde(rename = "no")]
    North,
    #[serde(rename = "so")]
    South,
    #[serde(rename = "ea")]
    East,
    #[serde(rename = "we")]
    West,
    #[serde(rename = "noea")]
    NorthEast,
    #[serde(rename = "nowe")]
    NorthWest,
    #[serde(rename = "soea")]
    SouthEast,
    #[serde(rename = "sowe")]
    SouthWest,
    /// The most interesting part. Nothing is detected here: the center is kept.
    #[serde(rename = "sm")]
    Smart,
    /// The offsets are the part's center, from 0 to 1.
    #[serde(rename = "fp")]
    FocalPoint,
}

impl Gravity {
    pub fn name(self) -> &'static str {
        match self {
            Self::Center => "ce",
            Self::North => "no",
            Self::South => "so",
            Self::East => "ea",
            Self::West => "we",
            Self::NorthEast => "noea",
            Self::NorthWest => "nowe",
            Self::SouthEast => "soea",
            Self::SouthWest => "sowe",
            Self::Smart => "sm",
            Self::FocalPoint => "fp",
        }
    }
}

/// A distance in pixels of the result, or below 1, as a part of the image. Has four decimals, so that a variant's
/// name stays short.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(try_from = "f64")]
pub struct Offset(i32);

const DECIMALS: f64 = 10_000.0;
const MOST_PIXELS: f64 = 16_384.0;

impl TryFrom<f64> for Offset {
    type Error = &'static str;

    fn try_from(number: f64) -> Result<Self, Self::Error> {
        if !number.is_finite() || number.abs() > MOST_PIXELS {
            return Err("an offset must be a number of pixels or a part of the image");
        }
        #[expect(clippy::cast_possible_truncation, reason = "within the limit above")]
        Ok(Self((number * DECIMALS).round() as i32))
    }
}

impl Offset {
    fn number(self) -> f64 {
        f64::from(self.0) / DECIMALS
    }

    pub fn is_part(self) -> bool {
        (0.0..=1.0).contains(&self.number())
    }

    /// In pixels of the source.
    fn in_source(self, length: f64, scale: f64) -> f64 {
        let number = self.number();
        if number.abs() < 1.0 { number * length } else { number / scale }
    }
}

impl fmt::Display for Offset {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(formatter)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Anchor {
    pub gravity: Gravity,
    pub x: Offset,
    pub y: Offset,
}

/// The edge from which an offset is measured.
#[derive(Clone, Copy)]
enum Edge {
    Start,
    Middle,
    End,
}

impl Anchor {
    /// Left and top of the part of a size that is kept.
    pub(crate) fn start(self, image: (f64, f64), part: (f64, f64), scale: f64) -> (f64, f64) {
        use Edge::{End, Middle, Start};
        let (x, y) = match self.gravity {
            Gravity::FocalPoint => {
                let around = |length: f64, part: f64, at: Offset| {
                    within(at.number() * length - part / 2.0, length - part)
                };
                return (around(image.0, part.0, self.x), around(image.1, part.1, self.y));
            }
            Gravity::Smart => return ((image.0 - part.0) / 2.0, (image.1 - part.1) / 2.0),
            Gravity::Center => (Middle, Middle),
            Gravity::North => (Middle, Start),
            Gravity::South => (Middle, End),
            Gravity::East => (End, Middle),
            Gravity::West => (Start, Middle),
            Gravity::NorthEast => (End, Start),
            Gravity::NorthWest => (Start, Start),
            Gravity::SouthEast => (End, End),
            Gravity::SouthWest => (Start, End),
        };
        let from = |edge: Edge, length: f64, part: f64, offset: Offset| {
            let (rest, offset) = (length - part, offset.in_source(length, scale));
            within(
                match edge {
                    Start => offset,
                    Middle => rest / 2.0 + offset,
                    End => rest - offset,
                },
                rest,
            )
        };
        (from(x, image.0, part.0, self.x), from(y, image.1, part.1, self.y))
    }
}

fn within(start: f64, most: f64) -> f64 {
    start.min(most).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn anchor(gravity: Gravity, x: f64, y: f64) -> Anchor {
        Anchor { gravity, x: Offset::try_from(x).unwrap(), y: Offset::try_from(y).unwrap() }
    }

    #[test]
    fn the_kept_part_lies_at_the_edge_or_the_focal_point() {
        let start = |anchor: Anchor| anchor.start((400.0, 200.0), (200.0, 200.0), 0.5);
        for (anchor, left) in [
            (Anchor::default(), 100.0),
            (anchor(Gravity::Smart, 50.0, 0.0), 100.0),
            (anchor(Gravity::West, 0.0, 0.0), 0.0),
            (anchor(Gravity::SouthEast, 0.0, 0.0), 200.0),
            // Ten pixels of the result are twenty of the source.
            (anchor(Gravity::West, 10.0, 0.0), 20.0),
            (anchor(Gravity::East, 0.25, 0.0), 100.0),
            (anchor(Gravity::West, -10.0, 0.0), 0.0),
            (anchor(Gravity::FocalPoint, 0.3, 1.0), 20.0),
            (anchor(Gravity::FocalPoint, 0.0, 0.0), 0.0),
            (anchor(Gravity::FocalPoint, 1.0, 0.5), 200.0),
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
