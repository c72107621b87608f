//! Builds the message of a rendered e-mail.

use chrono::{DateTime, Utc};
use lettre::Message;
use lettre::message::header::{HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};

use crate::layout::Rendered;
use crate::outbox::Queued;
use crate::texts::Unusable;

/// The Message-ID derives from the row's id, so that mailboxes can recognize a duplicate.
///
/// # Errors
/// Fails when the recipient is not a valid address.
pub fn build(
    mail: &Queued,
    rendered: &Rendered,
    from: &Mailbox,
    now: DateTime<Utc>,
) -> Result<Message, Unusable> {
    // No account has an address that needs SMTPUTF8, which few servers offer.
    let recipient = mail.recipient.parse().ok().filter(|_| mail.recipient.is_ascii());
    let recipient = Mailbox::new(None, recipient.ok_or(Unusable)?);
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
    if let Some(one_click) = &rendered.one_click {
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
    use serde_json::Value;
    use uuid::Uuid;

    use super::*;

    fn built(recipient: &str, one_click: Option<&str>) -> Result<String, Unusable> {
        let mail = Queued {
            id: Uuid::nil(),
            template: "recovery".to_owned(),
            recipient: recipient.to_owned(),
            data: Value::Null,
            attempts: 1,
            urgency: 0,
            created_at: DateTime::UNIX_EPOCH,
            last_error: None,
        };
        let rendered = Rendered {
            subject: "Set a new password".to_owned(),
            html: "<p>428317</p>".to_owned(),
            text: "428317".to_owned(),
            link: None,
            code: None,
            one_click: one_click.map(str::to_owned),
        };
        let from: Mailbox = "Serasi <no-reply@serasi.test>".parse().unwrap();
        let message = build(&mail, &rendered, &from, DateTime::UNIX_EPOCH)?.formatted();
        Ok(String::from_utf8(message).unwrap().split("\r\n\r\n").next().unwrap().to_owned() + "\r\n")
    }

    #[test]
    fn mail_clients_can_unsubscribe_where_it_is_possible() {
        let one_click = "https://serasi.test/unsubscribe?token=abc123";
        let head = built("aina@example.test", Some(one_click)).unwrap();
        assert!(head.contains(&format!("\r\nList-Unsubscribe: <{one_click}>\r\n")), "{head}");
        assert!(head.contains("\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"), "{head}");
        assert!(!built("aina@example.test", None).unwrap().contains("List-Unsubscribe"));
    }

    #[test]
    fn a_recipient_cannot_inject_headers() {
        for recipient in
            ["a@example.test\r\nBcc: b@example.test", "a@example.test, b@example.test", "a b@x.test"]
        {
            assert!(built(recipient, None).is_err(), "{recipient:?}");
        }
    }
}
