//! The e-mails of the trust desk. Nobody can unsubscribe from them.

use crate::mail::texts::{MailTexts, Notice, Source, Unusable};

/// `None` for a template of another part.
pub fn texts(source: Source<'_>) -> Option<Result<MailTexts, Unusable>> {
    let write: fn(Source<'_>, &Notice) -> Result<MailTexts, Unusable> = match source.template {
        "report_decided" => decided,
        "content_moderated" => moderated,
        _ => return None,
    };
    Some(source.data().and_then(|notice| write(source, &notice)))
}

fn decided(source: Source<'_>, notice: &Notice) -> Result<MailTexts, Unusable> {
    Ok(MailTexts {
        subject: "We looked into your report".into(),
        preheader: "See what we decided.".into(),
        paragraphs: vec!["We looked into your report and decided. Thank you for telling us.".to_owned()],
        button: source.button("See the decision", &notice.path)?,
        ..MailTexts::default()
    })
}

fn moderated(source: Source<'_>, notice: &Notice) -> Result<MailTexts, Unusable> {
    let title = notice.title_or("your report");
    Ok(MailTexts {
        subject: "We took down something of yours".into(),
        preheader: "See what and why.".into(),
        paragraphs: vec![format!("Our trust desk looked into {title} and acted on it.")],
        button: source.button("See what happened", &notice.path)?,
        ..MailTexts::default()
    })
}
