//! The e-mails about enquiries. Those of guests are named `guest_…`.

use crate::mail::texts::{MailTexts, Notice, Source, Unusable};

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

fn received(source: Source<'_>, notice: &Notice) -> Result<MailTexts, Unusable> {
    let name = notice.name();
    Ok(MailTexts {
        subject: format!("{name} sent you an enquiry").into(),
        preheader: "Read the brief and answer it.".into(),
        paragraphs: vec![format!(
            "{name} would like to work with you. Read the brief, then accept or decline it."
        )],
        button: source.button("Read the enquiry", &notice.path)?,
        ..MailTexts::default()
    })
}

fn reminder(source: Source<'_>, notice: &Notice) -> Result<MailTexts, Unusable> {
    let name = notice.name();
    Ok(MailTexts {
        subject: format!("{name} is waiting for your answer").into(),
        preheader: "The enquiry expires soon.".into(),
        paragraphs: vec![format!(
            "{name} sent you an enquiry that you have not answered yet. It expires by itself if you don't."
        )],
        button: source.button("Answer the enquiry", &notice.path)?,
        ..MailTexts::default()
    })
}

fn answered(source: Source<'_>, notice: &Notice) -> Result<MailTexts, Unusable> {
    let name = notice.name();
    let answer = if notice.is("accepted") { "accepted" } else { "declined" };
    Ok(MailTexts {
        subject: format!("{name} {answer} your enquiry").into(),
        preheader: "Read the answer.".into(),
        paragraphs: vec![format!("{name} {answer} your enquiry.")],
        button: source.button("Read the answer", &notice.path)?,
        ..MailTexts::default()
    })
}

fn withdrawn(source: Source<'_>, notice: &Notice) -> Result<MailTexts, Unusable> {
    let name = notice.name();
    Ok(MailTexts {
        subject: format!("{name} withdrew an enquiry").into(),
        preheader: "You don't need to answer it.".into(),
        paragraphs: vec![format!("{name} withdrew the enquiry. You don't need to answer it.")],
        button: source.button("See the enquiry", &notice.path)?,
        ..MailTexts::default()
    })
}

fn expired(source: Source<'_>, notice: &Notice) -> Result<MailTexts, Unusable> {
    let name = notice.name();
    Ok(MailTexts {
        subject: format!("Your enquiry to {name} expired").into(),
        preheader: "It was not answered in time.".into(),
        paragraphs: vec![format!("{name} did not answer your enquiry in time, so it expired.")],
        button: source.button("See the enquiry", &notice.path)?,
        ..MailTexts::default()
    })
}

fn guest_confirm(source: Source<'_>, notice: &Notice) -> Result<MailTexts, Unusable> {
    let name = notice.name();
    Ok(MailTexts {
        subject: format!("Confirm your enquiry to {name}").into(),
        preheader: "Your enquiry is sent once you confirm it.".into(),
        paragraphs: vec![format!("Confirm that this address is yours, and {name} gets your enquiry.")],
        button: source.button("Confirm the enquiry", &notice.path)?,
        ..MailTexts::default()
    })
}
