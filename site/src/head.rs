//! The page head for search engines and link previews.

use std::fmt::Write;

use html_escape::encode_double_quoted_attribute;

const NAME: &str = "Serasi";
/// Path of the default preview image, 1200 by 630 pixels.
const PREVIEW: &str = "/preview.png";

/// The metadata of one page. Everything is escaped when written, because names and bios come from users.
#[derive(Debug, Clone)]
pub struct Head {
    pub title: String,
    pub description: String,
    /// A root-relative or absolute URL; the default image if `None`.
    pub picture: Option<String>,
    /// The canonical path without query parameters; `None` excludes the page from search engines.
    pub canonical: Option<String>,
    pub kind: &'static str,
}

impl Head {
    /// A head without its own picture, excluded from search engines.
    pub fn bare(title: &str, description: &str) -> Self {
        let (title, description) = (title.to_owned(), description.to_owned());
        Self { title, description, picture: None, canonical: None, kind: "website" }
    }

    pub fn html(&self, site_url: &str) -> String {
        let absolute = |path: &str| match path.starts_with('/') {
            true => format!("{site_url}{path}"),
            false => path.to_owned(),
        };
        let title = format!("{} · {NAME}", self.title);
        let picture = absolute(self.picture.as_deref().unwrap_or(PREVIEW));
        let card = if self.picture.is_some() { "summary" } else { "summary_large_image" };
        let mut html = format!("<title>{}</title>", html_escape::encode_text(&title));
        let mut meta = |attribute: &str, name: &str, content: &str| {
            let content = encode_double_quoted_attribute(content);
            let _ = write!(html, "\n    <meta {attribute}=\"{name}\" content=\"{content}\">");
        };
        meta("name", "description", &self.description);
        meta("property", "og:site_name", NAME);
        meta("property", "og:type", self.kind);
        meta("property", "og:title", &title);
        meta("property", "og:description", &self.description);
        meta("property", "og:image", &picture);
        meta("name", "twitter:card", card);
        match &self.canonical {
            Some(path) => {
                let url = absolute(path);
                meta("property", "og:url", &url);
                let url = encode_double_quoted_attribute(&url);
                let _ = write!(html, "\n    <link rel=\"canonical\" href=\"{url}\">");
            }
            None => meta("name", "robots", "noindex"),
        }
        html
    }
}

/// The beginning of a longer text, on one line.
pub fn excerpt(text: &str) -> String {
    const LONGEST: usize = 155;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= LONGEST {
        return line;
    }
    let cut: String = line.chars().take(LONGEST).collect();
    let whole_words = cut.rsplit_once(' ').map_or(cut.as_str(), |(words, _)| words);
    format!("{}…", whole_words.trim_end_matches([',', '.', ';', ':']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(title: &str, picture: Option<&str>) -> String {
        let head = Head {
            title: title.to_owned(),
            description: "d".to_owned(),
            picture: picture.map(str::to_owned),
            canonical: Some("/profile/1".to_owned()),
            kind: "profile",
        };
        head.html("https://serasi.test")
    }

    #[test]
    fn user_content_is_escaped() {
        let html = head("\"><script>alert(1)</script>", Some("https://a.test/?\"onload=\"x"));
        assert!(!html.contains("<script>"), "{html}");
        assert!(!html.contains("\"onload"), "{html}");
    }

    #[test]
    fn urls_are_absolute() {
        let html = head("A", Some("/storage/v1/object/public/images/a.webp"));
        assert!(
            html.contains("content=\"https://serasi.test/storage/v1/object/public/images/a.webp\""),
            "{html}"
        );
        assert!(html.contains("href=\"https://serasi.test/profile/1\""), "{html}");
        assert!(head("A", None).contains("https://serasi.test/preview.png"));
    }

    #[test]
    fn an_excerpt_ends_with_a_whole_word() {
        assert_eq!(excerpt(" Short\n text. "), "Short text.");
        let long = excerpt(&"word, ".repeat(60));
        assert!(long.ends_with("word…") && long.chars().count() <= 156, "{long}");
    }
}
