//! Which part of an image is kept when the rest is cropped, in the words of Supabase's renderer.

use std::fmt;

use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// The name, and the edges from which offsets are measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gravity(&'static str, Edge, Edge);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Edge {
    Start,
    Middle,
    End,
}

impl Gravity {
    pub const CENTER: Self = Self("ce", Edge::Middle, Edge::Middle);
    /// The most interesting part. Nothing is detected here: the center is kept.
    pub const SMART: Self = Self("sm", Edge::Middle, Edge::Middle);
    /// The offsets are the part's center, from 0 to 1.
    pub const FOCAL_POINT: Self = Self("fp", Edge::Middle, Edge::Middle);
    const ALL: [Self; 11] = [
        Self::CENTER,
        Self::SMART,
        Self::FOCAL_POINT,
        Self("no", Edge::Middle, Edge::Start),
        Self("so", Edge::Middle, Edge::End),
        Self("ea", Edge::End, Edge::Middle),
        Self("we", Edge::Start, Edge::Middle),
        Self("noea", Edge::End, Edge::Start),
        Self("nowe", Edge::Start, Edge::Start),
        Self("soea", Edge::End, Edge::End),
        Self("sowe", Edge::Start, Edge::End),
    ];

    pub fn name(self) -> &'static str {
        self.0
    }
}

impl<'de> Deserialize<'de> for Gravity {
    fn deserialize<D: Deserializer<'de>>(name: D) -> Result<Self, D::Error> {
        let name = String::deserialize(name)?;
        let known = Self::ALL.into_iter().find(|gravity| gravity.0 == name);
        known.ok_or_else(|| D::Error::custom("unknown gravity"))
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
}

impl fmt::Display for Offset {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(formatter)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
        let Gravity(_, x, y) = self.gravity;
        let start = |edge: Edge, offset: Offset, length: f64, part: f64| {
            let (rest, number) = (length - part, offset.number());
            let offset = if number.abs() < 1.0 { number * length } else { number / scale };
            let start = match (self.gravity, edge) {
                (Gravity::FOCAL_POINT, _) => number * length - part / 2.0,
                (Gravity::SMART, _) => rest / 2.0,
                (_, Edge::Start) => offset,
                (_, Edge::Middle) => rest / 2.0 + offset,
                (_, Edge::End) => rest - offset,
            };
            start.min(rest).max(0.0)
        };
        (start(x, self.x, image.0, part.0), start(y, self.y, image.1, part.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn anchor(gravity: &str, x: f64, y: f64) -> Anchor {
        let gravity = Gravity::ALL.into_iter().find(|known| known.name() == gravity).unwrap();
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
