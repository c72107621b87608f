//! The texts of an e-mail. HTML and plain text are rendered from the same texts, so that the two can't
//! diverge. Escaping and layout are up to the templates.

use std::borrow::Cow;

use serde::de::DeserializeOwned;
use serde_json::Value;
use url::Url;

/// The texts of one e-mail. Everything but the subject and the preheader may be missing.
#[derive(Debug, Default)]
pub struct MailTexts {
    pub subject: Cow<'static, str>,
    /// The preview that mail clients show beside the subject.
    pub preheader: Cow<'static, str>,
    pub paragraphs: Vec<String>,
    /// A table of labels and values, such as a budget and dates.
    pub facts: Vec<Fact>,
    /// Another user's text, shown as a quotation. Line breaks are kept.
    pub quote: Option<String>,
    /// Linked lines, such as the entries of a digest.
    pub items: Vec<Item>,
    pub button: Option<Button>,
    pub code: Option<String>,
    /// The closing note.
    pub note: Option<String>,
}

impl MailTexts {
    /// Puts each text on one line. Users write names and titles, and none may look like another part of the e-mail. A
    /// quotation keeps its lines, which the templates mark.
    #[must_use]
    pub fn on_single_lines(self) -> Self {
        let fact = |fact: Fact| Fact { value: one_line(&fact.value), ..fact };
        let item = |item: Item| Item { text: one_line(&item.text), ..item };
        let quote = |quote: String| quote.lines().map(one_line).collect::<Vec<_>>().join("\n");
        Self {
            subject: one_line(&self.subject).into(),
            preheader: one_line(&self.preheader).into(),
            paragraphs: self.paragraphs.iter().map(|paragraph| one_line(paragraph)).collect(),
            facts: self.facts.into_iter().map(fact).collect(),
            quote: self.quote.map(quote),
            items: self.items.into_iter().map(item).collect(),
            ..self
        }
    }
}

pub fn one_line(text: &str) -> String {
    let separates = |character: char| {
        // The ranges change the direction of the text that follows.
        character.is_whitespace()
            || character.is_control()
            || matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.split(separates).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

#[derive(Debug)]
pub struct Fact {
    pub label: &'static str,
    pub value: String,
}

#[derive(Debug)]
pub struct Item {
    pub text: String,
    pub link: Option<String>,
}

#[derive(Debug)]
pub struct Button {
    pub label: &'static str,
    pub link: String,
}

/// The row's data does not fit its template; a retry would not help.
#[derive(Debug, thiserror::Error)]
#[error("the row's data does not fit its template")]
pub struct Unusable;

/// The parts of an outbox row that the texts depend on.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    pub template: &'a str,
    pub data: &'a Value,
    pub site_url: &'a Url,
}

impl Source<'_> {
    /// The row's data.
    ///
    /// # Errors
    /// Fails when a member is missing or has another type.
    pub fn data<T: DeserializeOwned>(&self) -> Result<T, Unusable> {
        T::deserialize(self.data).map_err(|_| Unusable)
    }

    /// The address of a page of the site, whose path begins with a slash.
    ///
    /// # Errors
    /// Fails when the path would lead to another site.
    pub fn page(&self, path: &str) -> Result<String, Unusable> {
        let page = self.site_url.join(path).map_err(|_| Unusable)?;
        let is_ours = path.starts_with('/') && page.origin() == self.site_url.origin();
        if is_ours { Ok(page.into()) } else { Err(Unusable) }
    }

    /// # Errors
    /// See [`Self::page`].
    pub fn button(&self, label: &'static str, path: &str) -> Result<Option<Button>, Unusable> {
        Ok(Some(Button { label, link: self.page(path)? }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_on_the_site() {
        let site_url = Url::parse("https://serasi.test").unwrap();
        let source = Source { template: "", data: &Value::Null, site_url: &site_url };
        assert_eq!(source.page("/answers/1?a=b").unwrap(), "https://serasi.test/answers/1?a=b");
        for elsewhere in
            ["//other.test", "https://other.test/", "answers", "javascript:alert(1)", "/\\other.test", ""]
        {
            assert!(source.page(elsewhere).is_err(), "{elsewhere}");
        }
    }
}
