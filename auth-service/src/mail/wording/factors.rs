//! The e-mails about second factors. Nobody can unsubscribe from them.

use serde::Deserialize;

use crate::mail::texts::{MailTexts, Source, Unusable};

#[derive(Deserialize)]
struct Data {
    path: String,
}

/// `None` for a template of another part.
pub fn texts(source: Source<'_>) -> Option<Result<MailTexts, Unusable>> {
    let write: fn(Source<'_>, &Data) -> Result<MailTexts, Unusable> = match source.template {
        "factor_added" => added,
        "factor_reset" => reset,
        _ => return None,
    };
    Some(source.data().and_then(|data| write(source, &data)))
}

fn added(source: Source<'_>, data: &Data) -> Result<MailTexts, Unusable> {
    Ok(MailTexts {
        subject: "A second factor was added to your account".into(),
        preheader: "Sign-ins now ask for a code, too.".into(),
        paragraphs: vec![
            "An authenticator app was added to your Serasi account. From now on, signing in takes your password and \
             a code of the app. Your other sessions were signed out."
                .to_owned(),
        ],
        button: source.button("Security settings", &data.path)?,
        note: Some("If you didn't do this, reset your password and contact us.".to_owned()),
        ..MailTexts::default()
    })
}

fn reset(source: Source<'_>, data: &Data) -> Result<MailTexts, Unusable> {
    Ok(MailTexts {
        subject: "Your second factor was reset".into(),
        preheader: "Signing in takes only your password until you add a new one.".into(),
        paragraphs: vec![
            "A super admin removed the second factor of your Serasi account and signed you out everywhere. You can \
             sign in with your password, then add an authenticator app again."
                .to_owned(),
        ],
        button: source.button("Security settings", &data.path)?,
        note: Some("If you didn't ask for this, tell another super admin immediately.".to_owned()),
        ..MailTexts::default()
    })
}
