//! The e-mails about gig applications.

use chrono::NaiveDate;
use mail::{Fact, Item, MailTexts, Source, Unusable};
use serde::Deserialize;

use super::notice::Notice;

/// `None` for a template of another part.
pub fn texts(source: Source<'_>) -> Option<Result<MailTexts, Unusable>> {
    let write: fn(Source<'_>, &Notice) -> Result<MailTexts, Unusable> = match source.template {
        "application_received" => received,
        "application_decided" => decided,
        "application_withdrawn" => withdrawn,
        "gig_closing" => closing,
        "gig_closed" => closed,
        _ => return None,
    };
    Some(source.data().and_then(|notice| write(source, &notice)))
}

/// New applicants for an agency's gigs, collected for an hour. At most five gigs are listed.
#[derive(Deserialize)]
struct Applicants {
    #[serde(default)]
    count: u64,
    #[serde(default)]
    gigs: Vec<Gig>,
}

#[derive(Deserialize)]
struct Gig {
    title: String,
    count: u64,
    path: String,
}

fn applicants(count: u64) -> String {
    if count == 1 { "1 new applicant".to_owned() } else { format!("{count} new applicants") }
}

fn received(source: Source<'_>, notice: &Notice) -> Result<MailTexts, Unusable> {
    let new: Applicants = source.data()?;
    let subject = match new.gigs.as_slice() {
        [] => format!("New applicants for {}", notice.title_or("your gigs")),
        [gig] => format!("{} for “{}”", applicants(new.count), gig.title),
        _ => format!("{} for your gigs", applicants(new.count)),
    };
    let paragraph = match new.gigs.as_slice() {
        [gig] if gig.count == 1 => {
            format!(
                "An influencer applied for “{}”. Read the pitch, then shortlist or decline it.",
                gig.title
            )
        }
        [gig] => format!(
            "{} influencers applied for “{}”. Read their pitches, and shortlist the ones you like.",
            gig.count, gig.title
        ),
        _ => "Influencers applied for your gigs. Read their pitches, and shortlist the ones you like."
            .to_owned(),
    };
    let items = |gig: &Gig| {
        let text = format!("{}: {}", gig.title, applicants(gig.count));
        Ok(Item { text, link: Some(source.page(&gig.path)?) })
    };
    Ok(MailTexts {
        subject: subject.into(),
        preheader: "See who would like to work with you.".into(),
        paragraphs: vec![paragraph],
        items: if new.gigs.len() > 1 {
            new.gigs.iter().map(items).collect::<Result<_, _>>()?
        } else {
            Vec::new()
        },
        button: source.button("See the applicants", &notice.path)?,
        ..MailTexts::default()
    })
}

#[derive(Deserialize)]
struct Decided {
    agency_id: Option<uuid::Uuid>,
}

fn decided(source: Source<'_>, notice: &Notice) -> Result<MailTexts, Unusable> {
    let (name, title) = (notice.name(), notice.title_or("a gig"));
    let Decided { agency_id } = source.data()?;
    let (subject, preheader, paragraph) = if notice.is("accepted") {
        (
            format!("{name} accepted your application for {title}"),
            "Contact the agency to agree on the details.",
            format!(
                "{name} wants to work with you on {title}. Contact the agency to agree on the details. Never pay to get work."
            ),
        )
    } else if notice.is("shortlisted") {
        (
            format!("You are on the shortlist for {title}"),
            "The agency decides soon.",
            format!("{name} put you on the shortlist for {title}. We'll tell you when it decides."),
        )
    } else {
        (
            format!("Your application for {title} was declined"),
            "The agency chose someone else this time.",
            format!("{name} chose someone else for {title} this time. There are other gigs to apply for."),
        )
    };
    let button = match agency_id {
        Some(id) if notice.is("accepted") => source.button("Contact the agency", &format!("/agency/{id}"))?,
        _ => source.button("See your applications", &notice.path)?,
    };
    Ok(MailTexts {
        subject: subject.into(),
        preheader: preheader.into(),
        paragraphs: vec![paragraph],
        button,
        ..MailTexts::default()
    })
}

fn withdrawn(source: Source<'_>, notice: &Notice) -> Result<MailTexts, Unusable> {
    let (name, title) = (notice.name(), notice.title_or("your gig"));
    Ok(MailTexts {
        subject: format!("{name} withdrew an application").into(),
        preheader: format!("It was for {title}.").into(),
        paragraphs: vec![format!("{name} withdrew the application for {title}.")],
        button: source.button("See the applicants", &notice.path)?,
        ..MailTexts::default()
    })
}

#[derive(Deserialize)]
struct Closing {
    closes_on: Option<NaiveDate>,
}

fn closing(source: Source<'_>, notice: &Notice) -> Result<MailTexts, Unusable> {
    let title = notice.title_or("A gig");
    let Closing { closes_on } = source.data()?;
    let value = |day: NaiveDate| Fact { label: "Last day", value: day.format("%-d %B %Y").to_string() };
    Ok(MailTexts {
        subject: format!("{title} closes in 48 hours").into(),
        preheader: "You are on the shortlist.".into(),
        paragraphs: vec![format!(
            "{title} closes in 48 hours, and you are on the shortlist. The agency can decide until then or later."
        )],
        facts: closes_on.map(value).into_iter().collect(),
        button: source.button("See your application", &notice.path)?,
        ..MailTexts::default()
    })
}

fn closed(source: Source<'_>, notice: &Notice) -> Result<MailTexts, Unusable> {
    let title = notice.title_or("A gig");
    let (subject, paragraph) = if notice.is("full") {
        (
            format!("{title} is full"),
            format!("All places of {title} are taken. If one becomes free, the agency can still choose you."),
        )
    } else if notice.is("removed") {
        (
            format!("{title} was removed"),
            format!("The agency removed {title}, so it won't answer your application."),
        )
    } else {
        (
            format!("{title} is closed"),
            format!(
                "{title} takes no more applications. Yours is still there: we'll tell you when the agency decides."
            ),
        )
    };
    Ok(MailTexts {
        subject: subject.into(),
        preheader: "See your application.".into(),
        paragraphs: vec![paragraph],
        button: source.button("See your applications", &notice.path)?,
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
        data["path"] = data.get("path").cloned().unwrap_or_else(|| "/applications".into());
        texts(Source { template, data: &data, site_url: &site_url }).unwrap().unwrap()
    }

    #[test]
    fn new_applicants_are_counted_for_each_gig() {
        let gigs = |count: u64| json!([{ "title": "Reels", "count": count, "path": "/gigs/1/applicants" }]);
        let one = mail(
            "application_received",
            json!({ "count": 1, "gigs": gigs(1), "path": "/gigs/1/applicants" }),
        );
        assert_eq!(one.subject, "1 new applicant for “Reels”");
        assert_eq!(one.button.unwrap().link, "https://serasi.test/gigs/1/applicants");
        assert!(one.items.is_empty());
        assert!(one.paragraphs[0].starts_with("An influencer applied for “Reels”."), "{:?}", one.paragraphs);

        let two = json!([
            { "title": "Reels", "count": 2, "path": "/gigs/1/applicants" },
            { "title": "Hosts", "count": 1, "path": "/gigs/2/applicants" },
        ]);
        let several = mail(
            "application_received",
            json!({ "count": 3, "gigs": two, "path": "/agency-dashboard?tab=gigs" }),
        );
        assert_eq!(several.subject, "3 new applicants for your gigs");
        let items: Vec<_> = several.items.into_iter().map(|item| (item.text, item.link.unwrap())).collect();
        assert_eq!(
            items,
            [
                ("Reels: 2 new applicants".to_owned(), "https://serasi.test/gigs/1/applicants".to_owned()),
                ("Hosts: 1 new applicant".to_owned(), "https://serasi.test/gigs/2/applicants".to_owned()),
            ]
        );
    }

    #[test]
    fn each_decision_and_each_end_has_its_own_subject() {
        let id = uuid::Uuid::nil();
        let subject = |template: &str, state: &str| {
            let data = json!({ "name": "Lumut", "title": "Reels", "state": state, "agency_id": id });
            mail(template, data).subject.into_owned()
        };
        assert_eq!(subject("application_decided", "accepted"), "Lumut accepted your application for “Reels”");
        assert_eq!(subject("application_decided", "shortlisted"), "You are on the shortlist for “Reels”");
        assert_eq!(subject("application_decided", "declined"), "Your application for “Reels” was declined");
        assert_eq!(subject("gig_closed", "full"), "“Reels” is full");
        assert_eq!(subject("gig_closed", "removed"), "“Reels” was removed");
        assert_eq!(subject("gig_closed", "closed"), "“Reels” is closed");
        let accepted = mail("application_decided", json!({ "state": "accepted", "agency_id": id }));
        assert_eq!(accepted.button.unwrap().link, format!("https://serasi.test/agency/{id}"));
        assert!(accepted.subject.starts_with("Former member accepted"), "{}", accepted.subject);
    }

    #[test]
    fn the_reminder_names_the_last_day() {
        let reminder = mail("gig_closing", json!({ "title": "Reels", "closes_on": "2026-12-04" }));
        assert_eq!(reminder.facts[0].value, "4 December 2026");
    }
}
