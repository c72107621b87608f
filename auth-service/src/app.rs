//! The whole service as one router. `main`, the launcher and the tests all build it here.

use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderName, Method, header};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{MethodRouter, any, delete, get, post, put};
use metrics::{counter, describe_counter, describe_gauge, gauge};
use platform::admin;
use platform::admin::readiness::{Missing, Readiness};
use platform::env::ConfigError;
use platform::http::panics;
use platform::measure::measured;
use tower_http::cors::{AllowHeaders, CorsLayer};

use crate::config::Config;
use crate::pace::paced;
use crate::rate_limit::Limited;
use crate::rate_limit_middleware::limited;
use crate::routes::factors::recovery_codes;
use crate::routes::{
    self, factors, health, invite, jwks, logout, not_offered, otp, reauthenticate, recover, resend, settings,
    signup, token, user, verify,
};
use crate::service::{Service, Shared};
use crate::{answer, cross_site};

/// The public router and the state behind the admin endpoints.
pub struct Auth {
    router: Router,
    service: Shared,
}

impl Auth {
    pub fn router(&self) -> Router {
        self.router.clone()
    }

    /// Returns once the database accepts connections.
    ///
    /// # Errors
    /// Fails when retrying can't help; the error names the setting.
    pub async fn wait_for_database(&self) -> Result<(), ConfigError> {
        self.service.pool.database().wait().await
    }

    /// Whether the database answers.
    ///
    /// # Errors
    /// The error names what is unavailable.
    pub async fn ready(&self) -> Result<(), Missing> {
        self.service.pool.ready().await.map_err(|_| "the database does not answer")
    }

    /// The endpoints for operators. Must be called inside a runtime.
    pub fn admin_router(self: &Arc<Self>) -> Router {
        let auth = Arc::clone(self);
        let readiness = Readiness::new(move || {
            let auth = Arc::clone(&auth);
            async move { auth.ready().await }
        });
        let auth = Arc::clone(self);
        admin::router(readiness, move || auth.observe())
    }

    /// Sets the gauges of this service.
    pub fn observe(&self) {
        self.service.pool.observe("auth");
        // Alerts need a value before the first event.
        for event in ["signed_in", "refresh_token_reused", "hash_refused"] {
            counter!("auth_events_total", "event" => event).increment(0);
        }
        gauge!("auth_hashes_waiting").increment(0);
    }
}

/// Adds the help texts to `/metrics`.
fn describe_metrics() {
    describe_counter!("auth_events_total", "Security events");
    describe_gauge!("auth_hashes_waiting", "Passwords waiting for a processor core");
}

/// # Errors
/// Fails when a setting is invalid; the error names it.
pub async fn app(config: Config) -> Result<Router, ConfigError> {
    Ok(start(config).await?.router())
}

/// An unreachable database is not an error: each request tries to connect again.
///
/// # Errors
/// See [`app`].
pub async fn start(config: Config) -> Result<Auth, ConfigError> {
    describe_metrics();
    let service = Service::start(config).await?;
    let limit = |kind: Limited, route: MethodRouter<Shared>| {
        route.layer(from_fn_with_state((service.clone(), kind), limited))
    };
    let limit_and_pace =
        |kind: Limited, route: MethodRouter<Shared>| limit(kind, route.layer(from_fn(paced)));
    let router = Router::new()
        .route("/health", get(health::get))
        .route("/settings", get(settings::get))
        .route("/.well-known/jwks.json", get(jwks::get))
        .route("/signup", limit(Limited::SignUp, post(signup::post)))
        .route("/token", limit(Limited::Token, post(token::post)))
        .route("/user", get(user::get).merge(limit(Limited::UserChange, put(user::put))))
        .route("/logout", post(logout::post))
        .route("/reauthenticate", get(reauthenticate::get))
        .route("/recover", limit_and_pace(Limited::Recover, post(recover::post)))
        .route("/resend", limit_and_pace(Limited::Resend, post(resend::post)))
        .route("/otp", limit_and_pace(Limited::Otp, post(otp::post)))
        .route("/magiclink", limit_and_pace(Limited::MagicLink, post(otp::post)))
        .route("/verify", limit(Limited::Verify, get(verify::get).post(verify::post)).head(verify::head))
        .merge(not_offered())
        .merge(factors(&service))
        .merge(operators())
        .fallback(answer::unknown_route)
        .method_not_allowed_fallback(answer::wrong_method);
    let router = with_layers(router.with_state(service.clone()), cors(&service.config));
    let router = measured("auth", "/auth/v1", router);
    Ok(Auth { router, service })
}

/// Features of Supabase's server that this one doesn't have.
fn not_offered() -> Router<Shared> {
    Router::new()
        .route("/sso", post(not_offered::sso))
        .route("/authorize", get(not_offered::authorize))
        .route("/user/identities/authorize", get(not_offered::identities))
        .route("/user/identities/{id}", delete(not_offered::identities))
        .route("/passkeys", any(not_offered::passkeys))
        .route("/passkeys/{*rest}", any(not_offered::passkeys))
        .route("/oauth/{*rest}", any(not_offered::oauth_server))
        .route("/user/oauth/grants", any(not_offered::oauth_grants))
        .route("/admin/oauth/{*rest}", any(not_offered::oauth_clients))
        .route("/admin/custom-providers", any(not_offered::custom_providers))
        .route("/admin/custom-providers/{*rest}", any(not_offered::custom_providers))
}

/// For callers with the service key.
fn operators() -> Router<Shared> {
    use routes::admin::{factors, generate_link, users};
    let router = Router::new()
        .route("/invite", post(invite::post))
        .route("/admin/generate_link", post(generate_link::post));
    let account = get(users::get).put(users::update::put).delete(users::delete::delete);
    let router =
        with_or_without_slash(router, "/admin/users", get(users::list::get).post(users::create::post));
    let router = with_or_without_slash(router, "/admin/users/{id}", account);
    let router = with_or_without_slash(router, "/admin/users/{id}/factors", get(factors::list));
    let factor = put(factors::rename).delete(factors::delete);
    with_or_without_slash(router, "/admin/users/{id}/factors/{factor}", factor)
}

/// GoTrue accepts a trailing slash on these paths.
fn with_or_without_slash(
    router: Router<Shared>,
    path: &str,
    methods: MethodRouter<Shared>,
) -> Router<Shared> {
    router.route(path, methods.clone()).route(&format!("{path}/"), methods)
}

/// Second factors. All of their endpoints share one bucket per client, because each verification needs two
/// requests.
fn factors(service: &Shared) -> Router<Shared> {
    let router = with_or_without_slash(Router::new(), "/factors", post(factors::enroll::post));
    let router = with_or_without_slash(router, "/factors/{id}", delete(factors::unenroll::delete));
    router
        .route(
            "/factors/recovery-codes",
            get(recovery_codes::get).post(recovery_codes::post).delete(recovery_codes::delete),
        )
        .route("/factors/recovery-codes/regenerate", post(recovery_codes::post))
        .route("/factors/recovery-codes/verify", post(recovery_codes::verify))
        .route("/factors/{id}/challenge", post(factors::challenge::post))
        .route("/factors/{id}/verify", post(factors::verify::post))
        .layer(from_fn_with_state((service.clone(), Limited::Factors), limited))
}

/// Adds the layers shared by all routes.
fn with_layers(routes: Router, cors: CorsLayer) -> Router {
    panics::recovering(routes, answer::panicked)
        .layer(from_fn(cross_site::refuse))
        .layer(from_fn(answer::complete))
        .layer(cors)
}

/// Browsers only let pages of allowed origins read responses. Tokens travel in headers, never in cookies.
fn cors(config: &Config) -> CorsLayer {
    CorsLayer::new()
        .allow_origin(config.allowed_origins.clone())
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers([
            HeaderName::from_static("x-total-count"),
            header::LINK,
            HeaderName::from_static("x-supabase-api-version"),
            header::RETRY_AFTER,
        ])
}

#[cfg(test)]
mod tests {
    use axum::http::StatusCode;
    use serde_json::json;
    use test_support::client::TestClient;

    use super::*;

    #[tokio::test]
    async fn a_panic_gets_a_response_without_details() {
        async fn broken() -> StatusCode {
            panic!("a secret")
        }
        let client =
            TestClient::new(with_layers(Router::new().route("/broken", get(broken)), CorsLayer::new()));

        let answer = client.get("/broken").await;

        assert_eq!(answer.status, StatusCode::INTERNAL_SERVER_ERROR);
        let message = "Unexpected failure, please check server logs for more information";
        assert_eq!(answer.json(), json!({ "code": 500, "error_code": "unexpected_failure", "msg": message }));
    }
}
