//! Media types in `Content-Type` and `Accept`.

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum MediaType {
    Json,
    GeoJson,
    Csv,
    PlainText,
    Xml,
    OpenApi,
    UrlEncoded,
    OctetStream,
    Any,
    /// One JSON object instead of an array.
    Singular {
        strip_nulls: bool,
    },
    /// An array of objects without null properties.
    StrippedArray,
    Plan(Box<PlanMedia>),
    Other(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PlanMedia {
    /// The media type of the request that is explained.
    pub of: MediaType,
    pub json: bool,
    /// Options of `EXPLAIN`.
    pub options: Vec<&'static str>,
}

const PLAN_OPTIONS: [&str; 5] = ["analyze", "verbose", "settings", "buffers", "wal"];

/// The types that are written in one way only.
static NAMES: [(&str, MediaType); 9] = [
    ("application/json", MediaType::Json),
    ("application/geo+json", MediaType::GeoJson),
    ("text/csv", MediaType::Csv),
    ("text/plain", MediaType::PlainText),
    ("text/xml", MediaType::Xml),
    ("application/openapi+json", MediaType::OpenApi),
    ("application/x-www-form-urlencoded", MediaType::UrlEncoded),
    ("application/octet-stream", MediaType::OctetStream),
    ("*/*", MediaType::Any),
];

impl MediaType {
    pub fn parse(text: &str) -> Self {
        let mut parts = text.split(';').map(str::trim);
        let kind = parts.next().unwrap_or_default().to_ascii_lowercase();
        let parameters: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        let strip_nulls = parameters.contains(&"nulls=stripped");
        if let Some((_, media)) = NAMES.iter().find(|(name, _)| *name == kind) {
            return media.clone();
        }
        match kind.as_str() {
            "" => Self::Any,
            "application/vnd.pgrst.object+json" | "application/vnd.pgrst.object" => {
                Self::Singular { strip_nulls }
            }
            "application/vnd.pgrst.array+json" | "application/vnd.pgrst.array" if strip_nulls => {
                Self::StrippedArray
            }
            "application/vnd.pgrst.array+json" | "application/vnd.pgrst.array" => Self::Json,
            "application/vnd.pgrst.plan" | "application/vnd.pgrst.plan+text" => plan(&parameters, false),
            "application/vnd.pgrst.plan+json" => plan(&parameters, true),
            _ => Self::Other(text.trim().to_owned()),
        }
    }

    /// Parses an `Accept` header; the most preferred type comes first.
    pub fn parse_accept(header: &str) -> Vec<Self> {
        let mut wanted: Vec<(f32, u8, Self)> = split_outside_quotes(header)
            .map(|part| {
                let quality =
                    part.split(';').skip(1).find_map(|p| p.trim().strip_prefix("q=")?.trim().parse().ok());
                let without_quality = part
                    .split(';')
                    .filter(|parameter| !parameter.trim().starts_with("q="))
                    .collect::<Vec<_>>()
                    .join(";");
                let specific = match without_quality.trim() {
                    "*/*" => 0,
                    text if text.ends_with("/*") => 1,
                    _ => 2,
                };
                (quality.unwrap_or(1.0), specific, Self::parse(&without_quality))
            })
            .collect();
        wanted.sort_by(|one, two| two.0.total_cmp(&one.0).then(two.1.cmp(&one.1)));
        wanted.into_iter().map(|(_, _, media)| media).collect()
    }

    /// The bare name, for error messages.
    pub fn name(&self) -> String {
        match self {
            Self::Singular { strip_nulls: false } => "application/vnd.pgrst.object+json".to_owned(),
            Self::Singular { strip_nulls: true } => {
                "application/vnd.pgrst.object+json;nulls=stripped".to_owned()
            }
            Self::StrippedArray => "application/vnd.pgrst.array+json;nulls=stripped".to_owned(),
            Self::Plan(plan) => plan.name(),
            Self::Other(name) => name.clone(),
            named => NAMES
                .iter()
                .find(|(_, media)| media == named)
                .map(|(name, _)| *name)
                .unwrap_or_default()
                .to_owned(),
        }
    }

    /// The value of a `Content-Type` header.
    pub fn content_type(&self) -> String {
        match self {
            Self::OctetStream | Self::Other(_) => self.name(),
            _ => format!("{}; charset=utf-8", self.name()),
        }
    }
}

impl PlanMedia {
    fn name(&self) -> String {
        let format = if self.json { "json" } else { "text" };
        let mut name = format!("application/vnd.pgrst.plan+{format}; for=\"{}\"", self.of.name());
        if !self.options.is_empty() {
            name.push_str("; options=");
            name.push_str(&self.options.join("|"));
        }
        name
    }
}

fn plan(parameters: &[&str], json: bool) -> MediaType {
    let value = |name: &str| parameters.iter().find_map(|parameter| parameter.strip_prefix(name));
    let of = value("for=").map_or(MediaType::Json, |name| MediaType::parse(name.trim_matches('"')));
    let wanted: Vec<&str> = value("options=").map(|text| text.split('|').collect()).unwrap_or_default();
    let options = PLAN_OPTIONS.into_iter().filter(|option| wanted.contains(option)).collect();
    MediaType::Plan(Box::new(PlanMedia { of, json, options }))
}

fn split_outside_quotes(header: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    header.split(move |found| {
        if found == '"' {
            quoted = !quoted;
        }
        found == ',' && !quoted
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_preferred_type_comes_first() {
        let types = MediaType::parse_accept("text/html;q=0.5, */*, application/json");
        assert_eq!(types[0], MediaType::Json);
        assert_eq!(types[1], MediaType::Any);
    }

    #[test]
    fn a_plan_keeps_its_media_type() {
        let media =
            MediaType::parse("application/vnd.pgrst.plan+json; for=\"text/csv\"; options=verbose|analyze");
        assert_eq!(
            media.content_type(),
            "application/vnd.pgrst.plan+json; for=\"text/csv\"; options=analyze|verbose; charset=utf-8"
        );
    }
}
