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
    words: &'a MailTexts,
    site_url: &'a str,
}

#[derive(Template)]
#[template(path = "mail.txt")]
struct Text<'a> {
    words: &'a MailTexts,
    site_url: &'a str,
}

/// # Errors
/// Fails when the row's data does not fit its template.
pub fn write(mail: &Queued, site_url: &Url, token_life: TimeDelta) -> Result<RenderedMail, Unusable> {
    let words = wording::words(&mail.template, &mail.data, &mail.recipient, site_url, token_life)?;
    let site_url = site_url.as_str().trim_end_matches('/');
    let html = Html { words: &words, site_url }.render().map_err(|_| Unusable)?;
    let text = Text { words: &words, site_url }.render().map_err(|_| Unusable)?;
    let link = words.button.map(|button| button.link);
    Ok(RenderedMail { subject: words.subject, html, text, link, code: words.code })
}

/// The Message-ID derives from the row's id, so that mailboxes can recognize a duplicate.
///
/// # Errors
/// Fails when the recipient is not a valid address.
pub fn message(
    mail: &Queued,
    letter: &RenderedMail,
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
        .subject(letter.subject)
        .date(now.into())
        .message_id(Some(format!("<{}@{}>", mail.id, from.email.domain())))
        .raw_header(automatic)
        .multipart(MultiPart::alternative_plain_html(letter.text.clone(), letter.html.clone()))
        .map_err(|_| Unusable)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use uuid::Uuid;

    use super::*;

    const TOKEN_TEMPLATES: [&str; 6] =
        ["confirmation", "recovery", "magic_link", "email_change", "invite", "reauthentication"];

    fn letter(template: &str, data: Value) -> RenderedMail {
        let mail = Queued {
            id: Uuid::nil(),
            template: template.to_owned(),
            recipient: "aina@example.test".to_owned(),
            data,
            attempts: 1,
        };
        write(&mail, &Url::parse("https://serasi.test").unwrap(), TimeDelta::hours(1)).unwrap()
    }

    #[test]
    fn both_parts_hold_the_link_and_the_code() {
        let link = "https://serasi.test/auth/v1/verify?token=abc&type=signup";
        for template in TOKEN_TEMPLATES {
            let data = json!({ "link": link, "code": "428317", "new_email": "new@example.test" });
            let letter = letter(template, data);
            let escaped = link.replace('&', "&#38;");
            assert!(letter.html.contains(&format!("href=\"{escaped}\"")), "{template}: {}", letter.html);
            assert!(letter.html.contains("428317") && letter.text.contains("428317"), "{template}");
            assert!(letter.text.contains(link), "{template}: {}", letter.text);
            assert_eq!((letter.link.as_deref(), letter.code.as_deref()), (Some(link), Some("428317")));
        }
    }

    #[test]
    fn the_approval_mail_links_to_the_profile() {
        let id = Uuid::nil();
        let letter = letter("approved", json!({ "name": "Aina", "profile_id": id }));
        assert_eq!(letter.link, Some(format!("https://serasi.test/profile/{id}")));
        assert!(letter.text.contains("Hi Aina,") && letter.html.contains("Hi Aina,"));
    }

    #[test]
    fn user_input_is_escaped_in_html() {
        let name = "<img src=x onerror=alert(1)>\"'&";
        let letter = letter("approved", json!({ "name": name, "profile_id": Uuid::nil() }));
        assert!(!letter.html.contains("<img"), "{}", letter.html);
        assert!(letter.html.contains("&#60;img src=x"), "{}", letter.html);
        assert!(letter.text.contains(name), "plain text stays as it is");
    }

    #[test]
    fn nothing_is_fetched_when_a_mail_is_opened() {
        let html = letter("recovery", json!({ "link": "https://serasi.test/x" })).html;
        for fetching in ["src=", "url(", "<link", "@import", "<script"] {
            assert!(!html.contains(fetching), "{fetching}");
        }
    }

    #[test]
    fn a_recipient_cannot_inject_headers() {
        let from: Mailbox = "Serasi <no-reply@serasi.test>".parse().unwrap();
        let letter = letter("recovery", json!({ "code": "428317" }));
        for recipient in
            ["a@example.test\r\nBcc: b@example.test", "a@example.test, b@example.test", "a b@x.test"]
        {
            let mail = Queued {
                id: Uuid::nil(),
                template: "recovery".to_owned(),
                recipient: recipient.to_owned(),
                data: Value::Null,
                attempts: 1,
            };
            assert!(message(&mail, &letter, &from, DateTime::UNIX_EPOCH).is_err(), "{recipient:?}");
        }
    }
}
