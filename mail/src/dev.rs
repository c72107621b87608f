//! `/dev/mail/SECRET`: shows captured e-mail. These e-mails give access to accounts, so readers must know
//! the secret. A connection from this machine proves nothing: it can come from a proxy, and clients choose
//! the Host header.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde::Deserialize;
use uuid::Uuid;

use crate::captured::{Captured, CapturedMail};

const PAGE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; \
     frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
/// Allows displaying the e-mail in a frame and opening its links in a new tab.
const MAIL_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; base-uri 'none'; \
     form-action 'none'; sandbox allow-popups allow-popups-to-escape-sandbox";
const HEADERS: [(HeaderName, &str); 4] = [
    (header::CACHE_CONTROL, "no-store"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

#[derive(Template)]
#[template(path = "dev_mails.html")]
struct List {
    path: Arc<str>,
    mails: Vec<CapturedMail>,
}

#[derive(Template)]
#[template(path = "dev_mail.html")]
struct One {
    path: Arc<str>,
    mail: CapturedMail,
}

#[derive(Deserialize)]
struct Wanted {
    format: Option<String>,
}

impl Captured {
    pub fn router(&self) -> Router {
        let routes = Router::new()
            .route("/", get(list))
            .route("/{id}", get(one))
            .route("/{id}/html", get(html))
            .route("/{id}/source", get(source))
            // Only for these routes: the router is merged with others.
            .route_layer(middleware::from_fn(protected))
            .with_state(self.clone());
        Router::new().nest(self.path(), routes)
    }
}

async fn list(
    State(captured): State<Captured>,
    Query(wanted): Query<Wanted>,
    headers: HeaderMap,
) -> Response {
    let mails = captured.all();
    if wants_json(&wanted, &headers) {
        return Json(mails).into_response();
    }
    page(&List { path: Arc::clone(captured.path()), mails })
}

async fn one(
    State(captured): State<Captured>,
    Path(id): Path<Uuid>,
    Query(wanted): Query<Wanted>,
    headers: HeaderMap,
) -> Response {
    match captured.find(id) {
        Some(mail) if wants_json(&wanted, &headers) => Json(mail).into_response(),
        Some(mail) => page(&One { path: Arc::clone(captured.path()), mail }),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn html(State(captured): State<Captured>, Path(id): Path<Uuid>) -> Response {
    let Some(mail) = captured.find(id) else { return StatusCode::NOT_FOUND.into_response() };
    ([(header::CONTENT_SECURITY_POLICY, MAIL_POLICY)], Html(mail.rendered.html)).into_response()
}

async fn source(State(captured): State<Captured>, Path(id): Path<Uuid>) -> Response {
    captured
        .find(id)
        .map_or_else(|| StatusCode::NOT_FOUND.into_response(), |mail| mail.source.into_response())
}

fn page(template: &impl Template) -> Response {
    match template.render() {
        Ok(html) => ([(header::CONTENT_SECURITY_POLICY, PAGE_POLICY)], Html(html)).into_response(),
        Err(error) => {
            tracing::error!(%error, "can't render a page of captured e-mail");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

fn wants_json(wanted: &Wanted, headers: &HeaderMap) -> bool {
    let accepted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    wanted.format.as_deref() == Some("json") || accepted.starts_with("application/json")
}

async fn protected(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}
