//! Composes the four services into one router. Each service gets only the settings it needs, including a
//! database login with minimal privileges.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use auth_service::app::Auth;
use auth_service::background::Background as AuthBackground;
use auth_service::config::Config as AuthConfig;
use axum::Router;
use axum::routing::get;
use db::Contents;
use functions::background::{Background as FunctionsBackground, BackgroundConfig};
use functions::config::with_marketplace_defaults;
use mail::Captured;
use platform::admin;
use platform::admin::readiness::Readiness;
use platform::database::{LISTEN_URL, REPLICA_URL, with_login};
use platform::env::Env;
use platform::secret::Secret;
use platform::telemetry;
use rest_gateway::Gateway;
use storage_service::Storage;

use crate::availability::{DiskFull, PREFIXES, STORAGE_READS_BY_POST, health};
use crate::database::Database;
use crate::keys::Keys;

pub struct Services {
    gateway: Gateway,
    auth: Arc<Auth>,
    captured: Option<Captured>,
    mail_url: Option<String>,
    auth_background: AuthBackground,
    storage: Arc<Storage>,
    /// `None` without the marketplace.
    functions: Option<Functions>,
}

struct Functions {
    router: Router,
    background: FunctionsBackground,
}

/// The longest wait for the first readiness check.
const FIRST_CHECK: Duration = Duration::from_secs(5);

/// Starts all services.
///
/// # Errors
/// When a service has an invalid setting or can't reach the database. The message names the setting.
pub async fn start(
    env: &Env,
    database: &Database,
    keys: &Keys,
    own_url: &str,
    contents: Contents,
    captured: Option<Captured>,
) -> anyhow::Result<Services> {
    telemetry::install_metrics();
    let env = with_secrets(env.clone(), keys)
        // The functions call the other services like any client, over HTTP.
        .with("AUTH_URL", format!("{own_url}/auth/v1"))
        .with("REST_URL", format!("{own_url}/rest/v1"))
        .with("ANON_KEY", &keys.anon)
        .with("SERVICE_ROLE_KEY", &keys.service_role);
    let as_login = |login: &str| as_login(&env, database, login, keys);

    let gateway = rest_gateway::Config::from_env(&gateway_env(&env, database, keys)?)?;
    let gateway = rest_gateway::start(gateway).await?;
    let storage = storage_service::Config::from_env(&as_login("storage_admin")?)?;
    let storage = Arc::new(storage_service::start(storage).await?);

    // `ready` promises that the first request succeeds.
    gateway.loaded().await;
    let auth = with_default(as_login("auth_admin")?, "SITE_URL", own_url);
    let auth = if contents == Contents::Marketplace { with_marketplace_defaults(auth) } else { auth };
    let auth_config = AuthConfig::from_env(&auth)?;
    let auth = Arc::new(auth_service::app::start(auth_config.clone()).await?);
    let captured = captured.filter(|_| auth_config.mail.captures());
    let mail_url = captured.as_ref().map(|captured| format!("{own_url}{}", captured.path()));
    let auth_background = AuthBackground::start(&auth_config, captured.clone())?;
    let functions = match contents {
        Contents::Marketplace => {
            let env = as_login("functions_admin")?;
            let router = functions::app::app(functions::config::Config::from_env(&env)?).await?;
            let background =
                FunctionsBackground::start(&BackgroundConfig::from_env(&env)?, captured.clone())?;
            Some(Functions { router, background })
        }
        Contents::Backend => None,
    };
    Ok(Services { gateway, auth, captured, mail_url, auth_background, storage, functions })
}

/// The settings with a service's login.
fn as_login(env: &Env, database: &Database, login: &str, keys: &Keys) -> anyhow::Result<Env> {
    let (url, direct) = (database.login_url(login, keys)?, database.direct_login_url(login, keys)?);
    Ok(env.clone().with("DATABASE_URL", url.expose()).with(LISTEN_URL, direct))
}

/// The schemas that the gateway serves, comma-separated.
pub fn schemas(env: &Env) -> &str {
    env.optional("PGRST_DB_SCHEMAS").unwrap_or("public")
}

const GATEWAY_DEFAULTS: [(&str, &str); 5] = [
    // The audience of tokens from the auth service. Tokens without an audience, such as the public key, stay valid.
    ("PGRST_JWT_AUD", "authenticated"),
    ("PGRST_DB_REQUIRE_FILTER", "true"),
    ("PGRST_DB_STRICT_BOOLEANS", "true"),
    ("PGRST_DB_EXACT_COUNTS", "true"),
    ("PGRST_DB_MAX_ROWS", "1000"),
];

/// The gateway's settings. An operator can override its defaults.
fn gateway_env(env: &Env, database: &Database, keys: &Keys) -> anyhow::Result<Env> {
    let mut gateway_env = env
        .clone()
        .with("PGRST_DB_SCHEMAS", schemas(env))
        .with(LISTEN_URL, database.direct_login_url("authenticator", keys)?)
        .with(REPLICA_URL, replicas(env, database, "authenticator", keys)?)
        .with("PGRST_DB_URI", database.login_url("authenticator", keys)?.expose())
        .with("PGRST_DB_ANON_ROLE", "anon")
        .with("PGRST_JWT_SECRET", keys.jwt.verifying_keys().expose());
    for (name, value) in GATEWAY_DEFAULTS {
        gateway_env = with_default(gateway_env, name, value);
    }
    // As in Supabase, types of extensions keep their operators: `citext` compares case-insensitively.
    Ok(match gateway_env.given("PGRST_DB_EXTRA_SEARCH_PATH") {
        Some(_) => gateway_env,
        None => gateway_env.with("PGRST_DB_EXTRA_SEARCH_PATH", "public,extensions"),
    })
}

/// The login's connection string for the replicas. Only an external database has any.
fn replicas(env: &Env, database: &Database, login: &str, keys: &Keys) -> anyhow::Result<String> {
    let Some(url) = env.optional(REPLICA_URL).filter(|_| !database.is_embedded()) else {
        return Ok(String::new());
    };
    let url = with_login(url, login, keys.login_password(login).expose());
    let url = url.context("DATABASE_REPLICA_URL is not a URL that begins with postgres://")?;
    Ok(url.expose().to_owned())
}

/// Only the auth service, which is all that `create-superadmin` needs. The process that runs `serasi up`
/// delivers its mail.
///
/// # Errors
/// See [`start`].
pub async fn auth(env: &Env, login_url: &Secret, keys: &Keys) -> anyhow::Result<Router> {
    let env = with_secrets(with_default(env.clone(), "SITE_URL", "http://127.0.0.1"), keys)
        .with("DATABASE_URL", login_url.expose())
        // Another URL could be a superuser's.
        .with(LISTEN_URL, "");
    Ok(auth_service::app::app(AuthConfig::from_env(&env)?).await?)
}

fn with_secrets(env: Env, keys: &Keys) -> Env {
    env.with("JWT_SECRET", keys.jwt.secret().expose()).with("JWT_PREVIOUS_SECRETS", keys.previous_secrets())
}

impl Services {
    pub fn router(&self, disk: &DiskFull) -> Router {
        let [rest, auth, storage, functions] = PREFIXES;
        let app = Router::new()
            .merge(self.captured.as_ref().map(Captured::router).unwrap_or_default())
            .nest_service(rest, disk.guard(self.gateway.router(), &[]))
            .nest_service(auth, disk.guard(self.auth.router(), &[]))
            .nest_service(storage, disk.guard(self.storage.router(), &STORAGE_READS_BY_POST))
            .route("/health", get(health));
        match &self.functions {
            Some(Functions { router, .. }) => app.nest_service(functions, disk.guard(router.clone(), &[])),
            None => app,
        }
    }

    /// The gateway without a path prefix.
    pub fn gateway(&self) -> &Gateway {
        &self.gateway
    }

    /// Where captured e-mail is shown. Contains a secret.
    pub fn mail_url(&self) -> Option<&str> {
        self.mail_url.as_deref()
    }

    /// `/live`, `/ready`, `/metrics` and the other operator endpoints. Usually `/ready` is 200 from the start.
    pub async fn admin_router(&self) -> Router {
        let services = (self.gateway.clone(), Arc::clone(&self.auth), Arc::clone(&self.storage));
        let observed = services.clone();
        // The functions need the other services only.
        let readiness = Readiness::new(move || {
            let (gateway, auth, storage) = services.clone();
            async move { tokio::try_join!(gateway.ready(), auth.ready(), storage.ready()).map(drop) }
        });
        readiness.settle(FIRST_CHECK).await;
        let observe = move || {
            let (gateway, auth, storage) = &observed;
            gateway.observe();
            auth.observe();
            storage.observe();
        };
        admin::router(readiness, observe).merge(self.gateway.schema_cache_router())
    }

    /// Lets deliveries in progress finish.
    pub async fn stop(self) {
        self.gateway.stop();
        tokio::join!(self.auth_background.stop(), async {
            if let Some(functions) = self.functions {
                functions.background.stop().await;
            }
        });
    }
}

/// Sets a default that the operator can override.
fn with_default(env: Env, name: &str, value: &str) -> Env {
    if env.optional(name).is_some() { env } else { env.with(name, value) }
}
