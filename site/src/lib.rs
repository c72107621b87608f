//! Serves the built frontend. Hashed files are cached forever; the page itself is always revalidated. Every
//! path that is not a file gets the page, because the client-side router handles it. Each page has its own
//! title, description and preview image for shared links.

mod assets;
mod built;
pub mod demo;
mod first_answers;
mod head;
mod pages;
mod pictures;
mod public_data;
pub mod seed;
pub mod serve;
mod sitemap;

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::Context;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use platform::http::panics;
use tower::ServiceExt;
use tower_http::compression::CompressionLayer;
use tower_http::services::ServeDir;
use tower_http::services::fs::DefaultServeDirFallback;

use assets::Assets;
pub use built::Pages;
use first_answers::FirstRequests;
use head::Head;
use pages::Page;
use public_data::{PublicData, is_uuid};

/// The product in one sentence, for the help of the program.
pub const ABOUT: &str = "Serasi, the marketplace where brands find influencers, agencies and vendors";

/// The kinds of accounts that a sign-up can ask for.
pub const USER_TYPES: [&str; 3] = ["influencer", "agency", "vendor"];

/// Placeholder for the public key in index.html.
const KEY_PLACE: &str = "%ANON_KEY%";

/// Delimit the default head in index.html, which each page replaces.
const HEAD_BEGINS: &str = "<!--head-->";
const HEAD_ENDS: &str = "<!--/head-->";

/// The element that the application renders into. Until then it contains the prerendered shell.
const ROOT: &str = "<div id=\"root\">";

/// Written by the frontend's `scripts/shells.mjs`: HTML by page path.
const SHELLS: &str = ".vite/shells.json";

/// Only scripts from this origin, never inline. `blob:` lets a chosen picture be previewed before its
/// upload.
const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
     img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; \
     form-action 'self'; frame-ancestors 'none'";

/// Browsers honor HSTS only over HTTPS.
const SECURITY_HEADERS: [(HeaderName, &str); 6] = [
    (header::STRICT_TRANSPORT_SECURITY, "max-age=31536000; includeSubDomains"),
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "strict-origin-when-cross-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), microphone=(), geolocation=()"),
];

/// The application itself may be what fails, so this page does not depend on it.
const PANICKED: &str = "<!doctype html><html lang=\"en\"><title>Something went wrong</title>\
     <h1>Something went wrong</h1><p>The page could not be loaded. Please try again.</p></html>";

struct Site {
    /// index.html before and after the head.
    page: (String, String),
    files: ServeDir<DefaultServeDirFallback, Pages>,
    assets: Assets,
    /// The first view of each page for visitors, prerendered by the build, so that there is content before any script runs.
    shells: BTreeMap<String, String>,
    first_requests: FirstRequests,
    /// Public URL of the site, without a trailing slash.
    url: String,
    data: PublicData,
}

type Shared = Arc<Site>;

/// `gateway` serves the public data of profiles. `url` is the site's public URL.
///
/// # Errors
/// When the build has no index.html, or when that has no head markers.
pub fn app(built: &Pages, anon_key: &str, url: &str, gateway: Router) -> anyhow::Result<Router> {
    let page = built.text("index.html")?.replace(KEY_PLACE, anon_key);
    let (before, rest) = page.split_once(HEAD_BEGINS).context("index.html has no head marker")?;
    let (_, after) = rest.split_once(HEAD_ENDS).context("index.html has no end marker of the head")?;
    let site = Site {
        page: (before.to_owned(), after.to_owned()),
        files: ServeDir::with_backend("", built.clone())
            .append_index_html_on_directories(false)
            .precompressed_br()
            .precompressed_gzip(),
        assets: Assets::read(built)?,
        shells: serde_json::from_str(&built.text(SHELLS)?).context(SHELLS)?,
        first_requests: first_answers::read(built)?,
        url: url.to_owned(),
        data: PublicData::new(gateway),
    };
    let routes = Router::new()
        .route("/robots.txt", get(sitemap::robots))
        .route("/sitemap.xml", get(sitemap::index))
        .route("/sitemap/{file}", get(sitemap::file))
        .fallback(serve)
        .with_state(Arc::new(site));
    Ok(with_layers(routes))
}

/// Adds the layers shared by all pages and files.
fn with_layers(routes: Router) -> Router {
    let panicked = || respond(StatusCode::INTERNAL_SERVER_ERROR, PANICKED.to_owned());
    panics::recovering(routes, panicked).layer(CompressionLayer::new()).layer(middleware::from_fn(secured))
}

async fn serve(State(site): State<Shared>, request: Request) -> Response {
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return (StatusCode::METHOD_NOT_ALLOWED, [(header::ALLOW, "GET, HEAD")]).into_response();
    }
    let path = request.uri().path().to_owned();
    let last = path.rsplit('/').next().unwrap_or_default();
    // No route has a dot in its last segment, and no file name starts with one.
    if !last.contains('.') || path == "/index.html" {
        // With a query string, the first view depends on its parameters.
        let data = site.data.requested_by(&request);
        return site.page(&path, request.uri().query().is_none(), &data).await;
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

impl Site {
    /// `first_view`: the page's initial content and requests are known and can be included.
    async fn page(&self, path: &str, first_view: bool, data: &PublicData) -> Response {
        let (before, after) = &self.page;
        let Some((page, id)) = pages::find(path) else {
            let head = Head::bare("Page not found", "There is no page at this address.");
            let html = format!("{before}{}{after}", head.html(&self.url));
            return respond(StatusCode::NOT_FOUND, html);
        };
        let requests = self.first_requests.get(&page.path).filter(|_| first_view && id.is_none_or(is_uuid));
        let answers = first_answers::fetch(data, requests.map_or(&[][..], Vec::as_slice), id);
        let ((status, head), mut answers) = tokio::join!(self.head(page, id, data), answers);
        // Don't reveal whether a page exists that the visitor may not see.
        if status == StatusCode::NOT_FOUND {
            answers.clear();
        }
        let pictures = pictures::preloads(&page.path, &answers);
        // Put the links last in the head, because resources for the first picture come first.
        let links = format!("{pictures}{}</head>", self.assets.preloads(&page.path));
        let mut after = after.replacen("</head>", &links, 1);
        if let Some(shell) = self.shells.get(&page.path).filter(|_| first_view) {
            let shell = pictures::in_place(shell, &page.path, &answers);
            after = after.replacen(ROOT, &format!("{ROOT}{shell}"), 1);
        }
        // Put the data behind the shell, so that the shell is rendered before the data arrives.
        if let Some((rest, end)) = after.rsplit_once("</body>") {
            after = format!("{rest}{}</body>{end}", first_answers::block(&answers));
        }
        respond(status, format!("{before}{}{after}", head.html(&self.url)))
    }

    /// Returns 404 both for a missing page and for one that the visitor may not see. The owner still sees
    /// it, because the browser requests the data with the owner's token.
    async fn head(&self, page: &Page, id: Option<&str>, data: &PublicData) -> (StatusCode, Head) {
        if let Some(id) = id.filter(|_| !page.private) {
            match data.head(page, id).await {
                Ok(Some(head)) => return (StatusCode::OK, head),
                Ok(None) => return (StatusCode::NOT_FOUND, Head::bare(&page.title, &page.description)),
                // The page itself shows the error.
                Err(error) => data.warn(&error, "sending a page without its own head"),
            }
        }
        let canonical = (!page.private && id.is_none()).then(|| page.path.clone());
        (StatusCode::OK, Head { canonical, ..Head::bare(&page.title, &page.description) })
    }
}

fn respond(status: StatusCode, html: String) -> Response {
    (status, [(header::CACHE_CONTROL, "no-cache")], Html(html)).into_response()
}

async fn secured(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    for (name, value) in SECURITY_HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

#[cfg(test)]
mod tests {
    use axum::body::{Body, to_bytes};

    use super::*;

    #[tokio::test]
    async fn a_panic_gets_a_page_with_security_headers() {
        async fn broken() -> StatusCode {
            panic!("a secret")
        }
        let app = with_layers(Router::new().route("/broken", get(broken)));
        let response = app.oneshot(Request::get("/broken").body(Body::empty()).unwrap()).await.unwrap();
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(response.headers()[header::CONTENT_SECURITY_POLICY], CONTENT_SECURITY_POLICY);
        let body = to_bytes(response.into_body(), 10_000).await.unwrap();
        let body = String::from_utf8(body.to_vec()).unwrap();
        assert!(body.contains("Please try again") && !body.contains("secret"), "{body}");
    }
}
