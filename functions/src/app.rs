//! All functions as one router. `main`, the launcher and the tests all build it here.

use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::routing::{any, post};
use platform::admin;
use platform::admin::readiness::Readiness;
use platform::env::ConfigError;
use platform::http::panics;
use platform::log_limit::LogLimit;
use platform::measure::measured;
use tower_http::cors::{AllowHeaders, CorsLayer};
use tower_http::set_header::SetResponseHeaderLayer;

use crate::clients::auth::AuthClient;
use crate::clients::gateway::{Gateway, with_position};
use crate::config::Config;
use crate::error::FunctionError;
use crate::state::{Functions, Shared};
use crate::{clients, create_admin, enquiries, unsubscribe};

/// The public router and the state behind the admin endpoints.
pub struct App {
    router: Router,
    functions: Shared,
}

impl App {
    pub fn router(&self) -> Router {
        self.router.clone()
    }

    /// The endpoints for operators. The functions are ready if the services that they call are. Must be
    /// called inside a runtime.
    pub fn admin_router(&self) -> Router {
        let functions = Arc::clone(&self.functions);
        let readiness = Readiness::new(move || {
            let functions = Arc::clone(&functions);
            async move {
                let (auth, gateway) = tokio::join!(functions.auth.responds(), functions.gateway.responds());
                if !auth {
                    return Err("the auth service does not answer");
                }
                if gateway { Ok(()) } else { Err("the gateway does not answer") }
            }
        });
        admin::router(readiness, || ())
    }
}

/// # Errors
/// Fails when a setting is invalid; the error names it.
pub async fn app(config: Config) -> Result<Router, ConfigError> {
    Ok(start(config)?.router)
}

/// # Errors
/// See [`app`].
pub fn start(config: Config) -> Result<App, ConfigError> {
    let http = clients::http(&config).map_err(|error| ConfigError::new("AUTH_URL", error.to_string()))?;
    let gateway = Gateway::new(&config, http.clone());
    let gateway = gateway.map_err(|error| ConfigError::new("ANON_KEY", error.to_string()))?;
    let cors = cors(&config);
    let auth = AuthClient::new(&config, http);
    let functions = Arc::new(Functions { auth, gateway, config, denials_logged: LogLimit::default() });
    let routes = Router::new()
        .route("/create-admin", post(create_admin::post))
        .route("/create-admin/", any(create_admin::no_such_path))
        .route("/create-admin/{*path}", any(create_admin::no_such_path))
        .route("/enquiries", post(enquiries::post))
        .route("/unsubscribe", post(unsubscribe::post).get(unsubscribe::get))
        .layer(axum::middleware::from_fn(with_position))
        .with_state(Arc::clone(&functions));
    let router = measured("functions", "/functions/v1", with_layers(routes, cors));
    Ok(App { router, functions })
}

/// Adds the layers and fallbacks shared by all functions.
fn with_layers(routes: Router, cors: CorsLayer) -> Router {
    let routes = routes.fallback(no_such_function).method_not_allowed_fallback(wrong_method);
    panics::recovering(routes, panicked)
        .layer(SetResponseHeaderLayer::if_not_present(
            header::CACHE_CONTROL,
            HeaderValue::from_static("no-store"),
        ))
        .layer(cors)
}

async fn no_such_function() -> FunctionError {
    FunctionError::by_platform(StatusCode::NOT_FOUND, "Requested function was not found")
}

/// axum adds `Allow` with the methods of the route.
async fn wrong_method() -> FunctionError {
    FunctionError::new(StatusCode::METHOD_NOT_ALLOWED, "Method not allowed")
}

/// A panic is a bug; the client sees only an internal error.
fn panicked() -> FunctionError {
    FunctionError::internal(&"a function panicked")
}

/// Browsers only let pages of allowed origins read responses.
fn cors(config: &Config) -> CorsLayer {
    CorsLayer::new()
        .allow_origin(config.allowed_origins.clone())
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers([HeaderName::from_static("x-relay-error")])
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use test_support::client::TestClient;

    use super::*;

    #[tokio::test]
    async fn a_panic_gets_a_response_without_details() {
        async fn broken() -> StatusCode {
            panic!("a secret")
        }
        let client =
            TestClient::new(with_layers(Router::new().route("/broken", any(broken)), CorsLayer::new()));

        let answer = client.post_json("/broken", &json!({})).await;

        assert_eq!(
            (answer.status, answer.header("x-relay-error")),
            (StatusCode::INTERNAL_SERVER_ERROR, None)
        );
        assert_eq!(answer.json(), json!({ "error": "Something went wrong on our side. Please try again." }));
    }
}
