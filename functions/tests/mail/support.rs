use std::ops::Deref;
use std::time::Duration;

use auth_service::background::Background as AuthBackground;
use functions::background::BackgroundConfig;
use mail::Running;
use platform::env::Env;
use test_support::outbox;
use test_support::person::TEST_SECRET;

/// A test's own outbox and the configuration of its workers.
pub struct Outbox {
    pub config: BackgroundConfig,
    auth: auth_service::config::Config,
    outbox: outbox::Outbox,
}

/// The workers of both services. Dropping them stops them.
pub struct Workers {
    _functions: Running,
    _auth: AuthBackground,
}

impl Deref for Outbox {
    type Target = outbox::Outbox;

    fn deref(&self) -> &outbox::Outbox {
        &self.outbox
    }
}

impl Outbox {
    pub async fn with(settings: &[(&str, &str)]) -> Self {
        let outbox = outbox::Outbox::new().await;
        let env = Env::from_iter([("JWT_SECRET", TEST_SECRET), ("SITE_URL", "https://serasi.test")]);
        let env = settings.iter().fold(env, |env, (name, value)| env.with(name, *value));
        let login = async |login| env.clone().with("DATABASE_URL", outbox.database.url_as(login).await);
        let mut config = BackgroundConfig::from_env(&login("functions_admin").await).unwrap();
        let mut auth = auth_service::config::Config::from_env(&login("auth_admin").await).unwrap();
        // Short pauses make tests quick.
        for pace in [&mut config.mail.pace, &mut auth.mail.pace] {
            pace.poll = Duration::from_millis(20);
            pace.first_retry = Duration::from_millis(20);
            pace.longest_retry = Duration::from_millis(100);
        }
        Self { config, auth, outbox }
    }

    pub async fn to(smtp_url: &str) -> Self {
        Self::with(&[("SMTP_URL", smtp_url)]).await
    }

    /// The settings of a gateway to the same database.
    pub async fn gateway_settings(&self) -> Env {
        Env::from_iter([
            ("PGRST_DB_URI", self.database.url_as("authenticator").await.as_str()),
            ("PGRST_DB_SCHEMAS", "public"),
            ("PGRST_DB_ANON_ROLE", "anon"),
            ("PGRST_JWT_SECRET", TEST_SECRET),
        ])
    }

    pub fn worker(&self) -> Workers {
        Workers {
            _functions: self.config.start_mail(None).unwrap(),
            _auth: AuthBackground::start(&self.auth, None).unwrap(),
        }
    }
}
