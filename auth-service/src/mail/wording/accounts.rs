//! Account e-mails: tokens, and the approval.

use chrono::TimeDelta;
use serde::Deserialize;
use url::Url;

use crate::domain::mail_template::MailTemplate;
use crate::mail::texts::{Button, MailTexts, Source, Unusable};

/// The data of account e-mails: a link, a code, or both.
#[derive(Deserialize)]
struct Token {
    link: Option<String>,
    code: Option<String>,
    email: Option<String>,
    new_email: Option<String>,
}

#[derive(Deserialize)]
struct Approved {
    name: String,
    profile_id: uuid::Uuid,
}

/// The parts of an account e-mail that do not depend on the account.
struct AccountTexts {
    subject: &'static str,
    preheader: &'static str,
    button: &'static str,
    /// What to do if someone else caused the e-mail.
    if_not_you: &'static str,
}

/// # Errors
/// Fails when the data does not fit the template.
pub fn texts(
    template: MailTemplate,
    source: Source<'_>,
    recipient: &str,
    token_life: TimeDelta,
) -> Result<MailTexts, Unusable> {
    let Some(AccountTexts { subject, preheader, button, if_not_you }) = account_texts(template) else {
        return approved(source);
    };
    let token: Token = source.data()?;
    let paragraph = account_paragraph(template, &token, recipient)?;
    let link = token.link.filter(|link| !link.is_empty()).map(web_link).transpose()?;
    let code = token.code.filter(|code| !code.is_empty());
    let once = match (&link, &code) {
        (Some(_), Some(_)) => "The link and the code work",
        (Some(_), None) => "The link works",
        (None, Some(_)) => "The code works",
        (None, None) => return Err(Unusable),
    };
    Ok(MailTexts {
        subject: subject.into(),
        preheader: preheader.into(),
        paragraphs: vec![paragraph],
        button: link.map(|link| Button { label: button, link }),
        code,
        note: Some(format!("{once} once, within {}. {if_not_you}", span(token_life))),
        ..MailTexts::default()
    })
}

/// `None` for the approval, which has no token.
fn account_texts(template: MailTemplate) -> Option<AccountTexts> {
    let (subject, preheader, button, if_not_you) = match template {
        MailTemplate::Approved => return None,
        MailTemplate::Confirmation => (
            "Confirm your e-mail address",
            "One step before you can sign in to Serasi.",
            "Confirm address",
            "If you did not sign up, ignore this e-mail. Nothing will happen.",
        ),
        MailTemplate::Recovery => (
            "Set a new password",
            "A link to choose a new password for Serasi.",
            "Choose a new password",
            "If you did not request this, ignore this e-mail. Your password stays the same.",
        ),
        MailTemplate::MagicLink => (
            "Your sign-in link",
            "A link that signs you in to Serasi.",
            "Sign in",
            "If you did not request this, ignore this e-mail. Nobody will be signed in.",
        ),
        MailTemplate::EmailChange => (
            "Confirm your change of address",
            "Confirm the new e-mail address of your Serasi account.",
            "Confirm the change",
            "If you did not request this, don't confirm it, and change your password.",
        ),
        MailTemplate::Invite => (
            "You are invited to Serasi",
            "Accept the invitation and choose a password.",
            "Accept the invitation",
            "If you did not expect an invitation, ignore this e-mail.",
        ),
        MailTemplate::Reauthentication => (
            "Your Serasi code",
            "The code you requested.",
            "Continue",
            "If you did not request a code, somebody may know your password. Change it.",
        ),
    };
    Some(AccountTexts { subject, preheader, button, if_not_you })
}

fn account_paragraph(template: MailTemplate, token: &Token, recipient: &str) -> Result<String, Unusable> {
    let email = token.email.as_deref().unwrap_or(recipient);
    Ok(match template {
        MailTemplate::Confirmation => {
            format!(
                "You signed up for Serasi with {email}. Confirm that this address is yours, then sign in."
            )
        }
        MailTemplate::Recovery => {
            format!("Somebody requested a new password for the Serasi account {email}.")
        }
        MailTemplate::MagicLink => format!("Sign in to Serasi as {email}, without your password."),
        MailTemplate::EmailChange => {
            let new_email = token.new_email.as_deref().ok_or(Unusable)?;
            format!(
                "Somebody requested to change the e-mail address of the Serasi account {email} to {new_email}."
            )
        }
        MailTemplate::Invite => format!(
            "You have been invited to Serasi with the address {email}. Accept, and choose a password."
        ),
        MailTemplate::Reauthentication => "Enter this code to confirm that it is you.".to_owned(),
        MailTemplate::Approved => return Err(Unusable),
    })
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

/// Rejects every scheme but http and https.
fn web_link(text: String) -> Result<String, Unusable> {
    let url = Url::parse(&text).map_err(|_| Unusable)?;
    matches!(url.scheme(), "http" | "https").then_some(text).ok_or(Unusable)
}

fn span(life: TimeDelta) -> String {
    let (number, unit) = match life.num_minutes() {
        minutes @ 0..120 if minutes != 60 => (minutes.max(1), "minute"),
        minutes => (minutes / 60, "hour"),
    };
    format!("{number} {unit}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn texts_of(template: &str, data: &Value) -> Result<MailTexts, Unusable> {
        let site_url = Url::parse("https://serasi.test").unwrap();
        let named = MailTemplate::named(template).unwrap();
        let source = Source { template, data, site_url: &site_url };
        texts(named, source, "aina@example.test", TimeDelta::hours(1))
    }

    #[test]
    fn buttons_link_to_web_pages_only() {
        for link in ["javascript:alert(1)", "data:text/html,x", "/auth", "mailto:a@example.test"] {
            assert!(texts_of("recovery", &json!({ "link": link })).is_err(), "{link}");
        }
    }

    #[test]
    fn incomplete_data_is_rejected() {
        assert!(texts_of("recovery", &json!({})).is_err());
        assert!(texts_of("recovery", &json!({ "link": "", "code": "" })).is_err());
        assert!(texts_of("email_change", &json!({ "code": "123456" })).is_err());
        assert!(texts_of("approved", &json!({ "name": "Aina" })).is_err());
    }

    #[test]
    fn lifetimes_are_written_in_whole_units() {
        let written = |seconds| span(TimeDelta::seconds(seconds));
        assert_eq!(
            [written(20), written(60), written(900), written(3600), written(5400), written(86400)],
            ["1 minute", "1 minute", "15 minutes", "1 hour", "90 minutes", "24 hours"]
        );
    }
}
