//! The texts of each template, with one file per part of the product. A template is named like the kind of its
//! notification.

mod accounts;
mod applications;
mod collaborations;
mod enquiries;
mod factors;
mod notifications;
mod trust;

use chrono::TimeDelta;

use super::texts::{MailTexts, Source, Unusable};
use crate::domain::mail_template::MailTemplate;

/// `None` for a template of another part.
type Part = fn(Source<'_>) -> Option<Result<MailTexts, Unusable>>;

/// Notifications about enquiries, applications and so on. Their subjects are also the lines of the digest.
const NOTIFICATIONS: [Part; 5] =
    [enquiries::texts, applications::texts, collaborations::texts, trust::texts, factors::texts];

/// # Errors
/// Fails when the template is unknown, or the data does not fit it.
pub fn texts(source: Source<'_>, recipient: &str, token_life: TimeDelta) -> Result<MailTexts, Unusable> {
    if let Some(account) = MailTemplate::named(source.template) {
        return accounts::texts(account, source, recipient, token_life);
    }
    if source.template == notifications::DIGEST {
        return notifications::digest(source, notification);
    }
    notification(source)
}

fn notification(source: Source<'_>) -> Result<MailTexts, Unusable> {
    NOTIFICATIONS.iter().find_map(|part| part(source)).unwrap_or(Err(Unusable))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use url::Url;

    use super::*;

    fn texts_of(template: &str, data: &Value) -> Result<MailTexts, Unusable> {
        let site_url = Url::parse("https://serasi.test").unwrap();
        texts(Source { template, data, site_url: &site_url }, "aina@example.test", TimeDelta::hours(1))
    }

    /// The rows of serasi.mail_templates.
    fn templates() -> Vec<&'static str> {
        let backend = include_str!("../../../db/backend/07_mail.sql");
        let marketplace = include_str!("../../../db/marketplace/09_notifications.sql");
        let rows = [backend, marketplace].map(|tables| {
            tables.split("insert into serasi.mail_templates").nth(1).unwrap().split(';').next().unwrap()
        });
        let lists = rows.into_iter().flat_map(|rows| rows.split(['{', '}']).skip(1).step_by(2));
        lists.flat_map(|list| list.split(',')).collect()
    }

    #[test]
    fn every_template_of_the_database_has_texts() {
        let data = json!({
            "name": "Aina", "title": "Raya launch", "state": "accepted", "path": "/enquiries/1",
            "code": "123456", "new_email": "new@example.test", "profile_id": uuid::Uuid::nil(),
            "items": [{ "kind": "enquiry_received", "data": { "name": "Aina", "path": "/enquiries/1" } }],
        });
        assert!(templates().len() > 25);
        for template in templates() {
            let texts = texts_of(template, &data).unwrap_or_else(|_| panic!("{template}"));
            assert!(!texts.subject.is_empty() && !texts.preheader.is_empty(), "{template}");
        }
    }

    #[test]
    fn an_unknown_template_is_rejected() {
        assert!(texts_of("spam", &json!({ "code": "123456" })).is_err());
    }
}
