use std::time::{Duration, Instant};

use auth_service::config::Config;
use auth_service::mail::{Mail, WithoutSmtp};
use chrono::TimeDelta;
use platform::database::Servers;
use platform::env::Env;
use serde_json::{Value, json};
use sqlx::PgPool;
use test_support::database::TestDatabase;
use test_support::faulty_proxy::FaultyProxy;
use test_support::person::TEST_SECRET;
use test_support::pooler::Pooler;
use uuid::Uuid;

const LIMIT: Duration = Duration::from_secs(30);

/// A test's own outbox and the configuration of its worker.
pub struct Outbox {
    pub config: Config,
    pub rows: PgPool,
    database: TestDatabase,
}

impl Outbox {
    pub async fn with(settings: &[(&str, &str)]) -> Self {
        let database = TestDatabase::new().await;
        let env: Env = environment(&database).await.into_iter().collect();
        let env = settings.iter().fold(env, |env, (name, value)| env.with(name, *value));
        let mut config = Config::from_env(&env).unwrap();
        let pace = &mut config.mail.pace;
        // Short pauses make tests quick.
        pace.poll = Duration::from_millis(20);
        pace.first_retry = Duration::from_millis(20);
        pace.longest_retry = Duration::from_millis(100);
        pace.token_life = TimeDelta::hours(1);
        let rows = database.owner_pool().await;
        Self { config, rows, database }
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

    /// The settings of a gateway to the same database.
    pub async fn gateway_settings(&self) -> Env {
        Env::from_iter([
            ("PGRST_DB_URI", self.database.url_as("authenticator").await.as_str()),
            ("PGRST_DB_SCHEMAS", "public"),
            ("PGRST_DB_ANON_ROLE", "anon"),
            ("PGRST_JWT_SECRET", TEST_SECRET),
        ])
    }

    pub fn worker(&self) -> Mail {
        Mail::start(&self.config, WithoutSmtp::Wait).unwrap()
    }

    pub async fn add(&self, recipient: &str) -> Uuid {
        self.add_with("recovery", recipient, json!({ "link": "https://serasi.test/x", "code": "428317" }))
            .await
    }

    pub async fn add_with(&self, template: &str, recipient: &str, data: Value) -> Uuid {
        let add = "insert into serasi.mail_outbox (template, recipient, data) values ($1, $2, $3) returning id";
        sqlx::query_scalar(add).bind(template).bind(recipient).bind(data).fetch_one(&self.rows).await.unwrap()
    }

    pub async fn mail(&self, id: Uuid) -> Row {
        let columns =
            "select data, attempts, sent_at is not null as sent, given_up_at is not null as given_up,
            last_error from serasi.mail_outbox where id = $1";
        sqlx::query_as(columns).bind(id).fetch_one(&self.rows).await.unwrap()
    }

    /// The row, as soon as it meets the condition.
    pub async fn until(&self, id: Uuid, what: impl Fn(&Row) -> bool) -> Row {
        let began = Instant::now();
        loop {
            let row = self.mail(id).await;
            if what(&row) {
                return row;
            }
            assert!(began.elapsed() < LIMIT, "the row stays {row:?}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    pub async fn sent(&self, id: Uuid) -> Row {
        self.until(id, |row| row.sent).await
    }

    pub async fn given_up(&self, id: Uuid) -> Row {
        self.until(id, |row| row.given_up).await
    }

    /// Ends the lease or the pause.
    pub async fn let_time_pass(&self) {
        let due = "update serasi.mail_outbox set next_attempt_at = now() where sent_at is null and given_up_at is null";
        sqlx::query(due).execute(&self.rows).await.unwrap();
    }
}

#[derive(Debug, sqlx::FromRow)]
pub struct Row {
    pub data: Value,
    pub attempts: i32,
    pub sent: bool,
    pub given_up: bool,
    pub last_error: Option<String>,
}

async fn environment(database: &TestDatabase) -> Vec<(&'static str, String)> {
    vec![
        ("DATABASE_URL", database.url_as("auth_admin").await),
        ("JWT_SECRET", TEST_SECRET.to_owned()),
        ("SITE_URL", "https://serasi.test".to_owned()),
    ]
}
