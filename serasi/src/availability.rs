//! What is served while the database is not reachable yet, and which requests are refused while its disk is full. While it
//! restarts, each service responds itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::extract::Request;
use axum::http::{Method, StatusCode};
use axum::middleware::{Next, from_fn};
use axum::routing::get;
use axum::{Json, Router};
use platform::admin;
use platform::admin::readiness::Readiness;
use platform::http::unavailable::{RETRY_AFTER, Reason, unavailable};
use serde_json::{Value, json};

/// The paths of the services.
pub const PREFIXES: [&str; 4] = ["/rest/v1", "/auth/v1", "/storage/v1", "/functions/v1"];
/// Requests of the storage service that only read.
pub const STORAGE_READS_BY_POST: [&str; 2] = ["/object/list", "/object/sign/"];

/// Whether the disk of the embedded database is too full for writes. Clones share it.
#[derive(Clone, Default)]
pub struct DiskFull(Arc<AtomicBool>);

impl DiskFull {
    pub fn set(&self, is_full: bool) {
        self.0.store(is_full, Ordering::Relaxed);
    }

    /// Refuses a service's requests that write while the disk is full. `reads_by_post`: the paths of its POST requests that
    /// only read.
    pub fn guard(&self, service: Router, reads_by_post: &'static [&'static str]) -> Router {
        let full = self.clone();
        service.layer(from_fn(move |request: Request, next: Next| {
            let path = request.uri().path();
            let is_refused = full.0.load(Ordering::Relaxed) && writes(request.method(), path, reads_by_post);
            async move {
                match is_refused {
                    true => unavailable(Reason::DiskFull),
                    false => next.run(request).await,
                }
            }
        }))
    }
}

fn writes(method: &Method, path: &str, reads_by_post: &[&str]) -> bool {
    let reads = [Method::GET, Method::HEAD, Method::OPTIONS].contains(method)
        || method == Method::POST && reads_by_post.iter().any(|prefix| path.starts_with(prefix));
    !reads
}

/// Serves requests until the database is reachable for the first time.
pub fn waiting() -> Router {
    let page = async || (StatusCode::SERVICE_UNAVAILABLE, [RETRY_AFTER], Reason::Unreachable.message());
    let service = || Router::new().fallback(async || unavailable(Reason::Unreachable));
    let services = PREFIXES.into_iter().fold(Router::new(), |app, prefix| app.nest(prefix, service()));
    services.route("/health", get(health)).fallback(page)
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
            (Method::GET, "/items", false),
            (Method::HEAD, "/object/public/images/a", false),
            (Method::OPTIONS, "/items", false),
            (Method::POST, "/object/list/images", false),
            (Method::POST, "/object/sign/images/a", false),
            (Method::POST, "/object/upload/sign/images/a", true),
            (Method::POST, "/items", true),
            (Method::PATCH, "/items", true),
            (Method::DELETE, "/object/images/a", true),
            (Method::POST, "/token", true),
        ] {
            assert_eq!(writes(&method, path, &STORAGE_READS_BY_POST), refused, "{method} {path}");
        }
    }
}
