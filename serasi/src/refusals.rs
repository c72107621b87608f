//! While the database is down or its disk is almost full, the launcher responds in place of the services:
//! immediately, and in each API's own error format.

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use platform::admin;
use platform::admin::readiness::Readiness;
use serde_json::{Value, json};

use crate::availability::{Availability, State};
use crate::services::health;

#[derive(Clone, Copy)]
pub enum Api {
    Rest,
    Auth,
    Storage,
    Functions,
}

const RETRY_AFTER: HeaderValue = HeaderValue::from_static("2");
const DOWN: &str = "The database is unavailable. Please try again in a moment.";
const FULL: &str =
    "The server is out of disk space: nothing can be saved at the moment. Please try again later.";

/// POST requests that only read.
const READ_BY_POST: [&str; 2] = ["/storage/v1/object/list", "/storage/v1/object/sign/"];
/// Paths that are served without the database.
const WITHOUT_DATABASE: [&str; 3] =
    ["/auth/v1/health", "/auth/v1/settings", "/auth/v1/.well-known/jwks.json"];

/// Rejects requests before they reach the services' routes.
pub fn guard(availability: &Availability, app: Router) -> Router {
    let availability = availability.clone();
    app.layer(from_fn(move |request: Request, next: Next| refuse_or_pass(availability.get(), request, next)))
}

/// Guards a gateway without a path prefix that only serves reads.
pub fn guard_reads(availability: &Availability, gateway: Router) -> Router {
    let availability = availability.clone();
    gateway.layer(from_fn(move |request: Request, next: Next| {
        let state = availability.get();
        async move {
            match state {
                State::Unavailable => Api::Rest.refusal(state),
                _ => next.run(request).await,
            }
        }
    }))
}

/// Makes the operators' `/ready` return 503 while the database is down.
pub fn guard_ready(availability: &Availability, admin: Router) -> Router {
    let availability = availability.clone();
    admin.layer(from_fn(move |request: Request, next: Next| {
        let is_down = availability.get() == State::Unavailable && request.uri().path() == "/ready";
        async move {
            match is_down {
                true => (StatusCode::SERVICE_UNAVAILABLE, "the database is down").into_response(),
                false => next.run(request).await,
            }
        }
    }))
}

async fn refuse_or_pass(state: State, request: Request, next: Next) -> Response {
    match Api::of(request.uri().path()) {
        Some(api) if refuses(state, request.method(), request.uri().path()) => api.refusal(state),
        _ => next.run(request).await,
    }
}

fn refuses(state: State, method: &Method, path: &str) -> bool {
    match state {
        State::Available => false,
        State::Unavailable => method != Method::OPTIONS && !WITHOUT_DATABASE.contains(&path),
        State::ReadOnly => {
            let reads = [Method::GET, Method::HEAD, Method::OPTIONS].contains(method)
                || method == Method::POST && READ_BY_POST.iter().any(|prefix| path.starts_with(prefix));
            !reads
        }
    }
}

impl Api {
    pub fn of(path: &str) -> Option<Self> {
        let apis = [
            ("/rest/v1", Self::Rest),
            ("/auth/v1", Self::Auth),
            ("/storage/v1", Self::Storage),
            ("/functions/v1", Self::Functions),
        ];
        let matches = |prefix: &str| {
            path.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        apis.into_iter().find(|(prefix, _)| matches(prefix)).map(|(_, api)| api)
    }

    pub fn refusal(self, state: State) -> Response {
        let message = if state == State::ReadOnly { FULL } else { DOWN };
        // PostgreSQL's code for a full disk, or PostgREST's for a lost connection.
        let code = if state == State::ReadOnly { "53100" } else { "PGRST001" };
        let body: Value = match self {
            Self::Rest => json!({ "code": code, "details": null, "hint": null, "message": message }),
            Self::Auth => json!({ "code": 503, "error_code": "service_unavailable", "msg": message }),
            Self::Storage => json!({
                "statusCode": "503", "error": "ServiceUnavailable", "message": message, "code": "ServiceUnavailable",
            }),
            Self::Functions => json!({ "error": message }),
        };
        let mut response = (StatusCode::SERVICE_UNAVAILABLE, Json(body)).into_response();
        let headers = response.headers_mut();
        headers.insert(header::RETRY_AFTER, RETRY_AFTER);
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        match self {
            Self::Rest => {
                let status = if state == State::ReadOnly {
                    "PostgREST; error=53100"
                } else {
                    "PostgREST; error=PGRST001"
                };
                headers.insert("proxy-status", HeaderValue::from_static(status));
                // Like the gateway itself, let any origin read the error.
                headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
            }
            Self::Auth => {
                let name = HeaderName::from_static("x-sb-error-code");
                headers.insert(name, HeaderValue::from_static("service_unavailable"));
            }
            Self::Storage | Self::Functions => (),
        }
        response
    }
}

/// Serves requests until the database is reachable for the first time.
pub fn waiting() -> Router {
    Router::new().route("/health", axum::routing::get(health)).fallback(|request: Request| async move {
        match Api::of(request.uri().path()) {
            Some(api) => api.refusal(State::Unavailable),
            None => {
                let retry = [(header::RETRY_AFTER, RETRY_AFTER)];
                (StatusCode::SERVICE_UNAVAILABLE, retry, DOWN).into_response()
            }
        }
    })
}

/// Serves the admin port until then. Must be called inside a runtime.
pub fn waiting_admin() -> Router {
    admin::router(Readiness::new(|| async { Err("the database can't be reached") }), || ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_rejects_only_writes() {
        for (method, path, refused) in [
            (Method::GET, "/rest/v1/influencers", false),
            (Method::HEAD, "/storage/v1/object/public/images/a", false),
            (Method::OPTIONS, "/rest/v1/influencers", false),
            (Method::POST, "/storage/v1/object/list/images", false),
            (Method::POST, "/storage/v1/object/sign/images/a", false),
            (Method::POST, "/storage/v1/object/upload/sign/images/a", true),
            (Method::POST, "/rest/v1/influencers", true),
            (Method::PATCH, "/rest/v1/influencers", true),
            (Method::DELETE, "/storage/v1/object/images/a", true),
            (Method::POST, "/auth/v1/token", true),
        ] {
            assert_eq!(refuses(State::ReadOnly, &method, path), refused, "{method} {path}");
            assert!(!refuses(State::Available, &method, path), "{method} {path}");
        }
    }

    #[test]
    fn requests_that_need_no_database_are_served_without_it() {
        assert!(refuses(State::Unavailable, &Method::GET, "/rest/v1/influencers"));
        assert!(!refuses(State::Unavailable, &Method::GET, "/auth/v1/health"));
        assert!(!refuses(State::Unavailable, &Method::OPTIONS, "/rest/v1/influencers"));
    }

    #[test]
    fn pages_belong_to_no_api() {
        assert!(Api::of("/rest/v1").is_some() && Api::of("/auth/v1/user").is_some());
        assert!(Api::of("/rest/v10").is_none() && Api::of("/").is_none() && Api::of("/health").is_none());
    }
}
