//! The e-mails about gig applications.

use crate::mail::texts::{MailTexts, Notice, Source, Unusable};

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

fn received(source: Source<'_>, notice: &Notice) -> Result<MailTexts, Unusable> {
    let title = notice.title_or("your gig");
    Ok(MailTexts {
        subject: format!("New applicants for {title}").into(),
        preheader: "See who would like to work with you.".into(),
        paragraphs: vec![format!("Influencers applied for {title}.")],
        button: source.button("See the applicants", &notice.path)?,
        ..MailTexts::default()
    })
}

fn decided(source: Source<'_>, notice: &Notice) -> Result<MailTexts, Unusable> {
    let (name, title) = (notice.name(), notice.title_or("your gig"));
    Ok(MailTexts {
        subject: format!("Your application for {title} was decided").into(),
        preheader: "See what the agency decided.".into(),
        paragraphs: vec![format!("{name} decided on your application for {title}.")],
        button: source.button("See your application", &notice.path)?,
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

fn closing(source: Source<'_>, notice: &Notice) -> Result<MailTexts, Unusable> {
    let title = notice.title_or("your gig");
    Ok(MailTexts {
        subject: format!("{title} closes in 48 hours").into(),
        preheader: "You are on the shortlist.".into(),
        paragraphs: vec![format!("{title} closes in 48 hours. You are on the shortlist.")],
        button: source.button("See the gig", &notice.path)?,
        ..MailTexts::default()
    })
}

fn closed(source: Source<'_>, notice: &Notice) -> Result<MailTexts, Unusable> {
    let title = notice.title_or("your gig");
    Ok(MailTexts {
        subject: format!("{title} is closed").into(),
        preheader: "No more applications are accepted.".into(),
        paragraphs: vec![format!("{title} is closed. No more applications are accepted.")],
        button: source.button("See your application", &notice.path)?,
        ..MailTexts::default()
    })
}
