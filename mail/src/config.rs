//! Mail settings, which all services that send e-mail share.
//!
//! | variable | meaning | default |
//! |---|---|---|
//! | `SMTP_URL` | `smtps://user:password@host` (465), or `smtp://…?tls=required` for STARTTLS (587), or `smtp://…` (25) | none: nothing is sent |
//! | `SMTP_CA_FILE` | PEM certificates trusted in addition to the public ones | none |
//! | `APP_NAME` | the name of the app, in mails and as the sender | `Serasi` |
//! | `MAIL_FOOTER` | the line at the end of each mail | `APP_NAME` |
//! | `MAIL_FROM` | the sender: `Serasi <no-reply@example.com>` | `no-reply` at the host of `SITE_URL` |
//! | `AUTH_NOTIFICATIONS_PER_HOUR` | notification e-mails per hour across all replicas | 300 |

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use lettre::message::Mailbox;
use lettre::transport::smtp::client::Certificate;
use platform::env::{ConfigError, Env};
use platform::secret::Secret;
use url::Url;

#[derive(Clone)]
pub struct Config {
    /// `None`: e-mail is captured locally and never sent.
    pub smtp: Option<SmtpServer>,
    pub from: Mailbox,
    pub site_url: Url,
    pub app_name: String,
    pub footer: String,
    pub pace: Pace,
    /// `None`: no limit on the e-mails of notifications.
    pub notifications_per_hour: Option<NonZeroU32>,
}

#[derive(Clone)]
pub struct SmtpServer {
    pub host: String,
    pub port: u16,
    pub tls: Tls,
    pub credentials: Option<(String, Secret)>,
    pub trusted: Vec<Certificate>,
    /// For each step: connecting with its encryption and sign-in, and each command.
    pub timeout: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tls {
    None,
    /// The connection starts in plain text and must be upgraded before any other command.
    Starttls,
    Implicit,
}

/// The retry schedule of outgoing e-mail.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// Maximum e-mails in delivery at the same time.
    pub lanes: usize,
    /// How long a worker keeps its claim on an e-mail. It must exceed the timeouts of all steps together: another worker
    /// claims a mail whose lease has expired.
    pub lease: Duration,
    /// Delay before the first retry. It doubles each time.
    pub first_retry: Duration,
    pub longest_retry: Duration,
    pub attempts: i32,
    /// Interval between polls: the longest delay of a new e-mail.
    pub poll: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self {
            lanes: 4,
            lease: seconds(120),
            first_retry: seconds(5),
            longest_retry: seconds(15 * 60),
            // About a day.
            attempts: 100,
            poll: Duration::from_millis(500),
        }
    }
}

/// The timeout of a step.
const STEP: Duration = Duration::from_secs(12);
/// The message itself may take as long as this many steps: a server that times out then may have accepted it, and a retry
/// would deliver it twice.
pub const MESSAGE_STEPS: u32 = 5;
/// The only name with the prefix of another service.
pub const NOTIFICATIONS_PER_HOUR: &str = "AUTH_NOTIFICATIONS_PER_HOUR";
const DEFAULT_PER_HOUR: NonZeroU32 = NonZeroU32::new(300).expect("300 is not zero");
const SMTP_NAMES: [&str; 2] = ["SMTP_URL", "SMTP_CA_FILE"];

impl Config {
    /// # Errors
    /// Fails when a setting is malformed or unknown; the error names it.
    pub fn from_env(env: &Env, site_url: &Url) -> Result<Self, ConfigError> {
        if let Some(unknown) = env.names_with_prefix("SMTP_").find(|name| !SMTP_NAMES.contains(name)) {
            return Err(ConfigError::new(unknown, "is not a setting of e-mail"));
        }
        let trusted: Option<_> = env.optional("SMTP_CA_FILE").map(certificate).transpose()?;
        let smtp = env.optional("SMTP_URL").map(|url| smtp_server(url, trusted.into_iter().collect()));
        let app_name = env.optional("APP_NAME").unwrap_or("Serasi").to_owned();
        let per_hour = env.parse_or(NOTIFICATIONS_PER_HOUR, DEFAULT_PER_HOUR)?;
        Ok(Self {
            smtp: smtp.transpose()?,
            from: sender(env, &app_name, site_url)?,
            site_url: site_url.clone(),
            footer: env.optional("MAIL_FOOTER").unwrap_or(&app_name).to_owned(),
            app_name,
            pace: Pace::default(),
            notifications_per_hour: env.flag_or("AUTH_RATE_LIMITS", true)?.then_some(per_hour),
        })
    }

    /// Whether e-mail is captured: without a server, and if only this machine can reach the site. Users of a site with
    /// another address have e-mail that nobody may read.
    pub fn captures(&self) -> bool {
        self.smtp.is_none()
            && self.site_url.host_str().is_some_and(|host| is_localhost(host.trim_matches(['[', ']'])))
    }
}

fn sender(env: &Env, app_name: &str, site_url: &Url) -> Result<Mailbox, ConfigError> {
    let refuse = |text: &str| {
        ConfigError::new(
            "MAIL_FROM",
            format!("`{text}` is not a sender such as `Serasi <no-reply@example.com>`"),
        )
    };
    if let Some(text) = env.optional("MAIL_FROM") {
        return text.parse().map_err(|_| refuse(text));
    }
    let address = format!("no-reply@{}", site_url.domain().unwrap_or("localhost"));
    Ok(Mailbox::new(Some(app_name.to_owned()), address.parse().map_err(|_| refuse(&address))?))
}

/// Errors never quote the URL, because it contains the password.
fn smtp_server(text: &str, trusted: Vec<Certificate>) -> Result<SmtpServer, ConfigError> {
    let refuse = |problem: &str| ConfigError::new("SMTP_URL", problem);
    let url = Url::parse(text).map_err(|error| refuse(&format!("is not a URL: {error}")))?;
    let (tls, port) = match (url.scheme(), url.query()) {
        ("smtps", None) => (Tls::Implicit, 465),
        ("smtp", Some("tls=required")) => (Tls::Starttls, 587),
        ("smtp", None) => (Tls::None, 25),
        ("smtps", Some("tls=required")) => {
            return Err(refuse("smtps is always encrypted: remove `?tls=required`"));
        }
        ("smtp" | "smtps", _) => {
            return Err(refuse("the only option is `?tls=required`, which is STARTTLS"));
        }
        _ => return Err(refuse("must begin with smtp:// or smtps://")),
    };
    // For these schemes the `url` crate treats every host that is not an IPv6 address as an opaque name.
    let host = url.host_str().filter(|host| !host.is_empty()).ok_or_else(|| refuse("has no host"))?;
    let host = host.trim_matches(['[', ']']).to_owned();
    let credentials = match (decoded(url.username()), url.password().map(decoded)) {
        (Some(user), Some(Some(password))) if !user.is_empty() => Some((user, Secret::new(password))),
        (Some(user), None) if user.is_empty() => None,
        _ => return Err(refuse("must have both a user and a password, or neither")),
    };
    if credentials.is_some() && tls == Tls::None && !is_localhost(&host) {
        return Err(refuse("the password would be sent unencrypted: use smtps:// or `?tls=required`"));
    }
    let port = url.port().unwrap_or(port);
    Ok(SmtpServer { host, port, tls, credentials, trusted, timeout: STEP })
}

fn is_localhost(host: &str) -> bool {
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn decoded(text: &str) -> Option<String> {
    let decoded = percent_encoding::percent_decode_str(text).decode_utf8().ok()?;
    (!decoded.contains(['\r', '\n', '\0'])).then(|| decoded.into_owned())
}

fn certificate(file: &str) -> Result<Certificate, ConfigError> {
    let refuse = |problem: String| ConfigError::new("SMTP_CA_FILE", problem);
    let pem = std::fs::read(file).map_err(|error| refuse(format!("{file} can't be read: {error}")))?;
    Certificate::from_pem(&pem).map_err(|_| refuse(format!("{file} contains no PEM certificate")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(settings: &[(&str, &str)]) -> Result<Config, ConfigError> {
        let site_url = Url::parse("https://serasi.test/").unwrap();
        Config::from_env(&settings.iter().copied().collect(), &site_url)
    }

    fn server(url: &str) -> SmtpServer {
        config(&[("SMTP_URL", url)]).unwrap().smtp.unwrap()
    }

    #[test]
    fn nothing_is_sent_by_default() {
        let config = config(&[]).unwrap();
        assert!(config.smtp.is_none());
        assert_eq!(config.from.to_string(), "Serasi <no-reply@serasi.test>");
    }

    #[test]
    fn the_name_of_the_app_is_the_sender_and_the_footer() {
        let named = config(&[("APP_NAME", "Kopi, Sdn Bhd")]).unwrap();
        assert_eq!(named.from.to_string(), "\"Kopi, Sdn Bhd\" <no-reply@serasi.test>");
        assert_eq!(named.footer, "Kopi, Sdn Bhd");
    }

    #[test]
    fn the_url_selects_host_port_and_encryption() {
        let seen = |url| {
            let server = server(url);
            (server.host, server.port, server.tls)
        };
        assert_eq!(seen("smtps://mail.example.com"), ("mail.example.com".to_owned(), 465, Tls::Implicit));
        assert_eq!(
            seen("smtp://mail.example.com?tls=required"),
            ("mail.example.com".to_owned(), 587, Tls::Starttls)
        );
        assert_eq!(seen("smtp://[::1]:2525"), ("::1".to_owned(), 2525, Tls::None));
        let (user, password) = server("smtps://me%40example.com:p%3Aw@mail.example.com").credentials.unwrap();
        assert_eq!((user.as_str(), password.expose()), ("me@example.com", "p:w"));
    }

    #[test]
    fn an_error_names_the_setting_but_not_the_password() {
        for (name, value) in [
            ("SMTP_URL", "mail.example.com:hush"),
            ("SMTP_URL", "http://me:hush@mail.example.com"),
            ("SMTP_URL", "smtp://me:hush@mail.example.com"),
            ("SMTP_URL", "smtps://me:hush@mail.example.com?tls=required"),
            ("SMTP_URL", "smtp://me:hush@mail.example.com?tls=hush"),
            ("SMTP_URL", "smtps://hush@mail.example.com"),
            ("SMTP_URL", "smtps://:hush@mail.example.com"),
            ("SMTP_URL", "smtps://me:hu%0Ash@mail.example.com"),
            ("SMTP_URI", "smtps://mail.example.com"),
            ("MAIL_FROM", "nobody"),
            ("MAIL_FROM", "a@example.com\r\nBcc: b@example.com"),
        ] {
            let error = config(&[(name, value)]).err().unwrap();
            assert_eq!(error.variable, name, "{error}");
            assert!(!error.problem.contains("hush"), "{error}");
        }
        let error = config(&[("SMTP_URL", "smtps://x.test"), ("SMTP_CA_FILE", "/nowhere")]).err().unwrap();
        assert_eq!(error.variable, "SMTP_CA_FILE");
    }

    #[test]
    fn an_unencrypted_password_is_allowed_for_localhost_only() {
        assert!(server("smtp://me:hush@127.0.0.1:2525").credentials.is_some());
        assert!(server("smtp://me:hush@localhost").credentials.is_some());
    }

    #[test]
    fn a_lease_outlasts_every_attempt() {
        // CONNECT, MAIL, RCPT, DATA and the message.
        assert!(Pace::default().lease > (4 + MESSAGE_STEPS) * STEP);
    }
}
