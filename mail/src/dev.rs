//! `/dev/mail/SECRET`: shows captured e-mail. These e-mails give access to accounts, so readers must know
//! the secret. A connection from this machine proves nothing: it can come from a proxy, and clients choose
//! the Host header.

use std::convert::Infallible;
use std::sync::Arc;

use askama::Template;
use axum::extract::{FromRequestParts, Path, State};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::map_response;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
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

/// Whether the client wants JSON instead of a page.
struct WantsJson(bool);

impl<S: Sync> FromRequestParts<S> for WantsJson {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        let accepted = parts.headers.get(header::ACCEPT).map(HeaderValue::as_bytes).unwrap_or_default();
        let query = parts.uri.query().unwrap_or_default();
        Ok(Self(
            accepted.starts_with(b"application/json") || query.split('&').any(|pair| pair == "format=json"),
        ))
    }
}

impl Captured {
    pub fn router(&self) -> Router {
        let routes = Router::new()
            .route("/", get(list))
            .route("/{id}", get(one))
            .route("/{id}/html", get(html))
            .route("/{id}/source", get(source))
            // Only for these routes: the router is merged with others.
            .route_layer(map_response(async |response: Response| (HEADERS, response)))
            .with_state(self.clone());
        Router::new().nest(self.path(), routes)
    }

    fn found(&self, id: Uuid) -> Result<CapturedMail, StatusCode> {
        self.find(id).ok_or(StatusCode::NOT_FOUND)
    }
}

async fn list(State(captured): State<Captured>, WantsJson(json): WantsJson) -> Result<Response, StatusCode> {
    let mails = captured.all();
    if json {
        return Ok(Json(mails).into_response());
    }
    page(&List { path: Arc::clone(captured.path()), mails })
}

async fn one(
    State(captured): State<Captured>,
    Path(id): Path<Uuid>,
    WantsJson(json): WantsJson,
) -> Result<Response, StatusCode> {
    let mail = captured.found(id)?;
    if json {
        return Ok(Json(mail).into_response());
    }
    page(&One { path: Arc::clone(captured.path()), mail })
}

async fn html(
    State(captured): State<Captured>,
    Path(id): Path<Uuid>,
) -> Result<impl IntoResponse, StatusCode> {
    let mail = captured.found(id)?;
    Ok(([(header::CONTENT_SECURITY_POLICY, MAIL_POLICY)], Html(mail.rendered.html)))
}

async fn source(State(captured): State<Captured>, Path(id): Path<Uuid>) -> Result<String, StatusCode> {
    Ok(captured.found(id)?.source)
}

fn page(template: &impl Template) -> Result<Response, StatusCode> {
    let html = template.render().map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)?;
    Ok(([(header::CONTENT_SECURITY_POLICY, PAGE_POLICY)], Html(html)).into_response())
}
