//! `MAIL_TEMPLATES`: a folder with the operator's own templates. `confirmation.html`, `confirmation.txt` and
//! `confirmation.subject` replace a part of that e-mail each. They have the variables of GoTrue's templates.

use std::collections::BTreeMap;
use std::path::Path;

use mail::{Queued, Rendered, one_line, single_line_subject};
use platform::env::{ConfigError, Env};
use serde_json::Value;
use url::Url;

use crate::domain::mail_kind::MailKind;

const SETTING: &str = "MAIL_TEMPLATES";

#[derive(Clone, Default)]
pub struct CustomTemplates(BTreeMap<(MailKind, Part), Template>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Html,
    Text,
    Subject,
}

/// Texts, each followed by a variable, and the text after the last one.
#[derive(Clone)]
struct Template {
    pieces: Vec<(String, Variable)>,
    end: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Variable {
    ConfirmationUrl,
    Token,
    TokenHash,
    SiteUrl,
    RedirectTo,
    Email,
    NewEmail,
    /// A member of the account's `user_metadata`.
    Data(String),
}

impl CustomTemplates {
    /// # Errors
    /// Fails when a file can't be read, belongs to no e-mail, or has an unknown variable; the error names both.
    pub fn from_env(env: &Env) -> Result<Self, ConfigError> {
        let Some(folder) = env.optional(SETTING) else { return Ok(Self::default()) };
        let unreadable =
            |error: std::io::Error| ConfigError::new(SETTING, format!("`{folder}` can't be read: {error}"));
        let mut templates = BTreeMap::new();
        for entry in std::fs::read_dir(folder).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            // Of mounted volumes (`..data`) and of editors.
            if path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".")) {
                continue;
            }
            let refuse = |problem: &str| ConfigError::new(SETTING, format!("{}: {problem}", path.display()));
            let named = kind_and_part(&path).ok_or_else(|| {
                let kinds = MailKind::ALL.map(MailKind::as_str).join(", ");
                refuse(&format!("is not named like an e-mail ({kinds}) with .html, .txt or .subject"))
            })?;
            let text = std::fs::read_to_string(&path).map_err(|error| refuse(&error.to_string()))?;
            templates.insert(named, Template::parse(&text).map_err(|problem| refuse(&problem))?);
        }
        Ok(Self(templates))
    }

    /// Whether a template shows the account's data, which an e-mail otherwise does without.
    pub fn show_data(&self, kind: MailKind) -> bool {
        let shows_data = |template: &Template| {
            template.pieces.iter().any(|(_, variable)| matches!(variable, Variable::Data(_)))
        };
        self.0.iter().any(|((named, _), template)| *named == kind && shows_data(template))
    }

    /// Replaces the parts that have a template.
    pub fn applied(&self, kind: MailKind, mail: &Queued, site_url: &Url, rendered: Rendered) -> Rendered {
        let link = rendered.link.clone().unwrap_or_default();
        let value = |variable: &Variable| one_line(&variable.value(mail, &link, site_url));
        let filled = |part, write: &dyn Fn(&Variable) -> String| {
            self.0.get(&(kind, part)).map(|template| template.filled(write))
        };
        let html = filled(Part::Html, &|variable| {
            html_escape::encode_quoted_attribute(&value(variable)).into_owned()
        });
        Rendered {
            html: html.unwrap_or(rendered.html),
            text: filled(Part::Text, &value).unwrap_or(rendered.text),
            subject: filled(Part::Subject, &value)
                .map_or(rendered.subject, |subject| single_line_subject(&subject)),
            ..rendered
        }
    }
}

fn kind_and_part(path: &Path) -> Option<(MailKind, Part)> {
    let part = match path.extension()?.to_str()? {
        "html" => Part::Html,
        "txt" => Part::Text,
        "subject" => Part::Subject,
        _ => return None,
    };
    Some((MailKind::named(path.file_stem()?.to_str()?)?, part))
}

impl Template {
    fn parse(text: &str) -> Result<Self, String> {
        let (mut pieces, mut rest) = (Vec::new(), text);
        while let Some((before, after)) = rest.split_once("{{") {
            let (name, after) = after.split_once("}}").ok_or("`{{` without `}}`")?;
            let variable = Variable::named(name.trim())
                .ok_or_else(|| format!("`{{{{{name}}}}}` is not a variable of e-mails"))?;
            pieces.push((before.to_owned(), variable));
            rest = after;
        }
        Ok(Self { pieces, end: rest.to_owned() })
    }

    fn filled(&self, value: impl Fn(&Variable) -> String) -> String {
        let pieces = self.pieces.iter().map(|(text, variable)| format!("{text}{}", value(variable)));
        pieces.chain([self.end.clone()]).collect()
    }
}

impl Variable {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            ".ConfirmationURL" => Self::ConfirmationUrl,
            ".Token" => Self::Token,
            ".TokenHash" => Self::TokenHash,
            ".SiteURL" => Self::SiteUrl,
            ".RedirectTo" => Self::RedirectTo,
            ".Email" => Self::Email,
            ".NewEmail" => Self::NewEmail,
            _ => {
                let member = name.strip_prefix(".Data.")?;
                let is_name = |name: &str| {
                    !name.is_empty() && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
                };
                is_name(member).then(|| Self::Data(member.to_owned()))?
            }
        })
    }

    /// Empty if this e-mail has none.
    fn value(&self, mail: &Queued, link: &str, site_url: &Url) -> String {
        let text =
            |member: &str| mail.data.get(member).and_then(Value::as_str).unwrap_or_default().to_owned();
        let parameter = |name: &str| {
            let url = Url::parse(link).ok()?;
            let found = url.query_pairs().find(|(key, _)| key == name)?;
            Some(found.1.into_owned())
        };
        match self {
            Self::ConfirmationUrl => link.to_owned(),
            Self::Token => text("code"),
            Self::TokenHash => parameter("token_hash").unwrap_or_default(),
            Self::SiteUrl => site_url.as_str().trim_end_matches('/').to_owned(),
            Self::RedirectTo => parameter("redirect_to").unwrap_or_default(),
            Self::Email => match text("email") {
                email if email.is_empty() => mail.recipient.clone(),
                email => email,
            },
            Self::NewEmail => text("new_email"),
            Self::Data(member) => match mail.data.get("data").and_then(|data| data.get(member)) {
                None | Some(Value::Null) => String::new(),
                Some(Value::String(text)) => text.clone(),
                Some(other) => other.to_string(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use serde_json::json;
    use uuid::Uuid;

    use super::*;

    fn from(files: &[(&str, &str)]) -> Result<CustomTemplates, ConfigError> {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        CustomTemplates::from_env(&Env::from_iter([(SETTING, folder.path().to_str().unwrap())]))
    }

    fn applied(custom: &CustomTemplates) -> Rendered {
        let link =
            "https://serasi.test/auth/confirm?token_hash=abc&type=signup&redirect_to=https%3A%2F%2Fx.test";
        let mail = Queued {
            id: Uuid::nil(),
            template: "confirmation".to_owned(),
            recipient: "aina@example.test".to_owned(),
            data: json!({
                "link": link, "code": "428317", "email": "aina@example.test",
                "data": { "name": "<b>Aina</b>\n\"&", "age": 7 },
            }),
            attempts: 1,
            urgency: 0,
            created_at: DateTime::UNIX_EPOCH,
            last_error: None,
        };
        let ours = Rendered {
            subject: "Ours".to_owned(),
            html: "<p>Ours</p>".to_owned(),
            text: "Ours".to_owned(),
            link: Some(link.to_owned()),
            code: None,
            one_click: None,
        };
        custom.applied(MailKind::Confirmation, &mail, &Url::parse("https://serasi.test").unwrap(), ours)
    }

    #[test]
    fn each_file_replaces_a_part_and_its_variables_are_filled_in() {
        let custom = from(&[
            ("confirmation.html", "<a href=\"{{ .ConfirmationURL }}\">{{.Data.name}}</a> {{ .Token }}"),
            (
                "confirmation.txt",
                "{{ .TokenHash }} {{ .SiteURL }} {{ .RedirectTo }} {{ .Email }}{{ .NewEmail }}.\n",
            ),
            ("recovery.subject", "Elsewhere"),
        ])
        .unwrap();
        let mail = applied(&custom);
        assert!(mail.html.starts_with("<a href=\"https://serasi.test/auth/confirm?token_hash=abc&amp;type="));
        assert!(mail.html.ends_with(">&lt;b&gt;Aina&lt;/b&gt; &quot;&amp;</a> 428317"), "{}", mail.html);
        assert_eq!(mail.text, "abc https://serasi.test https://x.test aina@example.test.\n");
        assert_eq!(mail.subject, "Ours");
        assert!(custom.show_data(MailKind::Confirmation) && !custom.show_data(MailKind::Recovery));

        let custom =
            from(&[("confirmation.subject", "{{ .Data.name }},\nyou are {{ .Data.age }}{{ .Data.no }}\n")]);
        let mail = applied(&custom.unwrap());
        assert_eq!(mail.subject, "<b>Aina</b> \"&, you are 7");
        assert_eq!((mail.html.as_str(), mail.text.as_str()), ("<p>Ours</p>", "Ours"));
    }

    #[test]
    fn an_error_names_the_file_and_the_variable() {
        for (file, text, problem) in [
            ("confirmation.html", "{{ .ConfirmURL }}", "`{{ .ConfirmURL }}` is not a variable"),
            ("confirmation.txt", "{{ if .Token }}", "`{{ if .Token }}` is not a variable"),
            ("invite.subject", "{{ .Data.a b }}", "`{{ .Data.a b }}` is not a variable"),
            ("invite.html", "{{ .Token", "`{{` without `}}`"),
            ("welcome.html", "", "is not named like an e-mail (confirmation, "),
            ("confirmation.md", "", "is not named like an e-mail"),
        ] {
            let error = from(&[(file, text)]).err().unwrap();
            assert_eq!(error.variable, SETTING);
            assert!(error.problem.contains(file) && error.problem.contains(problem), "{error}");
        }
        let missing = CustomTemplates::from_env(&Env::from_iter([(SETTING, "/no/such/folder")]));
        assert!(missing.err().unwrap().problem.contains("/no/such/folder"));
    }
}
