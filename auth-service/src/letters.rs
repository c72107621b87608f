//! The words of this service's e-mails: those with a token, and those about second factors.

pub mod custom_templates;

use chrono::TimeDelta;
use mail::{Button, Letters, MailTexts, Queued, Rendered, Source, Unusable};
use serde::Deserialize;
use url::Url;

use self::custom_templates::CustomTemplates;
use crate::domain::mail_kind::MailKind;

/// Age at which delivery of a mail about a second factor is given up.
const SECURITY_LIFE: TimeDelta = TimeDelta::days(3);

pub struct AuthLetters {
    pub mail: mail::Config,
    /// Lifetime of a mailed link or code. Older e-mails are not sent.
    pub token_life: TimeDelta,
    pub custom: CustomTemplates,
}

/// The data of e-mails with a link, a code, or both.
#[derive(Deserialize)]
struct Token {
    link: Option<String>,
    code: Option<String>,
    email: Option<String>,
    new_email: Option<String>,
}

/// The parts of an e-mail with a token.
struct TokenTexts {
    subject: String,
    preheader: String,
    button: &'static str,
    /// What to do if someone else caused the e-mail.
    if_not_you: &'static str,
}

#[derive(Deserialize)]
struct Factor {
    path: String,
}

impl Letters for AuthLetters {
    fn render(&self, mail: &Queued) -> Result<Rendered, Unusable> {
        let kind = MailKind::named(&mail.template).ok_or(Unusable)?;
        let rendered = self.mail.lay_out(self.texts(kind, mail)?, None)?;
        Ok(self.custom.applied(kind, mail, &self.mail.site_url, rendered))
    }

    fn life(&self, mail: &Queued) -> Option<TimeDelta> {
        let is_about_factors = matches!(mail.template.as_str(), "factor_added" | "factor_reset");
        Some(if is_about_factors { SECURITY_LIFE } else { self.token_life })
    }
}

impl AuthLetters {
    fn texts(&self, kind: MailKind, mail: &Queued) -> Result<MailTexts, Unusable> {
        let source = Source { template: &mail.template, data: &mail.data, site_url: &self.mail.site_url };
        match kind {
            MailKind::FactorAdded => self.factor_added(source),
            MailKind::FactorReset => self.factor_reset(source),
            _ => self.with_token(kind, source, &mail.recipient),
        }
    }

    fn with_token(&self, kind: MailKind, source: Source<'_>, recipient: &str) -> Result<MailTexts, Unusable> {
        let token: Token = source.data()?;
        let app = &self.mail.app_name;
        let TokenTexts { subject, preheader, button, if_not_you } = token_texts(kind, app).ok_or(Unusable)?;
        let paragraph = paragraph(kind, app, &token, recipient)?;
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
            note: Some(format!("{once} once, within {}. {if_not_you}", span(self.token_life))),
            ..MailTexts::default()
        })
    }

    fn factor_added(&self, source: Source<'_>) -> Result<MailTexts, Unusable> {
        let (app, data): (_, Factor) = (&self.mail.app_name, source.data()?);
        Ok(MailTexts {
            subject: "A second factor was added to your account".into(),
            preheader: "Sign-ins now ask for a code, too.".into(),
            paragraphs: vec![format!(
                "An authenticator app was added to your {app} account. From now on, signing in takes your password and \
                 a code of the app. Your other sessions were signed out."
            )],
            button: source.button("Security settings", &data.path)?,
            note: Some("If you didn't do this, reset your password and contact us.".to_owned()),
            ..MailTexts::default()
        })
    }

    fn factor_reset(&self, source: Source<'_>) -> Result<MailTexts, Unusable> {
        let (app, data): (_, Factor) = (&self.mail.app_name, source.data()?);
        Ok(MailTexts {
            subject: "Your second factor was reset".into(),
            preheader: "Signing in takes only your password until you add a new one.".into(),
            paragraphs: vec![format!(
                "A super admin removed the second factor of your {app} account and signed you out everywhere. You can \
                 sign in with your password, then add an authenticator app again."
            )],
            button: source.button("Security settings", &data.path)?,
            note: Some("If you didn't ask for this, tell another super admin immediately.".to_owned()),
            ..MailTexts::default()
        })
    }
}

/// `None` for an e-mail without a token.
fn token_texts(kind: MailKind, app: &str) -> Option<TokenTexts> {
    let (subject, preheader, button, if_not_you) = match kind {
        MailKind::Confirmation => (
            "Confirm your e-mail address".to_owned(),
            format!("One step before you can sign in to {app}."),
            "Confirm address",
            "If you did not sign up, ignore this e-mail. Nothing will happen.",
        ),
        MailKind::Recovery => (
            "Set a new password".to_owned(),
            format!("A link to choose a new password for {app}."),
            "Choose a new password",
            "If you did not request this, ignore this e-mail. Your password stays the same.",
        ),
        MailKind::MagicLink => (
            "Your sign-in link".to_owned(),
            format!("A link that signs you in to {app}."),
            "Sign in",
            "If you did not request this, ignore this e-mail. Nobody will be signed in.",
        ),
        MailKind::EmailChange => (
            "Confirm your change of address".to_owned(),
            format!("Confirm the new e-mail address of your {app} account."),
            "Confirm the change",
            "If you did not request this, don't confirm it, and change your password.",
        ),
        MailKind::Invite => (
            format!("You are invited to {app}"),
            "Accept the invitation and choose a password.".to_owned(),
            "Accept the invitation",
            "If you did not expect an invitation, ignore this e-mail.",
        ),
        MailKind::Reauthentication => (
            format!("Your {app} code"),
            "The code you requested.".to_owned(),
            "Continue",
            "If you did not request a code, somebody may know your password. Change it.",
        ),
        MailKind::FactorAdded | MailKind::FactorReset => return None,
    };
    Some(TokenTexts { subject, preheader, button, if_not_you })
}

fn paragraph(kind: MailKind, app: &str, token: &Token, recipient: &str) -> Result<String, Unusable> {
    let email = token.email.as_deref().unwrap_or(recipient);
    Ok(match kind {
        MailKind::Confirmation => {
            format!("You signed up for {app} with {email}. Confirm that this address is yours, then sign in.")
        }
        MailKind::Recovery => format!("Somebody requested a new password for the {app} account {email}."),
        MailKind::MagicLink => format!("Sign in to {app} as {email}, without your password."),
        MailKind::EmailChange => {
            let new_email = token.new_email.as_deref().ok_or(Unusable)?;
            format!(
                "Somebody requested to change the e-mail address of the {app} account {email} to {new_email}."
            )
        }
        MailKind::Invite => {
            format!("You have been invited to {app} with the address {email}. Accept, and choose a password.")
        }
        MailKind::Reauthentication => "Enter this code to confirm that it is you.".to_owned(),
        MailKind::FactorAdded | MailKind::FactorReset => return Err(Unusable),
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
    use chrono::DateTime;
    use platform::env::Env;
    use serde_json::{Value, json};
    use uuid::Uuid;

    use super::*;

    fn rendered(template: &str, data: Value) -> Result<Rendered, Unusable> {
        let env = Env::from_iter([("APP_NAME", "Kopi")]);
        let site_url = Url::parse("https://serasi.test").unwrap();
        let letters = AuthLetters {
            mail: mail::Config::from_env(&env, &site_url).unwrap(),
            token_life: TimeDelta::hours(1),
            custom: CustomTemplates::default(),
        };
        letters.render(&Queued {
            id: Uuid::nil(),
            template: template.to_owned(),
            recipient: "aina@example.test".to_owned(),
            data,
            attempts: 1,
            urgency: 0,
            created_at: DateTime::UNIX_EPOCH,
            last_error: None,
        })
    }

    /// The rows that the backend adds to serasi.mail_templates.
    #[test]
    fn every_template_of_the_database_has_texts() {
        let backend = include_str!("../../db/backend/07_mail.sql");
        let rows = backend.split("insert into serasi.mail_templates").nth(1).unwrap();
        let templates: Vec<&str> = rows.split(['{', '}']).nth(1).unwrap().split(',').collect();
        assert_eq!(templates, MailKind::ALL.map(MailKind::as_str));
        let link = "https://serasi.test/auth/v1/verify?token=abc&type=signup";
        for template in templates {
            let data = json!({ "link": link, "code": "428317", "new_email": "new@example.test", "path": "/account" });
            let mail = rendered(template, data).unwrap_or_else(|_| panic!("{template}"));
            assert!(
                !mail.subject.is_empty() && mail.html.contains("Kopi") && !mail.html.contains("Serasi"),
                "{template}"
            );
            if !template.starts_with("factor") {
                assert_eq!((mail.link.as_deref(), mail.code.as_deref()), (Some(link), Some("428317")));
            }
        }
        assert!(rendered("spam", json!({ "code": "123456" })).is_err());
    }

    #[test]
    fn buttons_link_to_web_pages_only() {
        for link in ["javascript:alert(1)", "data:text/html,x", "/auth", "mailto:a@example.test"] {
            assert!(rendered("recovery", json!({ "link": link })).is_err(), "{link}");
        }
    }

    #[test]
    fn incomplete_data_is_rejected() {
        assert!(rendered("recovery", json!({})).is_err());
        assert!(rendered("recovery", json!({ "link": "", "code": "" })).is_err());
        assert!(rendered("email_change", json!({ "code": "123456" })).is_err());
        assert!(rendered("factor_added", json!({})).is_err());
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
