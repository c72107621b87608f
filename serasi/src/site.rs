//! Serves the built frontend: hashed files for ever, the page itself always fresh, and the page for
//! every address that is not a file, because the router in the browser knows the rest.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{Html, IntoResponse, Response};
use tower::ServiceExt;
use tower_http::services::ServeDir;

/// Stands in index.html where the public key belongs.
const KEY_PLACE: &str = "%ANON_KEY%";

/// Scripts only from here and never inline; pictures may come from a chosen file before its upload.
const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
     img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; \
     form-action 'self'; frame-ancestors 'none'";

const SECURITY_HEADERS: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "strict-origin-when-cross-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), microphone=(), geolocation=()"),
];

struct Site {
    page: String,
    files: ServeDir,
}

/// # Errors
/// When the build has no index.html.
pub fn app(folder: &Path, anon_key: &str) -> anyhow::Result<Router> {
    let file: PathBuf = folder.join("index.html");
    let page = std::fs::read_to_string(&file).with_context(|| format!("{} can't be read", file.display()))?;
    let site = Site {
        page: page.replace(KEY_PLACE, anon_key),
        files: ServeDir::new(folder).append_index_html_on_directories(false),
    };
    Ok(Router::new().fallback(serve).with_state(Arc::new(site)).layer(middleware::from_fn(secured)))
}

async fn serve(State(site): State<Arc<Site>>, request: Request) -> Response {
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return (StatusCode::METHOD_NOT_ALLOWED, [(header::ALLOW, "GET, HEAD")]).into_response();
    }
    let path = request.uri().path().to_owned();
    let last = path.rsplit('/').next().unwrap_or_default();
    // No address of ours has a dot in its last part, and no file of ours begins with one.
    if !last.contains('.') || path == "/index.html" {
        return ([(header::CACHE_CONTROL, "no-cache")], Html(site.page.clone())).into_response();
    }
    if path.split('/').any(|part| part.starts_with('.')) {
        return StatusCode::NOT_FOUND.into_response();
    }
    let Ok(mut response) = site.files.clone().oneshot(request).await.map(IntoResponse::into_response);
    let cache = if path.starts_with("/assets/") && response.status().is_success() {
        "public, max-age=31536000, immutable"
    } else {
        "no-cache"
    };
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static(cache));
    response
}

async fn secured(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    for (name, value) in SECURITY_HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}
