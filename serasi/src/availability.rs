//! The launcher's view of the database's state. While the database is down or its disk is almost full, the launcher responds in
//! place of the services, immediately. Its errors have the fields that the clients of all APIs read.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use axum::extract::Request;
use axum::http::{HeaderName, Method, StatusCode, header};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse, Response};
use axum::{Json, Router};
use platform::admin;
use platform::admin::readiness::Readiness;
use serde_json::{Value, json};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Available,
    /// The disk is too full for writes.
    ReadOnly,
    Unavailable,
}

/// Clones share the same state.
#[derive(Clone, Default)]
pub struct Availability(Arc<AtomicU8>);

impl Availability {
    pub fn set(&self, state: State) {
        self.0.store(state as u8, Ordering::Relaxed);
    }

    pub fn get(&self) -> State {
        match self.0.load(Ordering::Relaxed) {
            0 => State::Available,
            1 => State::ReadOnly,
            _ => State::Unavailable,
        }
    }

    fn guard(&self, routes: Router, refusal: fn(State, &Request) -> Option<Response>) -> Router {
        let availability = self.clone();
        routes.layer(from_fn(move |request: Request, next: Next| {
            let refused = refusal(availability.get(), &request);
            async move {
                match refused {
                    Some(response) => response,
                    None => next.run(request).await,
                }
            }
        }))
    }

    /// Rejects requests before they reach the services' routes.
    pub fn guard_services(&self, app: Router) -> Router {
        self.guard(app, |state, request| {
            let path = request.uri().path();
            (is_api(path) && refuses(state, request.method(), path)).then(|| refusal(state))
        })
    }

    /// Guards a gateway without a path prefix that only serves reads.
    pub fn guard_reads(&self, gateway: Router) -> Router {
        self.guard(gateway, |state, _| (state == State::Unavailable).then(|| refusal(state)))
    }

    /// Makes the operators' `/ready` return 503 while the database is down.
    pub fn guard_ready(&self, admin: Router) -> Router {
        self.guard(admin, |state, request| {
            let is_down = state == State::Unavailable && request.uri().path() == "/ready";
            is_down.then(|| (StatusCode::SERVICE_UNAVAILABLE, "the database is down").into_response())
        })
    }
}

const RETRY_AFTER: &str = "2";
const DOWN: &str = "The database is unavailable. Please try again in a moment.";
const FULL: &str =
    "The server is out of disk space: nothing can be saved at the moment. Please try again later.";

const APIS: [&str; 4] = ["/rest/v1", "/auth/v1", "/storage/v1", "/functions/v1"];
/// POST requests that only read.
const READ_BY_POST: [&str; 2] = ["/storage/v1/object/list", "/storage/v1/object/sign/"];
/// Paths that are served without the database.
const WITHOUT_DATABASE: [&str; 3] =
    ["/auth/v1/health", "/auth/v1/settings", "/auth/v1/.well-known/jwks.json"];

fn is_api(path: &str) -> bool {
    let rest = APIS.iter().find_map(|prefix| path.strip_prefix(prefix));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
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

fn refusal(state: State) -> Response {
    // PostgreSQL's code for a full disk, or PostgREST's for a lost connection.
    let (code, proxy_status, message) = match state {
        State::ReadOnly => ("53100", "PostgREST; error=53100", FULL),
        _ => ("PGRST001", "PostgREST; error=PGRST001", DOWN),
    };
    let body = json!({
        "code": code, "message": message, "details": null, "hint": null, "msg": message, "error": message,
        "error_code": "service_unavailable", "statusCode": "503",
    });
    let headers = [
        (header::RETRY_AFTER, RETRY_AFTER),
        (header::CACHE_CONTROL, "no-store"),
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (HeaderName::from_static("proxy-status"), proxy_status),
        (HeaderName::from_static("x-sb-error-code"), "service_unavailable"),
    ];
    (StatusCode::SERVICE_UNAVAILABLE, headers, Json(body)).into_response()
}

/// Serves requests until the database is reachable for the first time.
pub fn waiting() -> Router {
    Router::new().route("/health", axum::routing::get(health)).fallback(|request: Request| async move {
        match is_api(request.uri().path()) {
            true => refusal(State::Unavailable),
            false => {
                (StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, RETRY_AFTER)], DOWN).into_response()
            }
        }
    })
}

/// Serves the admin port until then. Must be called inside a runtime.
pub fn waiting_admin() -> Router {
    admin::router(Readiness::new(|| async { Err("the database can't be reached") }), || ())
}

/// Reports that this process is up, whatever the state of its dependencies.
pub async fn health() -> Json<Value> {
    Json(json!({ "status": "ok" }))
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
        assert!(is_api("/rest/v1") && is_api("/auth/v1/user"));
        assert!(!is_api("/rest/v10") && !is_api("/") && !is_api("/health"));
    }
}
