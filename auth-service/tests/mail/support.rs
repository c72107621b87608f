use std::ops::Deref;
use std::time::Duration;

use auth_service::background::Background;
use auth_service::config::Config;
use platform::database::Servers;
use platform::env::Env;
use test_support::database::TestDatabase;
use test_support::faulty_proxy::FaultyProxy;
use test_support::outbox;
use test_support::person::TEST_SECRET;
use test_support::pooler::Pooler;

/// A test's own outbox and the configuration of its worker.
pub struct Outbox {
    pub config: Config,
    outbox: outbox::Outbox,
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
        let env: Env = environment(&outbox.database).await.into_iter().collect();
        let env = settings.iter().fold(env, |env, (name, value)| env.with(name, *value));
        let mut config = Config::from_env(&env).unwrap();
        let pace = &mut config.mail.pace;
        // Short pauses make tests quick.
        pace.poll = Duration::from_millis(20);
        pace.first_retry = Duration::from_millis(20);
        pace.longest_retry = Duration::from_millis(100);
        Self { config, outbox }
    }

    /// An outbox whose worker reaches the database through a proxy.
    pub async fn behind_proxy(smtp_url: &str) -> (Self, FaultyProxy) {
        let mut outbox = Self::with(&[("SMTP_URL", smtp_url), ("DATABASE_STATEMENT_SECONDS", "1")]).await;
        let proxy = FaultyProxy::start(outbox.database.address().await).await;
        let url = outbox.database.url_through("auth_admin", proxy.address()).await;
        outbox.config.database = url.parse().unwrap();
        (outbox, proxy)
    }

    /// An outbox whose worker shares two sessions with all other clients behind PgBouncer.
    pub async fn behind_pooler(smtp_url: &str) -> (Self, Pooler) {
        let mut outbox = Self::to(smtp_url).await;
        let pooler = Pooler::start(outbox.database.address().await.port(), 2);
        let address = ([127, 0, 0, 1], pooler.port()).into();
        let pooled: Servers = outbox.database.url_through("auth_admin", address).await.parse().unwrap();
        outbox.config.database.pooled = pooled.pooled;
        (outbox, pooler)
    }

    pub async fn to(smtp_url: &str) -> Self {
        Self::with(&[("SMTP_URL", smtp_url)]).await
    }

    /// The settings of the separate mail program.
    pub async fn environment(&self, smtp_url: &str) -> Vec<(&'static str, String)> {
        let mut environment = environment(&self.database).await;
        environment.push(("SMTP_URL", smtp_url.to_owned()));
        environment.push(("PORT", "0".to_owned()));
        environment
    }

    pub fn worker(&self) -> Background {
        Background::start(&self.config, None).unwrap()
    }
}

async fn environment(database: &TestDatabase) -> Vec<(&'static str, String)> {
    vec![
        ("DATABASE_URL", database.url_as("auth_admin").await),
        ("JWT_SECRET", TEST_SECRET.to_owned()),
        ("SITE_URL", "https://serasi.test".to_owned()),
        ("AUTH_OTP_SECONDS", "3600".to_owned()),
    ]
}
