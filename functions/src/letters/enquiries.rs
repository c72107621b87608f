//! The e-mails about enquiries. Guests' templates are named `guest_…`; their path is a link that needs no
//! account.

use chrono::{DateTime, Utc};
use mail::{Fact, MailTexts, Source, Unusable};
use serde::Deserialize;

use super::notice::{Notice, in_malaysia};

/// `None` for a template of another part.
pub fn texts(source: Source<'_>) -> Option<Result<MailTexts, Unusable>> {
    let write: fn(Source<'_>, &Notice) -> Result<MailTexts, Unusable> = match source.template {
        "enquiry_received" => received,
        "enquiry_reminder" => reminder,
        "enquiry_answered" | "guest_enquiry_answered" => answered,
        "enquiry_withdrawn" => withdrawn,
        "enquiry_expired" | "guest_enquiry_expired" => expired,
        "guest_enquiry_confirm" => guest_confirm,
        _ => return None,
    };
    Some(source.data().and_then(|notice| write(source, &notice)))
}

/// A summary of the brief, on one line.
fn deliverables(notice: &Notice) -> Vec<Fact> {
    let fact = |title: &String| Fact { label: "Deliverables", value: title.clone() };
    notice.title.as_ref().map(fact).into_iter().collect()
}

fn received(source: Source<'_>, notice: &Notice) -> Result<MailTexts, Unusable> {
    let name = notice.name();
    Ok(MailTexts {
        subject: format!("{name} sent you an enquiry").into(),
        preheader: "Read the brief, then accept or decline it.".into(),
        paragraphs: vec![format!(
            "{name} would like to work with you. Read the brief, then accept or decline it within 7 days. Your e-mail address is shown only if you accept."
        )],
        facts: deliverables(notice),
        button: source.button("Read the enquiry", &notice.path)?,
        note: Some("Never pay to get work. Honest clients don't ask for a deposit or a fee.".into()),
        ..MailTexts::default()
    })
}

#[derive(Deserialize)]
struct Waiting {
    expires_at: Option<DateTime<Utc>>,
}

fn reminder(source: Source<'_>, notice: &Notice) -> Result<MailTexts, Unusable> {
    let name = notice.name();
    let Waiting { expires_at } = source.data()?;
    let until = |time| Fact { label: "Answer until", value: in_malaysia(time, "%-d %B %Y, %H:%M") };
    let mut facts = deliverables(notice);
    facts.extend(expires_at.map(until));
    Ok(MailTexts {
        subject: format!("{name} is waiting for your answer").into(),
        preheader: "The enquiry expires 7 days after it was sent.".into(),
        paragraphs: vec![format!(
            "{name} sent you an enquiry that you have not answered yet. It expires if you don't."
        )],
        facts,
        button: source.button("Answer the enquiry", &notice.path)?,
        ..MailTexts::default()
    })
}

#[derive(Deserialize)]
struct Answer {
    text: Option<String>,
}

fn answered(source: Source<'_>, notice: &Notice) -> Result<MailTexts, Unusable> {
    let name = notice.name();
    let Answer { text } = source.data()?;
    let (answer, paragraph) = if notice.is("accepted") {
        ("accepted", format!("{name} accepted your enquiry. You can see each other's e-mail address now."))
    } else {
        ("declined", format!("{name} declined your enquiry. There are other influencers to write to."))
    };
    Ok(MailTexts {
        subject: format!("{name} {answer} your enquiry").into(),
        preheader: "Read the answer.".into(),
        paragraphs: vec![paragraph],
        facts: deliverables(notice),
        quote: text,
        button: source.button("Read the answer", &notice.path)?,
        ..MailTexts::default()
    })
}

fn withdrawn(source: Source<'_>, notice: &Notice) -> Result<MailTexts, Unusable> {
    let name = notice.name();
    if notice.is("cancelled") {
        return Ok(MailTexts {
            subject: format!("We cancelled an enquiry from {name}").into(),
            preheader: "You don't need to answer it.".into(),
            paragraphs: vec![format!(
                "Our admins cancelled the enquiry from {name}, because it breaks our rules. You don't need to answer it."
            )],
            button: source.button("See the enquiry", &notice.path)?,
            ..MailTexts::default()
        });
    }
    Ok(MailTexts {
        subject: format!("{name} withdrew an enquiry").into(),
        preheader: "You don't need to answer it.".into(),
        paragraphs: vec![format!("{name} withdrew the enquiry. You don't need to answer it.")],
        facts: deliverables(notice),
        button: source.button("See the enquiry", &notice.path)?,
        ..MailTexts::default()
    })
}

fn expired(source: Source<'_>, notice: &Notice) -> Result<MailTexts, Unusable> {
    let name = notice.name();
    Ok(MailTexts {
        subject: format!("Your enquiry to {name} expired").into(),
        preheader: "It was not answered in time.".into(),
        paragraphs: vec![format!(
            "{name} did not answer your enquiry in time, so it expired. You can write again, or write to someone else."
        )],
        facts: deliverables(notice),
        button: source.button("See the enquiry", &notice.path)?,
        ..MailTexts::default()
    })
}

#[derive(Deserialize)]
struct Others {
    #[serde(default)]
    others: u32,
}

/// Contains nothing that the sender typed, because the address may belong to someone else.
fn guest_confirm(source: Source<'_>, notice: &Notice) -> Result<MailTexts, Unusable> {
    let Others { others } = source.data()?;
    let whom = match others {
        0 => notice.name().to_owned(),
        1 => format!("{} and 1 other", notice.name()),
        _ => format!("{} and {others} others", notice.name()),
    };
    Ok(MailTexts {
        subject: format!("Confirm your enquiry to {whom}").into(),
        preheader: "It is sent once you confirm it.".into(),
        paragraphs: vec![format!(
            "Someone entered this address to write to {whom} on Serasi. If it was you, open the enquiry and confirm it."
        )],
        button: source.button("Open the enquiry", &notice.path)?,
        note: Some("If it wasn't you, ignore this e-mail. Nothing is sent, and you get no reminder.".into()),
        ..MailTexts::default()
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use url::Url;

    use super::*;

    fn mail(template: &str, mut data: Value) -> MailTexts {
        let site_url = Url::parse("https://serasi.test").unwrap();
        data["path"] = json!("/enquiry/5f1e");
        texts(Source { template, data: &data, site_url: &site_url }).unwrap().unwrap()
    }

    #[test]
    fn a_guest_learns_whom_the_enquiry_goes_to() {
        let subject = |others: u32| {
            let data = json!({ "name": "Aina", "others": others });
            mail("guest_enquiry_confirm", data).subject.into_owned()
        };
        assert_eq!(subject(0), "Confirm your enquiry to Aina");
        assert_eq!(subject(1), "Confirm your enquiry to Aina and 1 other");
        assert_eq!(subject(9), "Confirm your enquiry to Aina and 9 others");
        let link = mail("guest_enquiry_confirm", json!({ "name": "Aina" })).button.unwrap().link;
        assert_eq!(link, "https://serasi.test/enquiry/5f1e");
    }

    #[test]
    fn an_answer_is_quoted() {
        let data = json!({ "name": "Aina", "state": "accepted", "text": "Gladly.\nFrom June?" });
        let accepted = mail("guest_enquiry_answered", data);
        assert_eq!(accepted.subject, "Aina accepted your enquiry");
        assert_eq!(accepted.quote.as_deref(), Some("Gladly.\nFrom June?"));
        let declined = mail("enquiry_answered", json!({ "state": "declined" }));
        assert_eq!((&*declined.subject, declined.quote), ("Former member declined your enquiry", None));
    }

    #[test]
    fn the_reminder_says_until_when_in_malaysian_time() {
        let data = json!({ "name": "Kopi", "title": "Two reels", "expires_at": "2026-12-01T20:30:00+00:00" });
        let facts: Vec<_> =
            mail("enquiry_reminder", data).facts.into_iter().map(|fact| (fact.label, fact.value)).collect();
        let expected = [("Deliverables", "Two reels"), ("Answer until", "2 December 2026, 04:30")];
        assert_eq!(facts, expected.map(|(label, value)| (label, value.to_owned())));
    }
}
