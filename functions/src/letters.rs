//! The marketplace's e-mails, with one file per part of the product. A template is named like the kind of its notification.

mod applications;
mod collaborations;
mod digest;
mod enquiries;
mod notice;
mod trust;

use std::time::Duration;

use chrono::TimeDelta;
use futures::future::BoxFuture;
use mail::{Admission, Letters, MailTexts, Queued, Rendered, Source, Unsubscribe, Unusable};
use platform::clock::Clock;
use platform::database::PgConnection;
use serde_json::Value;

/// Age at which delivery is given up, because the news is outdated.
const LIFE: TimeDelta = TimeDelta::days(3);

/// `None` for a template of another part.
type Part = fn(Source<'_>) -> Option<Result<MailTexts, Unusable>>;

/// Notifications about enquiries, applications and so on. Their subjects are also the lines of the digest.
const NOTIFICATIONS: [Part; 4] = [enquiries::texts, applications::texts, collaborations::texts, trust::texts];

pub struct MarketplaceLetters {
    pub mail: mail::Config,
    pub clock: Clock,
}

impl Letters for MarketplaceLetters {
    fn render(&self, mail: &Queued) -> Result<Rendered, Unusable> {
        let source = Source { template: &mail.template, data: &mail.data, site_url: &self.mail.site_url };
        let texts = match source.template {
            digest::DIGEST => digest::digest(source, notification),
            _ => notification(source),
        };
        self.mail.lay_out(texts?, unsubscribe(source)?)
    }

    /// Approvals never become too old.
    fn life(&self, mail: &Queued) -> Option<TimeDelta> {
        (mail.template != trust::APPROVED).then_some(LIFE)
    }

    /// Notifications have an hourly allowance, per mailbox and in total, which all replicas share.
    fn admit<'a>(
        &'a self,
        connection: &'a mut PgConnection,
        mail: &'a Queued,
    ) -> BoxFuture<'a, sqlx::Result<Admission>> {
        Box::pin(async {
            let Some(per_hour) = self.mail.notifications_per_hour else { return Ok(Admission::Granted) };
            let admit = sqlx::query_as("select mailbox, total from app.admit_mail($1, $2, $3)")
                .bind(&mail.recipient)
                .bind(i32::try_from(per_hour.get()).unwrap_or(i32::MAX))
                .bind(self.clock.now());
            let (mailbox, total): (Option<f64>, Option<f64>) = admit.fetch_one(connection).await?;
            Ok(match (mailbox, total) {
                (Some(seconds), _) => Admission::MailboxFull(seconds),
                (None, Some(seconds)) => {
                    Admission::AllWait(Duration::try_from_secs_f64(seconds).unwrap_or_default())
                }
                (None, None) => Admission::Granted,
            })
        })
    }
}

fn notification(source: Source<'_>) -> Result<MailTexts, Unusable> {
    NOTIFICATIONS.iter().find_map(|part| part(source)).unwrap_or(Err(Unusable))
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
mod tests {
    use chrono::DateTime;
    use platform::env::Env;
    use serde_json::json;
    use url::Url;
    use uuid::Uuid;

    use super::*;

    fn rendered(template: &str, data: Value) -> Result<Rendered, Unusable> {
        let site_url = Url::parse("https://serasi.test").unwrap();
        let mail = mail::Config::from_env(&Env::default(), &site_url).unwrap();
        let letters = MarketplaceLetters { mail, clock: Clock::system() };
        letters.render(&Queued {
            id: Uuid::nil(),
            template: template.to_owned(),
            recipient: "aina@example.test".to_owned(),
            data,
            attempts: 1,
            urgency: 1,
            created_at: DateTime::UNIX_EPOCH,
            last_error: None,
        })
    }

    /// The rows that the marketplace adds to serasi.mail_templates.
    fn templates() -> Vec<&'static str> {
        let tables = include_str!("../../db/marketplace/09_notifications.sql");
        let rows =
            tables.split("insert into serasi.mail_templates").nth(1).unwrap().split(';').next().unwrap();
        rows.split(['{', '}']).skip(1).step_by(2).flat_map(|list| list.split(',')).collect()
    }

    #[test]
    fn every_template_of_the_database_has_texts() {
        let data = json!({
            "name": "Aina", "title": "Raya launch", "state": "accepted", "path": "/enquiries/1",
            "profile_id": Uuid::nil(),
            "items": [{ "kind": "enquiry_received", "data": { "name": "Aina", "path": "/enquiries/1" } }],
        });
        assert!(templates().len() > 17, "{:?}", templates());
        for template in templates() {
            let mail = rendered(template, data.clone()).unwrap_or_else(|_| panic!("{template}"));
            assert!(!mail.subject.is_empty() && mail.html.len() < 102_000, "{template}");
        }
        assert!(rendered("spam", data).is_err());
    }

    #[test]
    fn people_can_unsubscribe_from_notifications() {
        let data = json!({ "name": "Aina", "path": "/enquiries/1", "unsubscribe": "abc123" });
        let mail = rendered("enquiry_received", data).unwrap();
        let one_click = "https://serasi.test/functions/v1/unsubscribe?token=abc123";
        assert_eq!(mail.one_click.as_deref(), Some(one_click));
        let page = "https://serasi.test/unsubscribe?token=abc123&kind=enquiry_received";
        assert!(mail.text.contains(page) && mail.html.contains(&page.replace('&', "&#38;")), "{}", mail.html);
        assert!(!mail.html.contains(one_click), "a link that acts at once is for mail clients only");

        let decision = rendered("report_decided", json!({ "path": "/account" })).unwrap();
        assert_eq!(decision.one_click, None);
        assert!(!decision.text.contains("nsubscribe") && !decision.html.contains("nsubscribe"));
    }

    #[test]
    fn a_name_cannot_inject_headers_or_look_like_another_part() {
        let name = format!("Aina\r\nBcc: other@example.test\r\n\r\n{}", "x".repeat(200));
        let mail = rendered("enquiry_received", json!({ "name": name, "path": "/enquiries/1" })).unwrap();
        assert!(mail.subject.starts_with("Aina Bcc: other@example.test xxx") && mail.subject.ends_with('…'));
        assert_eq!(mail.subject.chars().count(), 150);

        let name = "Aina\r\n\r\nSign in again:\u{2028}https://other.test\u{202e}";
        let data = json!({ "name": name, "title": "Two\nreels", "text": "Gladly.\rYours,\nAina", "path": "/enquiries/1" });
        let mail = rendered("enquiry_answered", data).unwrap();
        assert_eq!(mail.subject, "Aina Sign in again: https://other.test declined your enquiry");
        assert!(mail.text.starts_with("Aina Sign in again: https://other.test declined"), "{}", mail.text);
        assert!(mail.text.contains("Deliverables: Two reels\n"), "{}", mail.text);
        assert!(mail.text.contains("> Gladly. Yours,\n> Aina\n"), "{}", mail.text);
    }
}
