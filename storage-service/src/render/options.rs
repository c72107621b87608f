//! The transformation options of an image, as queries, JSON bodies and signed tokens express them.

use std::fmt::Write;

use serde::Deserialize;

use crate::error::{ApiError, Result};
use pictures::Format;
use pictures::transform::{Bounds, MAX_SIDE, Resize, Target};

const DEFAULT_QUALITY: u8 = 80;
const QUALITIES: std::ops::RangeInclusive<u8> = 20..=100;

fn resize_name(resize: Resize) -> &'static str {
    match resize {
        Resize::Cover => "cover",
        Resize::Contain => "contain",
        Resize::Fill => "fill",
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Output {
    /// The source's format.
    Origin,
    Avif,
    Webp,
}

impl Output {
    fn name(self) -> &'static str {
        match self {
            Self::Origin => "origin",
            Self::Avif => "avif",
            Self::Webp => "webp",
        }
    }
}

/// The options as requested.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Transformation {
    width: Option<u32>,
    height: Option<u32>,
    resize: Option<Resize>,
    quality: Option<u8>,
    format: Option<Output>,
}

/// The options with defaults filled in. They identify one variant of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RenderOptions {
    pub width: Option<u32>,
    pub height: Option<u32>,
    pub resize: Resize,
    pub quality: u8,
    pub output: Output,
}

impl Default for RenderOptions {
    fn default() -> Self {
        let (resize, quality, output) = (Resize::Cover, DEFAULT_QUALITY, Output::Origin);
        Self { width: None, height: None, resize, quality, output }
    }
}

impl Transformation {
    /// # Errors
    /// Fails when the quality is out of range; the error names `location`.
    pub fn checked(self, location: &str) -> Result<Self> {
        match self.quality {
            Some(quality) if quality < *QUALITIES.start() => {
                Err(ApiError::Schema(format!("{location}/quality must be >= {}", QUALITIES.start())))
            }
            Some(quality) if quality > *QUALITIES.end() => {
                Err(ApiError::Schema(format!("{location}/quality must be <= {}", QUALITIES.end())))
            }
            _ => Ok(self),
        }
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
        }
    }

    /// Writes `width:100,height:100,resize:cover`, with the requested options only.
    pub fn to_text(&self) -> String {
        let [width, height, resize, format, quality] = self.written(':');
        [width, height, resize, quality, format].into_iter().flatten().collect::<Vec<_>>().join(",")
    }

    /// Writes `width=100&height=100&resize=cover`, in the order of Supabase's client.
    pub fn to_query(&self) -> String {
        self.written('=').into_iter().flatten().collect::<Vec<_>>().join("&")
    }

    fn written(&self, equals: char) -> [Option<String>; 5] {
        [
            self.width.map(|width| format!("width{equals}{width}")),
            self.height.map(|height| format!("height{equals}{height}")),
            self.resize.map(|resize| format!("resize{equals}{}", resize_name(resize))),
            self.format.map(|format| format!("format{equals}{}", format.name())),
            self.quality.map(|quality| format!("quality{equals}{quality}")),
        ]
    }

    /// Reads the format of `to_text`. Unknown options are ignored.
    pub fn from_text(text: &str) -> Self {
        let query: Vec<_> = text.split(',').filter_map(|part| part.split_once(':')).collect();
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
        let Self { width, height, resize, quality, output } = *self;
        let format = match output {
            Output::Origin => source,
            Output::Avif => Format::Avif,
            Output::Webp => Format::Webp,
        };
        Target { bounds: Bounds { width, height, resize }, quality, format }
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
            parts.push(format!("format:{}", self.output.name()));
        }
        parts.join(",")
    }

    /// Suitable as a file name and in an ETag.
    pub fn name(&self) -> String {
        let mut name = String::new();
        let (width, height) = (self.width.unwrap_or(0), self.height.unwrap_or(0));
        let _ = write!(
            name,
            "{width}x{height}-{}-{}.{}",
            resize_name(self.resize),
            self.quality,
            self.output.name()
        );
        name
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
        assert_eq!(described(""), "");
    }

    #[test]
    fn quality_is_limited() {
        let with = |quality| Transformation { quality: Some(quality), ..Transformation::default() };
        assert!(with(20).checked("querystring").is_ok() && with(100).checked("querystring").is_ok());
        assert!(with(19).checked("querystring").is_err() && with(101).checked("querystring").is_err());
    }
}
