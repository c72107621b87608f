//! Renders an outbox row as HTML and as plain text.

use std::borrow::Cow;

use askama::Template;
use chrono::TimeDelta;
use serde_json::Value;
use url::Url;

use super::outbox::Queued;
use super::texts::{MailTexts, Source, Unusable};
use super::wording;

/// Longer subjects are cut. Mail clients show far less.
const SUBJECT_CHARACTERS: usize = 150;

#[derive(Debug, Clone)]
pub struct RenderedMail {
    pub subject: String,
    pub html: String,
    pub text: String,
    pub link: Option<String>,
    pub code: Option<String>,
    pub unsubscribe: Option<Unsubscribe>,
}

/// How to unsubscribe from e-mails like this one. Missing in e-mails that can't be unsubscribed from.
#[derive(Debug, Clone)]
pub struct Unsubscribe {
    /// The address to which mail clients post (RFC 8058).
    pub one_click: String,
    /// The page for users. It asks for confirmation, because scanners follow links.
    pub page: String,
    pub settings: String,
}

#[derive(Template)]
#[template(path = "mail.html")]
struct Html<'a> {
    texts: &'a MailTexts,
    site_url: &'a str,
    unsubscribe: Option<&'a Unsubscribe>,
}

#[derive(Template)]
#[template(path = "mail.txt")]
struct Text<'a> {
    texts: &'a MailTexts,
    site_url: &'a str,
    unsubscribe: Option<&'a Unsubscribe>,
}

/// # Errors
/// Fails when the row's data does not fit its template.
pub fn render(mail: &Queued, site_url: &Url, token_life: TimeDelta) -> Result<RenderedMail, Unusable> {
    let source = Source { template: &mail.template, data: &mail.data, site_url };
    let mut texts = wording::texts(source, &mail.recipient, token_life)?.on_single_lines();
    texts.subject = shortened(texts.subject);
    let unsubscribe = unsubscribe(source)?;
    let unsubscribe = unsubscribe.as_ref();
    let site_url = site_url.as_str().trim_end_matches('/');
    let html = Html { texts: &texts, site_url, unsubscribe }.render().map_err(|_| Unusable)?;
    let text = Text { texts: &texts, site_url, unsubscribe }.render().map_err(|_| Unusable)?;
    Ok(RenderedMail {
        subject: texts.subject.into_owned(),
        html,
        text,
        link: texts.button.map(|button| button.link),
        code: texts.code,
        unsubscribe: unsubscribe.cloned(),
    })
}

fn shortened(subject: Cow<'static, str>) -> Cow<'static, str> {
    if subject.chars().count() <= SUBJECT_CHARACTERS {
        return subject;
    }
    subject.chars().take(SUBJECT_CHARACTERS - 1).chain(['…']).collect()
}

fn unsubscribe(source: Source<'_>) -> Result<Option<Unsubscribe>, Unusable> {
    let Some(token) = source.data.get("unsubscribe").and_then(Value::as_str) else { return Ok(None) };
    if !token.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return Err(Unusable);
    }
    Ok(Some(Unsubscribe {
        one_click: source.page(&format!("/functions/v1/unsubscribe?token={token}"))?,
        page: source.page(&format!("/unsubscribe?token={token}&kind={}", source.template))?,
        settings: source.page("/notifications#settings")?,
    }))
}

#[cfg(test)]
pub(super) mod tests {
    use chrono::DateTime;
    use serde_json::json;
    use uuid::Uuid;

    use super::*;
    use crate::mail::texts::{Fact, Item};

    const TOKEN_TEMPLATES: [&str; 6] =
        ["confirmation", "recovery", "magic_link", "email_change", "invite", "reauthentication"];

    pub fn queued(template: &str, recipient: &str, data: Value) -> Queued {
        let (template, recipient) = (template.to_owned(), recipient.to_owned());
        let (urgency, created_at, last_error) = (0, DateTime::UNIX_EPOCH, None);
        Queued { id: Uuid::nil(), template, recipient, data, attempts: 1, urgency, created_at, last_error }
    }

    pub fn rendered(template: &str, data: Value) -> RenderedMail {
        let mail = queued(template, "aina@example.test", data);
        render(&mail, &Url::parse("https://serasi.test").unwrap(), TimeDelta::hours(1)).unwrap()
    }

    #[test]
    fn both_parts_hold_the_link_and_the_code() {
        let link = "https://serasi.test/auth/v1/verify?token=abc&type=signup";
        for template in TOKEN_TEMPLATES {
            let data = json!({ "link": link, "code": "428317", "new_email": "new@example.test" });
            let mail = rendered(template, data);
            let escaped = link.replace('&', "&#38;");
            assert!(mail.html.contains(&format!("href=\"{escaped}\"")), "{template}: {}", mail.html);
            assert!(mail.html.contains("428317") && mail.text.contains("428317"), "{template}");
            assert!(mail.text.contains(link), "{template}: {}", mail.text);
            assert_eq!((mail.link.as_deref(), mail.code.as_deref()), (Some(link), Some("428317")));
        }
    }

    #[test]
    fn the_approval_mail_links_to_the_profile() {
        let id = Uuid::nil();
        let mail = rendered("approved", json!({ "name": "Aina", "profile_id": id }));
        assert_eq!(mail.link, Some(format!("https://serasi.test/profile/{id}")));
        assert!(mail.text.contains("Hi Aina,") && mail.html.contains("Hi Aina,"));
    }

    #[test]
    fn user_input_is_escaped_in_html() {
        let name = "<img src=x onerror=alert(1)>\"'&";
        let mail = rendered("approved", json!({ "name": name, "profile_id": Uuid::nil() }));
        assert!(!mail.html.contains("<img"), "{}", mail.html);
        assert!(mail.html.contains("&#60;img src=x"), "{}", mail.html);
        assert!(mail.text.contains(name), "plain text stays as it is");
    }

    #[test]
    fn nothing_is_fetched_when_a_mail_is_opened() {
        let html = rendered("recovery", json!({ "link": "https://serasi.test/x" })).html;
        for fetching in ["src=", "url(", "<link", "@import", "<script"] {
            assert!(!html.contains(fetching), "{fetching}");
        }
    }

    /// Gmail clips larger mails and drops linked styles. Outlook ignores background images and `max-width`. Clients
    /// that drop the `style` element still need everything but the dark colors.
    #[test]
    fn every_mail_fits_the_limits_of_gmail_and_outlook() {
        let data = json!({
            "link": "https://serasi.test/x", "code": "428317", "new_email": "new@example.test", "name": "Aina",
            "profile_id": Uuid::nil(),
        });
        for template in TOKEN_TEMPLATES.into_iter().chain(["approved"]) {
            let mail = rendered(template, data.clone());
            let html = mail.html;
            assert!(html.len() < 102_000, "{template}: {} bytes", html.len());
            for unsupported in ["background-image", "display:flex", "display:grid", "<img", "<form"] {
                assert!(!html.contains(unsupported), "{template}: {unsupported}");
            }
            for needed in
                ["<!--[if mso]><table role=\"presentation\" width=\"560\"", "max-width:560px", "bgcolor="]
            {
                assert!(html.contains(needed), "{template}: {needed}");
            }
            assert_eq!(html.matches("<table").count(), html.matches("<table role=\"presentation\"").count());
            assert_eq!(html.matches("<table").count(), html.matches("</table>").count(), "{template}");
            let styles = &html[html.find("<style>").unwrap()..html.find("</style>").unwrap()];
            let light = styles.split("@media (prefers-color-scheme: dark)").next().unwrap();
            assert!(!light.contains("background") && styles.len() > light.len(), "{template}: {styles}");
            assert!(!mail.text.trim().is_empty() && !mail.text.contains('<'), "{template}: {}", mail.text);
        }
    }

    /// The tiles are table cells, so that they are visible while a client blocks images.
    #[test]
    fn every_mail_starts_with_the_tiles() {
        let html = rendered("recovery", json!({ "code": "428317" })).html;
        assert_eq!(html.matches("height:56px").count() % 8, 0);
        assert!(html.find("height:56px").unwrap() < html.find("<h1").unwrap());
    }

    #[test]
    fn user_input_cannot_look_like_another_part() {
        let name = "Aina\r\n\r\nSign in again:\u{2028}https://other.test\u{202e}";
        let data = json!({ "name": name, "title": "Two\nreels", "text": "Gladly.\rYours,\nAina", "path": "/enquiries/1" });
        let mail = rendered("enquiry_answered", data);
        assert_eq!(mail.subject, "Aina Sign in again: https://other.test declined your enquiry");
        assert!(mail.text.starts_with("Aina Sign in again: https://other.test declined"), "{}", mail.text);
        assert!(mail.text.contains("Deliverables: Two reels\n"), "{}", mail.text);
        assert!(mail.text.contains("> Gladly. Yours,\n> Aina\n"), "{}", mail.text);
        assert!(!mail.html.contains('\u{202e}'));
    }

    #[test]
    fn facts_quotes_and_items_are_in_both_parts() {
        let texts = MailTexts {
            subject: "Summary".into(),
            preheader: "Short".into(),
            facts: vec![Fact { label: "Budget", value: "RM 500 to RM 900".to_owned() }],
            quote: Some("Two reels,\nplease <now>".to_owned()),
            items: vec![
                Item {
                    text: "Aina answered".to_owned(),
                    link: Some("https://serasi.test/enquiries/1".to_owned()),
                },
                Item { text: "A gig closed".to_owned(), link: None },
            ],
            ..MailTexts::default()
        };
        let (texts, site_url) = (&texts, "https://serasi.test");
        let html = Html { texts, site_url, unsubscribe: None }.render().unwrap();
        let text = Text { texts, site_url, unsubscribe: None }.render().unwrap();
        for part in
            ["Budget", "RM 500 to RM 900", "Aina answered", "https://serasi.test/enquiries/1", "A gig closed"]
        {
            assert!(html.contains(part) && text.contains(part), "{part}: {text}");
        }
        assert!(html.contains("Two reels,<br>please &#60;now&#62;"), "{html}");
        assert!(text.contains("> Two reels,\n> please <now>"), "{text}");
    }
}
