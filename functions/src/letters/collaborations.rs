//! The e-mails about collaborations and reviews. Guests' templates are named `guest_…`; their path needs no
//! account.

use chrono::{DateTime, Utc};
use mail::{Fact, MailTexts, Source, Unusable};
use serde::Deserialize;

use super::notice::{Notice, in_malaysia};

/// `None` for a template of another part.
pub fn texts(source: Source<'_>) -> Option<Result<MailTexts, Unusable>> {
    let write: fn(Source<'_>, &Notice) -> Result<MailTexts, Unusable> = match source.template {
        "collaboration_completed" => completed,
        "collaboration_cancelled" | "guest_collaboration_ended" => cancelled,
        "review_invited" => invited,
        "guest_review" => guest_invited,
        "review_published" => published,
        "review_replied" => replied,
        _ => return None,
    };
    Some(source.data().and_then(|notice| write(source, &notice)))
}

/// When the work is completed automatically, and when the time to review it ends.
#[derive(Deserialize)]
struct Deadline {
    completes_at: Option<DateTime<Utc>>,
    until: Option<DateTime<Utc>>,
}

fn date(label: &'static str, time: Option<DateTime<Utc>>) -> Vec<Fact> {
    time.map(|time| Fact { label, value: in_malaysia(time, "%-d %B %Y") }).into_iter().collect()
}

/// Asks one side to confirm that the work is completed, as the other one says.
fn completed(source: Source<'_>, notice: &Notice) -> Result<MailTexts, Unusable> {
    let (name, title) = (notice.name(), notice.title_or("your collaboration"));
    let Deadline { completes_at, .. } = source.data()?;
    Ok(MailTexts {
        subject: format!("{name} says that your work is completed").into(),
        preheader: "Confirm it, or say why not.".into(),
        paragraphs: vec![format!(
            "{name} marked {title} as completed. If you agree, mark it as completed, too. If the work is not done, cancel it and say why. Without an answer, it is completed automatically."
        )],
        facts: date("Completed automatically on", completes_at),
        button: source.button("See the collaboration", &notice.path)?,
        ..MailTexts::default()
    })
}

#[derive(Deserialize)]
struct Cancellation {
    by: Option<String>,
    reason: Option<String>,
}

fn cancelled(source: Source<'_>, notice: &Notice) -> Result<MailTexts, Unusable> {
    let (name, title) = (notice.name(), notice.title_or("your collaboration"));
    let Cancellation { by, reason } = source.data()?;
    let paragraph = match by.as_deref() {
        Some("admin") => format!("An admin cancelled {title} with {name}."),
        Some("deletion") => format!("{title} was cancelled, because the other side deleted its profile."),
        _ => format!("{name} cancelled {title}."),
    };
    let label = if source.template == "guest_collaboration_ended" {
        "Find influencers"
    } else {
        "See the collaboration"
    };
    Ok(MailTexts {
        subject: format!("Your work with {name} was cancelled").into(),
        preheader: "See the reason.".into(),
        paragraphs: vec![paragraph],
        quote: reason,
        button: source.button(label, &notice.path)?,
        ..MailTexts::default()
    })
}

fn invited(source: Source<'_>, notice: &Notice) -> Result<MailTexts, Unusable> {
    let (name, title) = (notice.name(), notice.title_or("Your collaboration"));
    let Deadline { until, .. } = source.data()?;
    Ok(MailTexts {
        subject: format!("How was working with {name}?").into(),
        preheader: "You have 14 days to write a review.".into(),
        paragraphs: vec![format!(
            "{title} is completed. Write a review of your work with {name}. It appears when both of you have written, or after 14 days."
        )],
        facts: date("Review until", until),
        button: source.button("Write a review", &notice.path)?,
        ..MailTexts::default()
    })
}

/// Before the guest has agreed that the work is completed, the review is also the answer.
fn guest_invited(source: Source<'_>, notice: &Notice) -> Result<MailTexts, Unusable> {
    if notice.is("completed") {
        return invited(source, notice);
    }
    let (name, title) = (notice.name(), notice.title_or("your collaboration"));
    let Deadline { completes_at, .. } = source.data()?;
    Ok(MailTexts {
        subject: format!("How was working with {name}?").into(),
        preheader: "Confirm that the work is completed, and write a review.".into(),
        paragraphs: vec![format!(
            "{name} marked {title} as completed. If you agree, write a review. If the work is not done, open the same page and cancel it. Without an answer, it is completed automatically."
        )],
        facts: date("Completed automatically on", completes_at),
        button: source.button("Write a review", &notice.path)?,
        note: Some("Only you have this link. It needs no account.".into()),
        ..MailTexts::default()
    })
}

#[derive(Deserialize)]
struct Stars {
    rating: Option<u8>,
}

fn published(source: Source<'_>, notice: &Notice) -> Result<MailTexts, Unusable> {
    let (name, title) = (notice.name(), notice.title_or("your collaboration"));
    let Stars { rating: stars } = source.data()?;
    let rating = |stars: u8| Fact { label: "Rating", value: format!("{stars} of 5 stars") };
    Ok(MailTexts {
        subject: format!("{name} reviewed you").into(),
        preheader: "Read the review, and reply.".into(),
        paragraphs: vec![format!(
            "{name} reviewed your work on {title}. You can reply once, within 28 days."
        )],
        facts: stars.map(rating).into_iter().collect(),
        button: source.button("Read the review", &notice.path)?,
        ..MailTexts::default()
    })
}

fn replied(source: Source<'_>, notice: &Notice) -> Result<MailTexts, Unusable> {
    let (name, title) = (notice.name(), notice.title_or("your collaboration"));
    Ok(MailTexts {
        subject: format!("{name} replied to your review").into(),
        preheader: "Read the reply.".into(),
        paragraphs: vec![format!("{name} replied to your review of {title}.")],
        button: source.button("Read the reply", &notice.path)?,
        ..MailTexts::default()
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use url::Url;

    use super::*;

    fn written(template: &str, more: &Value) -> MailTexts {
        let site_url = Url::parse("https://serasi.test").unwrap();
        let mut data = json!({ "name": "Aina", "title": "Raya reel", "path": "/collaborations" });
        data.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        texts(Source { template, data: &data, site_url: &site_url }).unwrap().unwrap()
    }

    #[test]
    fn dates_are_those_of_malaysia() {
        let mail =
            written("collaboration_completed", &json!({ "completes_at": "2026-03-01T17:00:00+00:00" }));
        assert_eq!(mail.facts[0].value, "2 March 2026");
        assert_eq!(mail.button.unwrap().link, "https://serasi.test/collaborations");
    }

    #[test]
    fn a_cancellation_says_who_and_why() {
        let by = |by: &str| written("collaboration_cancelled", &json!({ "by": by, "reason": "No time" }));
        assert_eq!(by("client").paragraphs, ["Aina cancelled “Raya reel”."]);
        assert_eq!(by("admin").paragraphs, ["An admin cancelled “Raya reel” with Aina."]);
        assert_eq!(by("client").quote.as_deref(), Some("No time"));
    }

    #[test]
    fn a_guest_is_asked_before_the_work_is_completed_and_invited_afterwards() {
        let path = "/review/1#token=secret";
        let before = written("guest_review", &json!({ "state": "accepted", "path": path }));
        assert!(before.paragraphs[0].starts_with("Aina marked “Raya reel” as completed."));
        assert_eq!(before.button.unwrap().link, "https://serasi.test/review/1#token=secret");
        let after = written("guest_review", &json!({ "state": "completed", "path": path }));
        assert!(after.paragraphs[0].starts_with("“Raya reel” is completed."));
    }

    #[test]
    fn a_review_has_its_stars() {
        let mail = written("review_published", &json!({ "rating": 4 }));
        assert_eq!(mail.facts[0].value, "4 of 5 stars");
    }
}
