use auth_service::{app::app, config::Config};
use axum::http::StatusCode;
use platform::clock::Clock;
use platform::env::Env;
use serde_json::{Value, json};
use sqlx::PgPool;
use test_support::client::{Answer, TestClient};
use test_support::database::TestDatabase;
use test_support::faulty_proxy::FaultyProxy;
use test_support::person::{TEST_SECRET, service_key};

pub const PASSWORD: &str = "correct horse";

/// A running service with its own database, and a clock that the test advances.
pub struct Auth {
    pub client: TestClient,
    pub clock: Clock,
    pub rows: PgPool,
    config: Config,
    env: Env,
    /// Keeps the database until the service is dropped.
    _database: TestDatabase,
}

/// The parts of a session that a client stores.
#[derive(Debug, Clone)]
pub struct Session {
    pub access_token: String,
    pub refresh_token: String,
    pub user_id: String,
}

impl Auth {
    pub async fn start() -> Self {
        Self::start_with(&[]).await
    }

    pub async fn start_with(settings: &[(&str, &str)]) -> Self {
        Self::start_changed(settings, |_| ()).await
    }

    /// With a configuration that settings can't express.
    pub async fn start_changed(settings: &[(&str, &str)], change: impl FnOnce(&mut Config)) -> Self {
        let database = TestDatabase::new().await;
        let url = database.url_as("auth_admin").await;
        Self::on(database, &url, settings, change).await
    }

    /// Like `start_with`, with a proxy between the service and its database.
    pub async fn behind_proxy(settings: &[(&str, &str)]) -> (Self, FaultyProxy) {
        let database = TestDatabase::new().await;
        let proxy = FaultyProxy::start(database.address().await).await;
        let url = database.url_through("auth_admin", proxy.address()).await;
        (Self::on(database, &url, settings, |_| ()).await, proxy)
    }

    async fn on(
        database: TestDatabase,
        url: &str,
        settings: &[(&str, &str)],
        change: impl FnOnce(&mut Config),
    ) -> Self {
        let env = Env::from_iter([
            ("DATABASE_URL", url),
            ("JWT_SECRET", TEST_SECRET),
            ("SITE_URL", "https://serasi.test"),
            ("AUTH_RATE_LIMITS", "off"),
            ("AUTH_CONFIRM_EMAIL", "vendor"),
        ]);
        let env = settings.iter().fold(env, |env, (name, value)| env.with(name, *value));
        let mut config = Config::from_env(&env).unwrap();
        let clock = Clock::fixed(Clock::system().now());
        config.clock = clock.clone();
        change(&mut config);
        let client = TestClient::new(app(config.clone()).await.unwrap());
        let rows = database.owner_pool().await;
        Self { client, clock, rows, config, env, _database: database }
    }

    /// The service after a restart: only data in the database survives.
    pub async fn restarted(self) -> Self {
        let client = TestClient::new(app(self.config.clone()).await.unwrap());
        Self { client, ..self }
    }

    /// The same database and clock, with other settings.
    pub async fn with_settings(self, settings: &[(&str, &str)]) -> Self {
        let env = settings.iter().fold(self.env.clone(), |env, (name, value)| env.with(name, *value));
        let mut config = Config::from_env(&env).unwrap();
        config.clock = self.clock.clone();
        Self { config, env, ..self }.restarted().await
    }

    /// A second service with the same database and clock.
    pub async fn another_service(&self) -> TestClient {
        TestClient::new(app(self.config.clone()).await.unwrap())
    }

    /// The preparation of the database after startup.
    pub async fn prepare(&self) {
        auth_service::preparation::prepare(&self.config).await.unwrap();
    }

    pub fn operator(&self) -> TestClient {
        self.client.with_token(service_key())
    }

    pub async fn sign_up(&self, email: &str, data: Value) -> Answer {
        self.client.post_json("/signup", &json!({ "email": email, "password": PASSWORD, "data": data })).await
    }

    /// A signed-in influencer.
    pub async fn influencer(&self, email: &str) -> Session {
        session(&self.sign_up(email, json!({ "user_type": "influencer" })).await)
    }

    pub async fn sign_in(&self, email: &str, password: &str) -> Answer {
        let body = json!({ "email": email, "password": password });
        self.client.post_json("/token?grant_type=password", &body).await
    }

    pub async fn refresh(&self, token: &str) -> Answer {
        refresh(&self.client, token).await
    }

    pub async fn user(&self, session: &Session) -> Answer {
        self.as_owner(session).get("/user").await
    }

    pub fn as_owner(&self, session: &Session) -> TestClient {
        self.client.with_token(&session.access_token)
    }

    pub async fn count(&self, query: &'static str) -> i64 {
        sqlx::query_scalar(query).fetch_one(&self.rows).await.unwrap()
    }

    pub async fn text(&self, query: &'static str) -> Option<String> {
        sqlx::query_scalar(query).fetch_one(&self.rows).await.unwrap()
    }
}

pub async fn refresh(client: &TestClient, token: &str) -> Answer {
    client.post_json("/token?grant_type=refresh_token", &json!({ "refresh_token": token })).await
}

#[track_caller]
pub fn session(answer: &Answer) -> Session {
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    let body = answer.json();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    Session {
        access_token: text(&body["access_token"]),
        refresh_token: text(&body["refresh_token"]),
        user_id: text(&body["user"]["id"]),
    }
}

/// Asserts an error in the older format, which carries status and code.
#[track_caller]
pub fn refused(answer: &Answer, status: u16, code: &str) {
    let body = answer.json();
    assert_eq!(
        (answer.status.as_u16(), body["error_code"].as_str()),
        (status, Some(code)),
        "{}",
        answer.text()
    );
    assert_eq!(body["code"], status);
    assert_eq!(answer.header("x-sb-error-code"), Some(code));
}

#[track_caller]
pub fn says(answer: &Answer, message: &str) {
    assert_eq!(answer.json()["msg"], message);
}

/// The claims of a token, without checking the signature.
pub fn claims(token: &str) -> Value {
    serde_json::to_value(test_support::person::keys().verify(token).unwrap()).unwrap()
}
