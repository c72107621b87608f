//! Renders an outbox row, and builds the message for the SMTP server.

use askama::Template;
use chrono::{DateTime, TimeDelta, Utc};
use lettre::Message;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use url::Url;

use super::outbox::Queued;
use super::wording::{self, MailTexts, Unusable};

#[derive(Debug, Clone)]
pub struct RenderedMail {
    pub subject: &'static str,
    pub html: String,
    pub text: String,
    pub link: Option<String>,
    pub code: Option<String>,
}

#[derive(Template)]
#[template(path = "mail.html")]
struct Html<'a> {
    texts: &'a MailTexts,
    site_url: &'a str,
}

#[derive(Template)]
#[template(path = "mail.txt")]
struct Text<'a> {
    texts: &'a MailTexts,
    site_url: &'a str,
}

/// # Errors
/// Fails when the row's data does not fit its template.
pub fn render(mail: &Queued, site_url: &Url, token_life: TimeDelta) -> Result<RenderedMail, Unusable> {
    let texts = wording::texts(&mail.template, &mail.data, &mail.recipient, site_url, token_life)?;
    let site_url = site_url.as_str().trim_end_matches('/');
    let html = Html { texts: &texts, site_url }.render().map_err(|_| Unusable)?;
    let text = Text { texts: &texts, site_url }.render().map_err(|_| Unusable)?;
    let link = texts.button.map(|button| button.link);
    Ok(RenderedMail { subject: texts.subject, html, text, link, code: texts.code })
}

/// The Message-ID derives from the row's id, so that mailboxes can recognize a duplicate.
///
/// # Errors
/// Fails when the recipient is not a valid address.
pub fn message(
    mail: &Queued,
    rendered: &RenderedMail,
    from: &Mailbox,
    now: DateTime<Utc>,
) -> Result<Message, Unusable> {
    let recipient = Mailbox::new(None, mail.recipient.parse().map_err(|_| Unusable)?);
    // Keeps auto-responders from replying (RFC 3834).
    let automatic =
        HeaderValue::new(HeaderName::new_from_ascii_str("Auto-Submitted"), "auto-generated".to_owned());
    Message::builder()
        .from(from.clone())
        .to(recipient)
        .subject(rendered.subject)
        .date(now.into())
        .message_id(Some(format!("<{}@{}>", mail.id, from.email.domain())))
        .raw_header(automatic)
        .multipart(MultiPart::alternative_plain_html(rendered.text.clone(), rendered.html.clone()))
        .map_err(|_| Unusable)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use uuid::Uuid;

    use super::*;

    const TOKEN_TEMPLATES: [&str; 6] =
        ["confirmation", "recovery", "magic_link", "email_change", "invite", "reauthentication"];

    fn rendered(template: &str, data: Value) -> RenderedMail {
        let mail = Queued {
            id: Uuid::nil(),
            template: template.to_owned(),
            recipient: "aina@example.test".to_owned(),
            data,
            attempts: 1,
        };
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
    fn a_recipient_cannot_inject_headers() {
        let from: Mailbox = "Serasi <no-reply@serasi.test>".parse().unwrap();
        let recovery = rendered("recovery", json!({ "code": "428317" }));
        for recipient in
            ["a@example.test\r\nBcc: b@example.test", "a@example.test, b@example.test", "a b@x.test"]
        {
            let queued = Queued {
                id: Uuid::nil(),
                template: "recovery".to_owned(),
                recipient: recipient.to_owned(),
                data: Value::Null,
                attempts: 1,
            };
            assert!(message(&queued, &recovery, &from, DateTime::UNIX_EPOCH).is_err(), "{recipient:?}");
        }
    }
}
