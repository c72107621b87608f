//! The e-mails about admins' decisions: approvals and reports. Nobody can unsubscribe from them.

use mail::{MailTexts, Source, Unusable};
use serde::Deserialize;

use super::notice::Notice;

pub const APPROVED: &str = "approved";

#[derive(Deserialize)]
struct Approved {
    name: String,
    profile_id: uuid::Uuid,
}

/// `None` for a template of another part.
pub fn texts(source: Source<'_>) -> Option<Result<MailTexts, Unusable>> {
    if source.template == APPROVED {
        return Some(approved(source));
    }
    let write: fn(Source<'_>, &Notice) -> Result<MailTexts, Unusable> = match source.template {
        "report_decided" => decided,
        "content_moderated" => moderated,
        _ => return None,
    };
    Some(source.data().and_then(|notice| write(source, &notice)))
}

/// The subject of the decision. Every field may be missing.
#[derive(Deserialize)]
struct Subject {
    #[serde(default)]
    kind: String,
    #[serde(default)]
    reason: String,
    #[serde(default)]
    actions: Vec<String>,
}

impl Subject {
    fn noun(&self) -> &'static str {
        match self.kind.as_str() {
            "influencer" | "agency" | "vendor" => "profile",
            "gig" => "gig",
            "enquiry" => "enquiry",
            "application" => "application",
            "review" => "review",
            _ => "content",
        }
    }

    /// `None` for a reason in the reporter's own words.
    fn reason(&self) -> Option<&'static str> {
        Some(match self.reason.as_str() {
            "scam" | "words" => "it asks for money or looks like a scam",
            "fake" => "it pretends to be someone else",
            "spam" => "it is spam",
            "offensive" => "it is offensive or harassing",
            "illegal" => "it is illegal or unsafe",
            _ => return None,
        })
    }

    fn consequences(&self) -> impl Iterator<Item = String> {
        let sentence = |action: &String| {
            let sentence = match action.as_str() {
                "close_gig" => "We closed the gig. Only you and our admins can see it.",
                "cancel_enquiry" => "We cancelled the enquiry.",
                "hide_review" => "We hid the review. It no longer counts.",
                "block_sender" => "Your account can no longer send enquiries and applications.",
                _ => return None,
            };
            Some(sentence.to_owned())
        };
        self.actions.iter().filter_map(sentence)
    }
}

fn approved(source: Source<'_>) -> Result<MailTexts, Unusable> {
    let data: Approved = source.data()?;
    Ok(MailTexts {
        subject: "Your profile is approved".into(),
        preheader: "Brands can find you on Serasi now.".into(),
        paragraphs: vec![
            format!("Hi {},", data.name),
            "Your influencer profile is approved. It now appears in search, and brands can find you."
                .to_owned(),
        ],
        button: source.button("View your profile", &format!("/profile/{}", data.profile_id))?,
        ..MailTexts::default()
    })
}

fn decided(source: Source<'_>, notice: &Notice) -> Result<MailTexts, Unusable> {
    let title = notice.title_or("what you reported");
    let (preheader, paragraph) = if notice.is("upheld") {
        ("You were right.", format!("We looked into {title} and agree with your report."))
    } else {
        (
            "We left it as it is.",
            format!(
                "We looked into {title} and found nothing that breaks our rules, so we left it as it is."
            ),
        )
    };
    Ok(MailTexts {
        subject: "We decided about your report".into(),
        preheader: preheader.into(),
        paragraphs: vec![paragraph, "Thank you for telling us. We read every report.".to_owned()],
        button: source.button("Open Serasi", &notice.path)?,
        ..MailTexts::default()
    })
}

fn moderated(source: Source<'_>, notice: &Notice) -> Result<MailTexts, Unusable> {
    let subject: Subject = source.data()?;
    let noun = subject.noun();
    let title = notice.title.as_deref().map(|title| format!(" “{title}”")).unwrap_or_default();
    let why = subject.reason().map(|reason| format!(" because {reason}")).unwrap_or_default();
    let mut paragraphs =
        vec![format!("Somebody reported your {noun}{title}, and our admins upheld the report{why}.")];
    paragraphs.extend(subject.consequences());
    Ok(MailTexts {
        subject: format!("We upheld a report about your {noun}").into(),
        preheader: "See why, and what happens next.".into(),
        paragraphs,
        button: source.button("Open Serasi", &notice.path)?,
        ..MailTexts::default()
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use url::Url;

    use super::*;

    fn texts_of(template: &str, data: &Value) -> MailTexts {
        let site_url = Url::parse("https://serasi.test").unwrap();
        texts(Source { template, data, site_url: &site_url }).unwrap().unwrap()
    }

    #[test]
    fn the_approval_links_to_the_profile() {
        let id = uuid::Uuid::nil();
        let approval = texts_of("approved", &json!({ "name": "Aina", "profile_id": id }));
        assert_eq!(approval.button.unwrap().link, format!("https://serasi.test/profile/{id}"));
        assert_eq!(approval.paragraphs[0], "Hi Aina,");
    }

    #[test]
    fn the_reporter_learns_the_decision() {
        let data = |state| json!({ "kind": "gig", "title": "Hosts", "state": state, "path": "/gigs" });
        let upheld = texts_of("report_decided", &data("upheld"));
        assert_eq!(upheld.paragraphs[0], "We looked into “Hosts” and agree with your report.");
        assert_eq!(upheld.button.unwrap().link, "https://serasi.test/gigs");
        let dismissed = texts_of("report_decided", &data("dismissed"));
        assert!(dismissed.paragraphs[0].contains("nothing that breaks our rules"));
    }

    #[test]
    fn the_owner_learns_why_and_what_follows() {
        let texts = texts_of(
            "content_moderated",
            &json!({
                "kind": "gig", "title": "Hosts", "reason": "scam", "actions": ["block_sender", "close_gig"],
                "path": "/agency-dashboard"
            }),
        );
        assert_eq!(texts.subject, "We upheld a report about your gig");
        assert_eq!(
            texts.paragraphs,
            [
                "Somebody reported your gig “Hosts”, and our admins upheld the report because it asks for money or looks like a scam.",
                "Your account can no longer send enquiries and applications.",
                "We closed the gig. Only you and our admins can see it.",
            ]
        );
    }

    #[test]
    fn a_reason_in_own_words_is_not_repeated() {
        let data = json!({ "kind": "review", "state": "hidden", "reason": "A private remark", "path": "/collaborations" });
        let texts = texts_of("content_moderated", &data);
        assert_eq!(texts.paragraphs, ["Somebody reported your review, and our admins upheld the report."]);
    }

    #[test]
    fn every_reason_of_the_database_but_another_has_words() {
        let tables = include_str!("../../../db/marketplace/10_admins.sql");
        let list = tables.split("reports_reason_known check (reason in (").nth(1).unwrap();
        let reasons = list.split("))").next().unwrap().split('\'').skip(1).step_by(2);
        let unnamed: Vec<&str> = reasons
            .filter(|reason| {
                let subject =
                    Subject { kind: String::new(), reason: (*reason).to_owned(), actions: Vec::new() };
                subject.reason().is_none()
            })
            .collect();
        assert_eq!(unnamed, ["other"]);
    }
}
