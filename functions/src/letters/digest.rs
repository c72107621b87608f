//! The daily digest of notifications.

use mail::{Item, MailTexts, Source, Unusable};
use serde::Deserialize;
use serde_json::Value;

pub const DIGEST: &str = "digest";

#[derive(Deserialize)]
struct Digest {
    items: Vec<Entry>,
    /// The number of notifications that are not listed.
    #[serde(default)]
    more: u64,
}

#[derive(Deserialize)]
struct Entry {
    kind: String,
    data: Value,
}

/// Each line is the subject that the notification's own e-mail would have, which `written` returns.
///
/// # Errors
/// Fails when no line can be written.
pub fn digest(
    source: Source<'_>,
    written: impl Fn(Source<'_>) -> Result<MailTexts, Unusable>,
) -> Result<MailTexts, Unusable> {
    let digest: Digest = source.data()?;
    let line = |entry: &Entry| {
        let texts = written(Source { template: &entry.kind, data: &entry.data, ..source }).ok()?;
        Some(Item { text: texts.subject.into_owned(), link: texts.button.map(|button| button.link) })
    };
    let items: Vec<Item> = digest.items.iter().filter_map(line).collect();
    let preheader = items.first().ok_or(Unusable)?.text.clone();
    let subject = match u64::try_from(items.len()).unwrap_or_default() + digest.more {
        1 => "One new notification".to_owned(),
        many => format!("{many} new notifications"),
    };
    let more = (digest.more > 0).then(|| format!("And {} more.", digest.more));
    Ok(MailTexts {
        subject: subject.into(),
        preheader: preheader.into(),
        paragraphs: vec!["This happened since your last summary:".to_owned()],
        items,
        button: source.button("See all notifications", "/notifications")?,
        note: more,
        ..MailTexts::default()
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use url::Url;

    use super::*;

    fn digest_of(data: &Value) -> Result<MailTexts, Unusable> {
        let site_url = Url::parse("https://serasi.test").unwrap();
        digest(Source { template: DIGEST, data, site_url: &site_url }, |entry| {
            let subject: String = entry.data()?;
            Ok(MailTexts {
                subject: subject.into(),
                button: entry.button("Open", "/enquiries/1")?,
                ..MailTexts::default()
            })
        })
    }

    #[test]
    fn lines_are_the_subjects_of_the_e_mails() {
        let entries = json!([{ "kind": "a", "data": "One" }, { "kind": "b", "data": {} }, { "kind": "c", "data": "Two" }]);
        let texts = digest_of(&json!({ "items": entries, "more": 3 })).unwrap();
        assert_eq!(texts.subject, "5 new notifications");
        assert_eq!(texts.items.iter().map(|item| item.text.as_str()).collect::<Vec<_>>(), ["One", "Two"]);
        assert_eq!(texts.items[0].link.as_deref(), Some("https://serasi.test/enquiries/1"));
        assert_eq!(texts.note.as_deref(), Some("And 3 more."));
        assert_eq!(texts.button.unwrap().link, "https://serasi.test/notifications");
    }

    #[test]
    fn an_empty_digest_is_rejected() {
        assert!(digest_of(&json!({ "items": [] })).is_err());
    }
}
