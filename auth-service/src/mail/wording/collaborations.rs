//! The e-mails about collaborations and reviews.

use crate::mail::texts::{MailTexts, Notice, Source, Unusable};

/// `None` for a template of another part.
pub fn texts(source: Source<'_>) -> Option<Result<MailTexts, Unusable>> {
    let write: fn(Source<'_>, &Notice) -> Result<MailTexts, Unusable> = match source.template {
        "collaboration_completed" => completed,
        "collaboration_cancelled" | "guest_collaboration_ended" => cancelled,
        "review_invited" | "guest_review" => invited,
        "review_published" => published,
        "review_replied" => replied,
        _ => return None,
    };
    Some(source.data().and_then(|notice| write(source, &notice)))
}

fn completed(source: Source<'_>, notice: &Notice) -> Result<MailTexts, Unusable> {
    let (name, title) = (notice.name(), notice.title_or("your collaboration"));
    Ok(MailTexts {
        subject: format!("Your work with {name} is completed").into(),
        preheader: "Write a review.".into(),
        paragraphs: vec![format!("The work on {title} is completed.")],
        button: source.button("See the collaboration", &notice.path)?,
        ..MailTexts::default()
    })
}

fn cancelled(source: Source<'_>, notice: &Notice) -> Result<MailTexts, Unusable> {
    let (name, title) = (notice.name(), notice.title_or("your collaboration"));
    Ok(MailTexts {
        subject: format!("Your work with {name} was cancelled").into(),
        preheader: "See the reason.".into(),
        paragraphs: vec![format!("The work on {title} was cancelled.")],
        button: source.button("See the collaboration", &notice.path)?,
        ..MailTexts::default()
    })
}

fn invited(source: Source<'_>, notice: &Notice) -> Result<MailTexts, Unusable> {
    let name = notice.name();
    Ok(MailTexts {
        subject: format!("How was working with {name}?").into(),
        preheader: "You have 14 days to write a review.".into(),
        paragraphs: vec![format!("Write a review of your work with {name}. You have 14 days.")],
        button: source.button("Write a review", &notice.path)?,
        ..MailTexts::default()
    })
}

fn published(source: Source<'_>, notice: &Notice) -> Result<MailTexts, Unusable> {
    let (name, title) = (notice.name(), notice.title_or("your collaboration"));
    Ok(MailTexts {
        subject: format!("{name} reviewed you").into(),
        preheader: "Read the review, and reply.".into(),
        paragraphs: vec![format!("{name} reviewed your work on {title}.")],
        button: source.button("Read the review", &notice.path)?,
        ..MailTexts::default()
    })
}

fn replied(source: Source<'_>, notice: &Notice) -> Result<MailTexts, Unusable> {
    let name = notice.name();
    Ok(MailTexts {
        subject: format!("{name} replied to your review").into(),
        preheader: "Read the reply.".into(),
        paragraphs: vec![format!("{name} replied to your review.")],
        button: source.button("Read the reply", &notice.path)?,
        ..MailTexts::default()
    })
}
