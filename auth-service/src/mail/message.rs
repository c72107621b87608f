//! Builds the message of a rendered e-mail.

use chrono::{DateTime, Utc};
use lettre::Message;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};

use super::outbox::Queued;
use super::rendering::{RenderedMail, Unsubscribe};
use super::texts::Unusable;

/// The Message-ID derives from the row's id, so that mailboxes can recognize a duplicate.
///
/// # Errors
/// Fails when the recipient is not a valid address.
pub fn build(
    mail: &Queued,
    rendered: &RenderedMail,
    from: &Mailbox,
    now: DateTime<Utc>,
) -> Result<Message, Unusable> {
    let recipient = Mailbox::new(None, mail.recipient.parse().map_err(|_| Unusable)?);
    let header =
        |name: &'static str, value: String| HeaderValue::new(HeaderName::new_from_ascii_str(name), value);
    // Keeps auto-responders from replying (RFC 3834).
    let mut builder = Message::builder()
        .from(from.clone())
        .to(recipient)
        .subject(rendered.subject.clone())
        .date(now.into())
        .message_id(Some(format!("<{}@{}>", mail.id, from.email.domain())))
        .raw_header(header("Auto-Submitted", "auto-generated".to_owned()));
    if let Some(Unsubscribe { one_click, .. }) = &rendered.unsubscribe {
        builder = builder
            .raw_header(header("List-Unsubscribe", format!("<{one_click}>")))
            .raw_header(header("List-Unsubscribe-Post", "List-Unsubscribe=One-Click".to_owned()));
    }
    builder
        .multipart(MultiPart::alternative_plain_html(rendered.text.clone(), rendered.html.clone()))
        .map_err(|_| Unusable)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::mail::rendering::tests::{queued, rendered};

    #[test]
    fn a_name_cannot_inject_headers_or_fill_the_subject() {
        let name = format!("Aina\r\nBcc: other@example.test\r\n\r\n{}", "x".repeat(200));
        let mail = rendered("enquiry_received", json!({ "name": name, "path": "/enquiries/1" }));
        assert!(mail.subject.starts_with("Aina Bcc: other@example.test xxx") && mail.subject.ends_with('…'));
        assert_eq!(mail.subject.chars().count(), 150);
        assert!(!head_of("enquiry_received", &mail).contains("\r\nBcc:"));
    }

    #[test]
    fn mail_clients_and_people_can_unsubscribe() {
        let data = json!({ "name": "Aina", "path": "/enquiries/1", "unsubscribe": "abc123" });
        let mail = rendered("enquiry_received", data);
        let head = head_of("enquiry_received", &mail);
        let one_click = "https://serasi.test/functions/v1/unsubscribe?token=abc123";
        assert!(head.contains(&format!("\r\nList-Unsubscribe: <{one_click}>\r\n")), "{head}");
        assert!(head.contains("\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"), "{head}");
        let page = "https://serasi.test/unsubscribe?token=abc123&kind=enquiry_received";
        assert!(mail.text.contains(page) && mail.html.contains(&page.replace('&', "&#38;")), "{}", mail.html);
        assert!(!mail.html.contains(one_click), "a link that acts at once is for mail clients only");
    }

    #[test]
    fn security_and_moderation_mails_can_not_be_unsubscribed_from() {
        for (template, data) in
            [("recovery", json!({ "code": "428317" })), ("report_decided", json!({ "path": "/account" }))]
        {
            let mail = rendered(template, data);
            assert!(!head_of(template, &mail).contains("List-Unsubscribe"), "{template}");
            assert!(!mail.text.contains("nsubscribe") && !mail.html.contains("nsubscribe"), "{template}");
        }
    }

    /// The headers of the message.
    fn head_of(template: &str, mail: &RenderedMail) -> String {
        let from: Mailbox = "Serasi <no-reply@serasi.test>".parse().unwrap();
        let queued = queued(template, "aina@example.test", Value::Null);
        let message = build(&queued, mail, &from, DateTime::UNIX_EPOCH).unwrap().formatted();
        String::from_utf8(message).unwrap().split("\r\n\r\n").next().unwrap().to_owned() + "\r\n"
    }

    #[test]
    fn a_recipient_cannot_inject_headers() {
        let from: Mailbox = "Serasi <no-reply@serasi.test>".parse().unwrap();
        let recovery = rendered("recovery", json!({ "code": "428317" }));
        for recipient in
            ["a@example.test\r\nBcc: b@example.test", "a@example.test, b@example.test", "a b@x.test"]
        {
            let queued = queued("recovery", recipient, Value::Null);
            assert!(build(&queued, &recovery, &from, DateTime::UNIX_EPOCH).is_err(), "{recipient:?}");
        }
    }
}
