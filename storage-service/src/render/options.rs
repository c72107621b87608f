//! The transformation options of an image, as queries, JSON bodies and signed tokens express them.

use std::fmt::Debug;

use serde::Deserialize;

use crate::error::{ApiError, Result};
use pictures::Format;
use pictures::transform::{Anchor, Bounds, Gravity, MAX_SIDE, Offset, Resize, Target};

const DEFAULT_QUALITY: u8 = 80;
const QUALITIES: std::ops::RangeInclusive<u8> = 20..=100;

/// The name of a variant, as clients write it.
fn word(variant: impl Debug) -> String {
    format!("{variant:?}").to_lowercase()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Output {
    /// The source's format.
    Origin,
    Avif,
    Webp,
}

/// The options as requested.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct Transformation {
    width: Option<u32>,
    height: Option<u32>,
    resize: Option<Resize>,
    quality: Option<u8>,
    format: Option<Output>,
    gravity: Option<Gravity>,
    x_offset: Option<Offset>,
    y_offset: Option<Offset>,
}

/// The options with defaults filled in. They identify one variant of an image.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RenderOptions {
    pub width: Option<u32>,
    pub height: Option<u32>,
    pub resize: Resize,
    pub quality: u8,
    pub output: Output,
    pub anchor: Anchor,
}

impl Default for RenderOptions {
    fn default() -> Self {
        let (resize, quality, output) = (Resize::Cover, DEFAULT_QUALITY, Output::Origin);
        Self { width: None, height: None, resize, quality, output, anchor: Anchor::default() }
    }
}

impl Transformation {
    /// # Errors
    /// Fails when the quality or the focal point is out of range; the error names `location`.
    pub fn checked(self, location: &str) -> Result<Self> {
        let is_part = |offset: Option<Offset>| offset.is_some_and(Offset::is_part);
        if self.gravity == Some(Gravity::FOCAL_POINT) && !(is_part(self.x_offset) && is_part(self.y_offset)) {
            let range = "Focal point requires x and y coordinates within 0-1 range";
            return Err(ApiError::InvalidRequest(range.to_owned()));
        }
        let (least, most) = (QUALITIES.start(), QUALITIES.end());
        let bound = match self.quality {
            Some(quality) if quality < *least => format!(">= {least}"),
            Some(quality) if quality > *most => format!("<= {most}"),
            _ => return Ok(self),
        };
        Err(ApiError::Schema(format!("{location}/quality must be {bound}")))
    }

    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether the format depends on the Accept header.
    pub fn leaves_format_open(&self) -> bool {
        self.format.is_none()
    }

    /// `accept` is the request's Accept header.
    pub fn options(&self, accept: Option<&str>) -> RenderOptions {
        let offered = accept.is_some_and(|accept| accept.contains(Format::Webp.mime_type()));
        let side = |asked: Option<u32>| asked.filter(|asked| *asked > 0);
        RenderOptions {
            width: side(self.width),
            height: side(self.height),
            resize: self.resize.unwrap_or_default(),
            quality: self.quality.unwrap_or(DEFAULT_QUALITY),
            output: self.format.unwrap_or(if offered { Output::Webp } else { Output::Origin }),
            anchor: self.anchor(),
        }
    }

    fn anchor(&self) -> Anchor {
        match self.gravity {
            // `Smart` keeps the center, too: both are one variant.
            None | Some(Gravity::SMART) => Anchor::default(),
            Some(gravity) => {
                let [x, y] = [self.x_offset, self.y_offset].map(Option::unwrap_or_default);
                Anchor { gravity, x, y }
            }
        }
    }

    /// `gravity:fp:0.5:1`, the offsets only if requested.
    fn gravity(&self) -> Option<String> {
        let (name, Anchor { x, y, .. }) = (self.gravity?.name(), self.anchor());
        let plain = self.gravity == Some(Gravity::SMART) || (self.x_offset, self.y_offset) == (None, None);
        Some(if plain { format!("gravity:{name}") } else { format!("gravity:{name}:{x}:{y}") })
    }

    /// Writes `width:100,height:100,resize:cover`, with the requested options only.
    pub fn to_text(&self) -> String {
        let parts = [
            self.width.map(|width| format!("width:{width}")),
            self.height.map(|height| format!("height:{height}")),
            self.resize.map(|resize| format!("resize:{}", word(resize))),
            self.quality.map(|quality| format!("quality:{quality}")),
            self.format.map(|format| format!("format:{}", word(format))),
            self.gravity(),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(",")
    }

    /// Reads the format of `to_text`. Unknown options are ignored.
    pub fn from_text(text: &str) -> Self {
        let mut query: Vec<_> = text.split(',').filter_map(|part| part.split_once(':')).collect();
        if let Some(place) = query.iter_mut().find(|(name, _)| *name == "gravity") {
            let mut parts = place.1.split(':');
            place.1 = parts.next().unwrap_or_default();
            query.extend(["x_offset", "y_offset"].into_iter().zip(parts));
        }
        let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(query).finish();
        serde_urlencoded(&query).unwrap_or_default()
    }
}

fn serde_urlencoded(query: &str) -> Option<Transformation> {
    let uri = format!("/?{query}").parse().ok()?;
    axum::extract::Query::try_from_uri(&uri).ok().map(|axum::extract::Query(transformation)| transformation)
}

impl RenderOptions {
    /// The options for an image in the format `source`.
    pub fn target(&self, source: Format) -> Target {
        let Self { width, height, resize, quality, output, anchor } = *self;
        let format = match output {
            Output::Origin => source,
            Output::Avif => Format::Avif,
            Output::Webp => Format::Webp,
        };
        Target { bounds: Bounds { width, height, resize, anchor }, quality, format }
    }

    /// What was done to the image, in the words of Supabase's renderer: `height:200,width:200,resizing_type:fill,quality:60`.
    /// Lists only the requested options.
    pub fn described(&self, asked: &Transformation) -> String {
        let mut parts = Vec::new();
        let side = |side: u32| side.min(MAX_SIDE);
        parts.extend(self.height.map(|height| format!("height:{}", side(height))));
        parts.extend(self.width.map(|width| format!("width:{}", side(width))));
        if !parts.is_empty() {
            let name = match self.resize {
                Resize::Cover => "fill",
                Resize::Contain => "fit",
                Resize::Fill => "force",
            };
            parts.push(format!("resizing_type:{name}"));
        }
        parts.extend(asked.quality.map(|quality| format!("quality:{quality}")));
        if self.output != Output::Origin {
            parts.push(format!("format:{}", word(self.output)));
        }
        parts.extend(asked.gravity());
        parts.join(",")
    }

    /// Suitable as a file name and in an ETag.
    pub fn name(&self) -> String {
        let Self { width, height, resize, quality, output, anchor } = *self;
        let (width, height) = (width.unwrap_or(0), height.unwrap_or(0));
        let name = format!("{width}x{height}-{}-{quality}.{}", word(resize), word(output));
        let Anchor { gravity, x, y } = anchor;
        if anchor == Anchor::default() { name } else { format!("{}_{x}_{y}-{name}", gravity.name()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_carry_the_requested_options() {
        let asked = Transformation {
            width: Some(100),
            height: Some(100),
            resize: Some(Resize::Cover),
            ..Transformation::default()
        };
        assert_eq!(asked.to_text(), "width:100,height:100,resize:cover");
        assert_eq!(Transformation::from_text(&asked.to_text()), asked);
        assert_eq!(Transformation::from_text(""), Transformation::default());
    }

    #[test]
    fn webp_is_sent_when_the_client_accepts_it() {
        let open = Transformation::default();
        assert_eq!(open.options(Some("image/avif,image/webp,*/*")).output, Output::Webp);
        assert_eq!(open.options(Some("*/*")).output, Output::Origin);
        let origin = Transformation { format: Some(Output::Origin), ..Transformation::default() };
        assert_eq!(origin.options(Some("image/webp")).output, Output::Origin);
    }

    #[test]
    fn the_description_names_what_was_asked_for() {
        let described = |text: &str| {
            let asked = Transformation::from_text(text);
            asked.options(None).described(&asked)
        };
        assert_eq!(
            described("width:200,height:200,quality:60"),
            "height:200,width:200,resizing_type:fill,quality:60"
        );
        assert_eq!(described("width:9000,resize:contain"), "width:2000,resizing_type:fit");
        assert_eq!(described("resize:fill,format:webp"), "format:webp");
        assert_eq!(described("gravity:we"), "gravity:we");
        assert_eq!(
            described("height:1,width:1,resize:cover,gravity:fp:0:1"),
            "height:1,width:1,resizing_type:fill,gravity:fp:0:1"
        );
        assert_eq!(described(""), "");
    }

    #[test]
    fn gravity_is_part_of_tokens_addresses_and_names() {
        let asked = Transformation::from_text("width:10,gravity:fp:0.25:1");
        assert_eq!(asked.to_text(), "width:10,gravity:fp:0.25:1");
        assert_eq!(asked.options(None).name(), "fp_0.25_1-10x0-cover-80.origin");
        assert_eq!(Transformation::from_text("gravity:sm:1:1").to_text(), "gravity:sm");
        for outside in ["gravity:fp", "gravity:fp:0.5", "gravity:fp:0.5:1.5", "gravity:fp:-0.1:0"] {
            assert!(Transformation::from_text(outside).checked("querystring").is_err(), "{outside}");
        }
        assert!(asked.checked("querystring").is_ok());
    }

    #[test]
    fn quality_is_limited() {
        let with = |quality| Transformation { quality: Some(quality), ..Transformation::default() };
        assert!(with(20).checked("querystring").is_ok() && with(100).checked("querystring").is_ok());
        assert!(with(19).checked("querystring").is_err() && with(101).checked("querystring").is_err());
    }
}
