use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use functions::config::Config;
use platform::env::Env;
use platform::http::server;
use serde_json::{Value, json};
use sqlx::PgPool;
use test_support::client::{Answer, TestClient};
use test_support::database::TestDatabase;
use test_support::person::{TEST_SECRET, anon_key, service_key};
use tokio::net::TcpListener;
use tokio::sync::watch;
use uuid::Uuid;

pub const PASSWORD: &str = "correct horse";

/// Everything create-admin needs: two listening services, and the functions' router.
pub struct Stack {
    pub functions: TestClient,
    pub auth: TestClient,
    pub rows: PgPool,
    pub auth_service: Router,
    pub gateway: Listening,
    pub database: TestDatabase,
    settings: Env,
    _gateway: rest_gateway::Gateway,
}

/// A gateway, and functions that call it.
pub struct Replica {
    pub functions: TestClient,
    pub gateway: TestClient,
    _gateway: rest_gateway::Gateway,
}

impl Stack {
    pub async fn start() -> Self {
        let database = TestDatabase::new().await;
        let settings = Env::from_iter([
            ("JWT_SECRET", TEST_SECRET),
            ("SITE_URL", "https://serasi.test"),
            ("AUTH_RATE_LIMITS", "off"),
            ("AUTH_CONFIRM_EMAIL", "vendor"),
            ("DATABASE_URL", &database.url_as("functions_admin").await),
            ("ANON_KEY", &anon_key()),
            ("SERVICE_ROLE_KEY", &service_key()),
            ("PGRST_DB_SCHEMAS", "public"),
            ("PGRST_DB_ANON_ROLE", "anon"),
            ("PGRST_JWT_SECRET", TEST_SECRET),
        ]);
        let auth_settings = settings.clone().with("DATABASE_URL", database.url_as("auth_admin").await);
        let auth = auth_service::config::Config::from_env(&auth_settings).unwrap();
        let auth = auth_service::app::app(auth).await.unwrap();
        let gateway_settings = settings.clone().with("PGRST_DB_URI", database.url_as("authenticator").await);
        let gateway = rest_gateway::Config::from_env(&gateway_settings).unwrap();
        let gateway = rest_gateway::start(gateway).await.unwrap();
        loaded(&gateway).await;
        let gateway_listening = Listening::start(gateway.router()).await;
        let settings = settings
            .with("AUTH_URL", listen(auth.clone()).await)
            .with("REST_URL", gateway_listening.url.clone());
        Self {
            functions: TestClient::new(
                functions::app::app(Config::from_env(&settings).unwrap()).await.unwrap(),
            ),
            auth: TestClient::new(auth.clone()),
            auth_service: auth,
            gateway: gateway_listening,
            rows: database.owner_pool().await,
            database,
            settings,
            _gateway: gateway,
        }
    }

    /// Functions of this stack with one changed setting and short timeouts.
    pub async fn functions_with(&self, name: &str, value: String) -> TestClient {
        TestClient::new(self.with_short_timeouts(self.settings.clone().with(name, value)).await)
    }

    /// The address of listening functions with short timeouts.
    pub async fn functions_listening(&self) -> String {
        listen(self.with_short_timeouts(self.settings.clone()).await).await
    }

    async fn with_short_timeouts(&self, settings: Env) -> Router {
        let mut config = Config::from_env(&settings).unwrap();
        config.call_timeout = Duration::from_secs(2);
        config.body_timeout = Duration::from_secs(1);
        functions::app::app(config).await.unwrap()
    }

    /// Two more replicas of the gateway and the functions on this stack's database, behind a proxy that they trust.
    pub async fn replicas(&self) -> [Replica; 2] {
        [self.replica(&self.settings).await, self.replica(&self.settings).await]
    }

    /// A replica whose gateway knows a standby.
    pub async fn replica_with_standby(&self) -> Replica {
        let unreachable = "postgres://authenticator@127.0.0.1:1/standby".to_owned();
        self.replica(&self.settings.clone().with("DATABASE_REPLICA_URL", unreachable)).await
    }

    async fn replica(&self, settings: &Env) -> Replica {
        let login = self.database.url_as("authenticator").await;
        let config = rest_gateway::Config::from_env(&settings.clone().with("PGRST_DB_URI", login)).unwrap();
        let gateway = rest_gateway::start(config).await.unwrap();
        loaded(&gateway).await;
        let settings = self
            .settings
            .clone()
            .with("REST_URL", listen(gateway.router()).await)
            .with("TRUSTED_PROXIES", "127.0.0.1");
        let functions = functions::app::app(Config::from_env(&settings).unwrap()).await.unwrap();
        Replica {
            functions: TestClient::new(functions),
            gateway: TestClient::new(gateway.router()),
            _gateway: gateway,
        }
    }

    /// The settings as environment variables.
    pub fn environment(&self) -> [(&'static str, String); 7] {
        ["AUTH_URL", "REST_URL", "ANON_KEY", "SERVICE_ROLE_KEY", "JWT_SECRET", "SITE_URL", "DATABASE_URL"]
            .map(|name| (name, self.settings.required(name).unwrap().to_owned()))
    }

    /// Signs up a user of this type and returns an access token.
    pub async fn portal_user(&self, user_type: &str) -> String {
        let body =
            json!({ "email": email(user_type), "password": PASSWORD, "data": { "user_type": user_type } });
        let signed_up = self.auth.post_json("/signup", &body).await.json();
        if let Some(id) = signed_up["id"].as_str().or(signed_up["user"]["id"].as_str()) {
            let path = format!("/admin/users/{id}");
            self.auth.with_token(service_key()).put_json(&path, &json!({ "email_confirm": true })).await;
        }
        self.sign_in(&email(user_type)).await
    }

    /// Creates an admin or superadmin and returns an access token.
    pub async fn officer(&self, role: &str) -> String {
        let body = json!({
            "email": email(role), "password": PASSWORD, "email_confirm": true,
            "app_metadata": { "marketplace_role": role },
        });
        assert_eq!(
            self.auth.with_token(service_key()).post_json("/admin/users", &body).await.status,
            StatusCode::OK
        );
        self.sign_in(&email(role)).await
    }

    pub async fn sign_in(&self, email: &str) -> String {
        let answer = self.try_sign_in(email, PASSWORD).await;
        answer.json()["access_token"].as_str().unwrap_or_else(|| panic!("{}", answer.text())).to_owned()
    }

    /// An access token of the account that a profile belongs to.
    pub async fn sign_in_as_owner(&self, profile: Uuid) -> String {
        let statement = "select u.id, u.email from auth.users u join app.influencers i on i.user_id = u.id where i.id = $1";
        let (account, email): (Uuid, String) =
            sqlx::query_as(statement).bind(profile).fetch_one(&self.rows).await.unwrap();
        let path = format!("/admin/users/{account}");
        let changed = json!({ "password": PASSWORD, "email_confirm": true });
        self.auth.with_token(service_key()).put_json(&path, &changed).await;
        self.sign_in(&email).await
    }

    pub async fn try_sign_in(&self, email: &str, password: &str) -> Answer {
        let body = json!({ "email": email, "password": password });
        self.auth.post_json("/token?grant_type=password", &body).await
    }

    pub async fn create_admin(&self, token: &str, body: Value) -> Answer {
        self.functions.with_token(token).post_json("/create-admin", &body).await
    }

    pub async fn roles_of(&self, email: &str) -> Vec<String> {
        sqlx::query_scalar(
            "select r.role::text from app.user_roles r join auth.users u on u.id = r.user_id where email = $1",
        )
        .bind(email)
        .fetch_all(&self.rows)
        .await
        .unwrap()
    }

    pub async fn accounts(&self) -> i64 {
        sqlx::query_scalar("select count(*) from auth.users").fetch_one(&self.rows).await.unwrap()
    }

    pub async fn run(&self, statement: &str) {
        sqlx::raw_sql(sqlx::AssertSqlSafe(statement.to_owned())).execute(&self.rows).await.unwrap();
    }
}

/// Waits until the gateway has loaded the schema.
async fn loaded(gateway: &rest_gateway::Gateway) {
    let client = TestClient::new(gateway.router()).with_token(service_key());
    for _ in 0..200 {
        if client.get("/user_roles?limit=1").await.status == StatusCode::OK {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the gateway does not become ready");
}

pub fn email(name: &str) -> String {
    format!("{name}@demo.serasi.test")
}

pub fn new_admin() -> Value {
    json!({ "email": email("new"), "password": PASSWORD })
}

/// A client that uses no proxy.
pub fn http() -> reqwest::Client {
    reqwest::Client::builder().no_proxy().build().unwrap()
}

/// A service that listens until it is stopped.
#[derive(Clone)]
pub struct Listening {
    pub url: String,
    stop: watch::Sender<bool>,
}

impl Listening {
    async fn start(app: Router) -> Self {
        let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (stop, stopped) = watch::channel(false);
        tokio::spawn(async move {
            let mut signal = stopped.clone();
            let stopped_signal = async move {
                let _ = signal.wait_for(|stop| *stop).await;
            };
            let ended = server::serve(listener, app, limits(), stopped_signal).await;
            // `stop` waits for this.
            drop(stopped);
            ended
        });
        Self { url, stop }
    }

    /// Returns once the service has answered its last request.
    pub async fn stop(&self) {
        self.stop.send(true).unwrap();
        self.stop.closed().await;
    }
}

fn limits() -> server::Limits {
    server::Limits::from_env(&Env::default()).unwrap()
}

/// Serves until the test ends; returns the address.
pub async fn listen(app: Router) -> String {
    let listener = TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(server::serve(listener, app, limits(), std::future::pending()));
    format!("http://{address}")
}

/// Asserts an error: always JSON with a message, never with internal details.
#[track_caller]
pub fn refused(answer: &Answer, status: u16) {
    assert_eq!(answer.status.as_u16(), status, "{}", answer.text());
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.header("retry-after"), (status == 503).then_some("1"));
    let error = answer.json()["error"].as_str().unwrap_or_default().to_owned();
    assert!(!error.is_empty(), "{}", answer.text());
    for inside in ["sql", "argon2", "panicked", "app.", "auth.", "http://", "postgres"] {
        assert!(!error.contains(inside), "{error}");
    }
}
