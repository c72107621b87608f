//! Lays an e-mail out, as HTML and as plain text.

use askama::Template;
use serde::Serialize;

use crate::config::Config;
use crate::texts::{MailTexts, Unusable, one_line};

/// Longer subjects are cut. Mail clients show far less.
const SUBJECT_CHARACTERS: usize = 150;

/// What is sent.
#[derive(Debug, Clone, Serialize)]
pub struct Rendered {
    pub subject: String,
    pub html: String,
    pub text: String,
    pub link: Option<String>,
    pub code: Option<String>,
    /// The address to which mail clients post to unsubscribe (RFC 8058).
    #[serde(skip)]
    pub one_click: Option<String>,
}

/// How to unsubscribe from e-mails like this one. Missing in e-mails that can't be unsubscribed from.
#[derive(Debug)]
pub struct Unsubscribe {
    pub one_click: String,
    /// The page for users. It asks for confirmation, because scanners follow links.
    pub page: String,
    pub settings: String,
}

#[derive(Template)]
#[template(path = "mail.html")]
struct Html<'a> {
    texts: &'a MailTexts,
    app_name: &'a str,
    footer: &'a str,
    site_url: &'a str,
    unsubscribe: Option<&'a Unsubscribe>,
}

#[derive(Template)]
#[template(path = "mail.txt")]
struct Text<'a> {
    texts: &'a MailTexts,
    footer: &'a str,
    site_url: &'a str,
    unsubscribe: Option<&'a Unsubscribe>,
}

impl Config {
    /// # Errors
    /// Fails when a template can't be filled in.
    pub fn lay_out(&self, texts: MailTexts, unsubscribe: Option<Unsubscribe>) -> Result<Rendered, Unusable> {
        let mut texts = texts.on_single_lines();
        texts.subject = single_line_subject(&texts.subject).into();
        let (app_name, footer) = (self.app_name.as_str(), self.footer.as_str());
        let site_url = self.site_url.as_str().trim_end_matches('/');
        let html = Html { texts: &texts, app_name, footer, site_url, unsubscribe: unsubscribe.as_ref() };
        let html = html.render().map_err(|_| Unusable)?;
        let text = Text { texts: &texts, footer, site_url, unsubscribe: unsubscribe.as_ref() };
        let text = text.render().map_err(|_| Unusable)?;
        Ok(Rendered {
            subject: texts.subject.into_owned(),
            html,
            text,
            link: texts.button.map(|button| button.link),
            code: texts.code,
            one_click: unsubscribe.map(|unsubscribe| unsubscribe.one_click),
        })
    }
}

/// A subject on one line, and not too long.
pub fn single_line_subject(subject: &str) -> String {
    let subject = one_line(subject);
    if subject.chars().count() <= SUBJECT_CHARACTERS {
        return subject;
    }
    subject.chars().take(SUBJECT_CHARACTERS - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use platform::env::Env;
    use url::Url;

    use super::*;
    use crate::texts::{Button, Fact, Item};

    fn laid_out(settings: &[(&str, &str)], texts: MailTexts) -> Rendered {
        let env: Env = settings.iter().copied().collect();
        let config = Config::from_env(&env, &Url::parse("https://serasi.test").unwrap()).unwrap();
        config.lay_out(texts, None).unwrap()
    }

    fn with_all_parts() -> MailTexts {
        MailTexts {
            subject: "Summary".into(),
            preheader: "Short".into(),
            paragraphs: vec!["This happened:".to_owned()],
            facts: vec![Fact { label: "Budget", value: "RM 500 to RM 900".to_owned() }],
            quote: Some("Two reels,\nplease <now>".to_owned()),
            items: vec![
                Item {
                    text: "Aina answered".to_owned(),
                    link: Some("https://serasi.test/answers/1".to_owned()),
                },
                Item { text: "A door closed".to_owned(), link: None },
            ],
            button: Some(Button { label: "Open", link: "https://serasi.test/x?a=b&c=d".to_owned() }),
            code: Some("428317".to_owned()),
            note: Some("Once.".to_owned()),
        }
    }

    #[test]
    fn every_part_is_in_the_html_and_in_the_text() {
        let Rendered { html, text, link, code, .. } = laid_out(&[], with_all_parts());
        for part in [
            "This happened:",
            "Budget",
            "RM 500 to RM 900",
            "Aina answered",
            "https://serasi.test/answers/1",
            "A door closed",
            "428317",
            "Once.",
        ] {
            assert!(html.contains(part) && text.contains(part), "{part}: {text}");
        }
        assert!(html.contains("Two reels,<br>please &#60;now&#62;"), "{html}");
        assert!(text.contains("> Two reels,\n> please <now>"), "{text}");
        assert!(html.contains("href=\"https://serasi.test/x?a=b&#38;c=d\""), "{html}");
        assert_eq!(
            (link.as_deref(), code.as_deref()),
            (Some("https://serasi.test/x?a=b&c=d"), Some("428317"))
        );
    }

    #[test]
    fn user_input_is_escaped_and_cannot_look_like_another_part() {
        let name = "<img src=x onerror=alert(1)>\"'&\r\n\r\nSign in again:\u{2028}https://other.test\u{202e}";
        let texts = MailTexts {
            subject: format!("{name} wrote").into(),
            paragraphs: vec![format!("Hi {name},")],
            quote: Some("Gladly.\rYours,\nAina".to_owned()),
            ..MailTexts::default()
        };
        let mail = laid_out(&[], texts);
        assert!(!mail.html.contains("<img") && !mail.html.contains('\u{202e}'), "{}", mail.html);
        assert!(mail.html.contains("&#60;img src=x"), "{}", mail.html);
        assert!(
            mail.text.starts_with("Hi <img src=x onerror=alert(1)>\"'& Sign in again: https://other.test ,")
        );
        assert!(mail.text.contains("> Gladly. Yours,\n> Aina\n"), "{}", mail.text);
        assert_eq!(mail.subject, "<img src=x onerror=alert(1)>\"'& Sign in again: https://other.test wrote");
    }

    #[test]
    fn nothing_is_fetched_when_a_mail_is_opened() {
        let html = laid_out(&[], with_all_parts()).html;
        for fetching in ["src=", "url(", "<link", "@import", "<script"] {
            assert!(!html.contains(fetching), "{fetching}");
        }
    }

    /// Gmail clips larger mails and drops linked styles. Outlook ignores background images and `max-width`. Clients
    /// that drop the `style` element still need everything but the dark colors.
    #[test]
    fn every_mail_fits_the_limits_of_gmail_and_outlook() {
        let Rendered { html, text, .. } = laid_out(&[], MailTexts { quote: None, ..with_all_parts() });
        assert!(html.len() < 102_000, "{} bytes", html.len());
        for unsupported in ["background-image", "display:flex", "display:grid", "<img", "<form"] {
            assert!(!html.contains(unsupported), "{unsupported}");
        }
        for needed in
            ["<!--[if mso]><table role=\"presentation\" width=\"560\"", "max-width:560px", "bgcolor="]
        {
            assert!(html.contains(needed), "{needed}");
        }
        assert_eq!(html.matches("<table").count(), html.matches("<table role=\"presentation\"").count());
        assert_eq!(html.matches("<table").count(), html.matches("</table>").count());
        let styles = &html[html.find("<style>").unwrap()..html.find("</style>").unwrap()];
        let light = styles.split("@media (prefers-color-scheme: dark)").next().unwrap();
        assert!(!light.contains("background") && styles.len() > light.len(), "{styles}");
        assert!(!text.trim().is_empty() && !text.contains('<'), "{text}");
    }

    /// The tiles are table cells, so that they are visible while a client blocks images.
    #[test]
    fn every_mail_starts_with_the_tiles() {
        let html = laid_out(&[], with_all_parts()).html;
        assert_eq!(html.matches("height:56px").count() % 8, 0);
        assert!(html.find("height:56px").unwrap() < html.find("<h1").unwrap());
    }

    #[test]
    fn an_app_has_its_name_and_its_footer() {
        let settings = [("APP_NAME", "Kopi & Co"), ("MAIL_FOOTER", "Kopi & Co, since 2019")];
        let mail = laid_out(&settings, with_all_parts());
        assert!(
            mail.html.contains(">Kopi &#38; Co</td>") && mail.html.contains(">Kopi &#38; Co, since 2019<br>")
        );
        assert!(mail.text.contains("-- \nKopi & Co, since 2019\nhttps://serasi.test"), "{}", mail.text);
        assert!(!mail.html.contains("Serasi") && !mail.text.contains("Serasi"));
    }
}
